"""``python -m carom.cli``."""

import sys

from carom.cli.app import main

sys.exit(main())
