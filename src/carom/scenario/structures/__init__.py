"""Structures as tables of a scenario: storeys, frames, matrices, decks, buildings that turn."""
