"""A random space of pounding problems: what `benchmarks/space.py` measures speed and accuracy over."""
