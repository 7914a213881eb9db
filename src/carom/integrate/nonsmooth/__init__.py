"""A user's own nonsmooth system d p(u)/dt = f(t, u), by any Runge-Kutta method."""
