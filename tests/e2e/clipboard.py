"""Prints the text that a program on this display has copied."""

import sys

from PySide6.QtGui import QGuiApplication


def main() -> int:
    app = QGuiApplication(sys.argv[:1])
    sys.stdout.write(app.clipboard().text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
