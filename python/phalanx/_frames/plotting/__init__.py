"""Plots of frames and series by matplotlib, which is imported when one is drawn."""
