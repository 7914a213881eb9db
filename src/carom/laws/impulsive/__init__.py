"""Impulsive laws, one per module, found by themselves."""
