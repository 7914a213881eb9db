"""How the command line reads options and speaks to a terminal: what all commands share."""
