"""Siconos beside carom: its own side, and how a problem reaches it."""
