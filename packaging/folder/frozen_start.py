"""What the frozen program runs: the same as `python -m gossamer`."""

import sys

from gossamer.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
