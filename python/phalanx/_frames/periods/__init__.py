"""Periods: spans of the calendar and of time, counted from 1970."""
