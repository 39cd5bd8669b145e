"""The command line: run, info and replay."""
