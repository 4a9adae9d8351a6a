"""The command line, with its exit codes; docs/command-line.md lists all codes.

Each error class in `gossamer.model.errors` carries the exit code for its kind of failure.
"""

from typing import Final

from gossamer.model.errors import BusyError, FailedCrawlError, NoBrowserError

EXIT_BUG: Final = 1
EXIT_NO_ROOT: Final = FailedCrawlError.exit_code
"""No root could be fetched, or all of them redirect out of the crawl."""
EXIT_GATE: Final = 5
"""`--fail-on` found too many."""
EXIT_NO_BROWSER: Final = NoBrowserError.exit_code
"""There is none that can render, or to log in with."""
EXIT_BUSY: Final = BusyError.exit_code
"""A schedule is running already, or its project is being crawled."""
EXIT_INTERRUPTED: Final = 130
