"""A second opinion on the event engine: its own integrator, its own laws, random problems, a rule of comparison."""
