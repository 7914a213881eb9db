"""carom against OpenSeesPy: the same problem as an OpenSees model, the runs, the tables."""
