// The order of what the search finds: pages for users before those on how the engine is made, and
// first those whose title is made of words of the query. Sphinx's order of equals is the alphabet's.
const searchedWords = (new URLSearchParams(window.location.search).get("q") || "")
  .toLowerCase()
  .split(/[^\p{Letter}\p{Number}_]+/u)
  .filter((word) => word.length > 2)
  .map((word) => word.replace(/s$/, ""));
const aboutTheEngine =
  /^(decisions|measurements|source)\/|^(adding-|accuracy|building|contributing|operations|runtime|status|tour|words)/;

var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    if (kind === "object") return score;
    const words = searchedWords.filter((word) => title.toLowerCase().includes(word));
    const share = words.join("").length / title.length;
    return score + 8 * (words.length + share) - (aboutTheEngine.test(page) ? 20 : 0);
  },
  // Sphinx's own scores of what matches.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
