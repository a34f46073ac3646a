"""``python -m jsonsift`` is the command ``jsonsift``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
