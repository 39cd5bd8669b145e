"""A Markov chain, a decision problem and a game."""

import numpy as np
import quantecon as qe

chain = qe.MarkovChain([[0.9, 0.1], [0.4, 0.6]])
print(chain.stationary_distributions.tolist())
print(chain.simulate(30, init=0, random_state=1).tolist())
rewards = np.array([[5.0, 10.0], [-1.0, -np.inf]])
moves = np.array([[[0.5, 0.5], [0, 1]], [[0, 1], [0.5, 0.5]]], float)
print(qe.markov.DiscreteDP(rewards, moves, 0.95).solve().v.tolist())
game = qe.game_theory.NormalFormGame([[(3, 3), (3, 2)], [(2, 2), (5, 6)], [(0, 3), (6, 1)]])
print([[each.tolist() for each in pair] for pair in qe.game_theory.vertex_enumeration(game)])
print(qe.LinearStateSpace([[0.9]], [[0.1]], [[1.0]]).stationary_distributions()[2].tolist())
