"""Moreau-Jean time stepping: impulses step by step, without looking for the moment of an impact."""
