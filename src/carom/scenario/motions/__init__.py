"""Ground motion as tables of a scenario."""
