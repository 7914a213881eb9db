"""Cases of alves2015: single impacts, law by law."""
