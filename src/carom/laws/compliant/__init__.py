"""The published compliant laws, one module each; `carom.laws.laws` finds them here."""
