"""How structures are drawn: wire frames, lines, their lowest modes."""
