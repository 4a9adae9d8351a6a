"""Qt roles and alignments as plain integers, because comparing enum members is slow.

`data` of a model is called thousands of times per repaint.
"""

from typing import Final

from PySide6.QtCore import Qt

DISPLAY: Final = int(Qt.ItemDataRole.DisplayRole)
DECORATION: Final = int(Qt.ItemDataRole.DecorationRole)
TOOLTIP: Final = int(Qt.ItemDataRole.ToolTipRole)
ALIGNMENT: Final = int(Qt.ItemDataRole.TextAlignmentRole)
FOREGROUND: Final = int(Qt.ItemDataRole.ForegroundRole)
ACCESSIBLE: Final = int(Qt.ItemDataRole.AccessibleTextRole)
URL_ID: Final = int(Qt.ItemDataRole.UserRole)
"""The id of the URL that an index stands for, or None."""
MARKED: Final = URL_ID + 1
"""An Excerpt: the text of a cell, and which parts of it are marked."""

LEFT: Final = int((Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value)
RIGHT: Final = int((Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value)
