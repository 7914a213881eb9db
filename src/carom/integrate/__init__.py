"""How time advances: single impacts, and calibration by repeating them."""
