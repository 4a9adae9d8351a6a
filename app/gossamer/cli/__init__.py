"""The command line, and what its commands end with; docs/command-line.md lists all codes.

That of a mistake or a failure is the `exit_code` of its error, see `gossamer.model.errors`.
"""

from typing import Final

EXIT_BUG: Final = 1
EXIT_NO_ROOT: Final = 3
"""No root could be fetched."""
EXIT_GATE: Final = 5
"""`--fail-on` found too many."""
EXIT_INTERRUPTED: Final = 130
