"""Springs inside structures that are not linear: their rules, and what each remembers of its path."""
