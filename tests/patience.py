"""How long tests wait for what is to happen."""

from typing import Final

PATIENCE_S: Final = 120.0
"""No test that passes waits so long, however busy the machine: what has not come by then does not
come. It is less than the limit of `hang_watch.py`, so that the test fails and says what it waited
for.
"""
PATIENCE_MS: Final = int(PATIENCE_S * 1000)
"""The same, as Qt counts."""
