"""The value of a parameter that comes closest to a measured history."""
