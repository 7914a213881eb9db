"""Questions about one run: what pounding does there, how firm that is, what to know before using it."""
