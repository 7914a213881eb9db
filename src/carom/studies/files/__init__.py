"""A study on disk: its folder, read and written whole or not at all."""
