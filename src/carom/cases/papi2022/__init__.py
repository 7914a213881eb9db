"""Cases of papi2022: the damping of a Kelvin-Voigt law."""
