"""Figures of what moves in space: frames, slabs, decks, seen from above, from the side or turned."""
