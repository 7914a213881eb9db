"""Runs kept as files: one netCDF-4 file each, whole and sealed."""
