"""The command line, with its exit codes; docs/command-line.md lists all codes.

Each error class in `gossamer.model.errors` carries the exit code for its kind of failure.
"""

from typing import Final

EXIT_BUG: Final = 1
EXIT_NO_ROOT: Final = 3
"""No root could be fetched."""
EXIT_GATE: Final = 5
"""`--fail-on` found too many."""
EXIT_NO_BROWSER: Final = 6
"""`gossamer browser` found none."""
EXIT_INTERRUPTED: Final = 130
