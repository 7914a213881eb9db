"""Scenes: contacts that slide with friction, bodies that turn, joints between anchors; explicit steps of order five."""
