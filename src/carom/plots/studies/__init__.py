"""Figures of many runs: what a study, a calibration or a comparison of laws came to."""
