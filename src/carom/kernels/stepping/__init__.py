"""Step-by-step schemes: one kernel for all of them, with compliant contacts and springs that yield."""
