"""Numba's front end, shortened for kernels: from a function's text to instructions for LLVM."""
