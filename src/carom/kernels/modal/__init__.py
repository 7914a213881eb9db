"""One mode: its exact motion under a load that is linear in time, its true extremes, its energy, spectra."""
