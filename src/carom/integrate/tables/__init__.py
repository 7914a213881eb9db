"""A flat problem as the arrays that kernels take, and the functions of users and of joints inside those kernels."""
