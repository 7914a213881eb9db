"""Draw a result, return the axes; matplotlib is loaded here and nowhere else."""
