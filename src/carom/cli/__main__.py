"""``python -m carom.cli``."""

import sys

from carom.cli import main

sys.exit(main())
