"""Modes other than those of the structures: complex ones where damping couples them, few where few are enough."""
