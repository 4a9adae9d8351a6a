"""Program entry: the window without arguments, otherwise the command line."""

import sys


def main() -> int:
    """Run the program and return its exit code."""
    sys.stderr.write("gossamer: no shell is installed yet.\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
