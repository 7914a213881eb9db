"""Kernels on a GPU: all that knows numba-cuda, batches, and warps that share a run."""
