"""A study as a file: a scenario, what varies in it and where, the motions, the questions."""
