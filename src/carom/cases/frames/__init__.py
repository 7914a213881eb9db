"""Frames of other programs' manuals and benchmarks."""
