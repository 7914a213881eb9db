"""Buildings on a processor's core: explicit steps of eight modes side by side, which `parts` lists."""
