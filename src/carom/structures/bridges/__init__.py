"""What bridges are made of: decks, piers, abutments."""
