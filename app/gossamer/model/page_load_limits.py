"""How much may be measured at once of how pages load."""

from typing import Final

MAX_RUNS: Final = 25
MAX_PAGES: Final = 20
"""Pages that the window measures one after the other."""
