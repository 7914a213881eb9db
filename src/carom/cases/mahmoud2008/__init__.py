"""Cases of mahmoud2008: laws, towers under harmonic ground motion, and a bridge whose hangers slacken."""
