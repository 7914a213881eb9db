"""Commands about laws: the catalogue, one impact, which stiffness, calibration."""
