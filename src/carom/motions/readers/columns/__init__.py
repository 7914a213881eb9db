"""Plain columns of numbers, with times or without, below a header or none."""
