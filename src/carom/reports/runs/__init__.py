"""The report of a run: its page, its files, its figures, and what it says in words."""
