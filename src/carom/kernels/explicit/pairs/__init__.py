"""Two modes that share one contact: functions written by hand for them, which `parts` lists."""
