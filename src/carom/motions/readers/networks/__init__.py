"""Formats of strong-motion networks, and what several of them have in common."""
