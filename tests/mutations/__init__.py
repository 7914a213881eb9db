"""Files of ours, damaged at random: each function makes one trial from a seed and says what went wrong, if so."""
