"""Scenarios and studies to start from: commented, sound, made of a few answers."""
