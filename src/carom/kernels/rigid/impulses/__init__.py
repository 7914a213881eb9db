"""What an impact of rigid bodies does: impulses of contacts struck together, with Coulomb's friction or without."""
