"""The ground of a problem: where structures stand on it, what it does there, and which modes that drives."""
