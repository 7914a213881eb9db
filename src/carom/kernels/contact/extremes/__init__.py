"""True extremes inside a step in contact: degrees of freedom (`floors`, `swinging`), forces and overlaps (`forces`)."""
