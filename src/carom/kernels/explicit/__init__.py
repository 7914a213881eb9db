"""Explicit Runge-Kutta: the fast paths for pairs and for many modes, alone or by a warp, and single impacts."""
