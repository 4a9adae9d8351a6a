"""Tells what text a program on this display has copied: a line of JSON for each line it reads."""

import json
import sys

from PySide6.QtGui import QGuiApplication


def main() -> int:
    app = QGuiApplication(sys.argv[:1])
    for _ in sys.stdin:
        app.processEvents()  # one may tell of another owner of the clipboard
        sys.stdout.write(json.dumps(app.clipboard().text()) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
