"""`python -m proxy` is `recollect`."""

import sys

from .cli import main

sys.exit(main())
