"""Where the test data are."""

from pathlib import Path

DATA = Path(__file__).parent
