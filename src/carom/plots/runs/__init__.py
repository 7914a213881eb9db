"""Figures of one run: histories, impacts, energy, envelopes, who stands beside whom."""
