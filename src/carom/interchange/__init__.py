"""Problems for other programs: OpenSees scripts, and results as MAT, CSV and VTKHDF files."""
