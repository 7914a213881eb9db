"""How fast, as a ratio against a named peer at equal accuracy, both in one run: ``python -m benchmarks``."""
