"""Rigid contact: impulses instead of forces, event by event or by Moreau-Jean steps, with friction."""
