"""Scenes, in which bodies slide and turn: their tables, their ensembles, and decks as pictures show them."""
