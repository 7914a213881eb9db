"""From instructions to machine code: parts, units that kernels share, and a second core that helps."""
