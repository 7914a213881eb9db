"""The arithmetic, written once: plain functions of floats and flat arrays.

Kernels import `math` and NumPy and nothing else. They are ordinary Python and run as such; `carom.backends`
compiles the same text for the CPU and the GPU. Rules that keep them compilable everywhere: float64, no
allocation (scratch arrays are passed in), no exceptions (status codes come out), arrays may be read-only.
"""
