"""A table header that sorts by several columns: click for one, Shift+click to add one."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

SortKey = tuple[int, bool]
"""A column of the model, and whether downwards."""

MAX_KEYS: Final = 4
_DIGITS: Final = "¹²³⁴"
_WIDEST_DIGIT: Final = _DIGITS[-1]
_UP: Final = "↑"
_DOWN: Final = "↓"
_AROUND: Final = 18
"""Padding and border of a section."""
_ROUNDED: Final = 2
"""What two rounded-down widths may lack."""
_ACROSS: Final = Qt.Orientation.Horizontal
_WIDTHS: Final[dict[tuple[str, int], dict[str, int]]] = {}
"""The widths of headings, by the key of their font and the dots per inch of their screen.

More than a hundred headings are measured for each tab, and for each issue that is chosen.
"""


class SortHeader(QHeaderView):
    """A header that marks the sort columns by arrows, and by numbers if there are several."""

    sort_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_ACROSS, parent)
        self._keys: tuple[SortKey, ...] = ()
        self._widths: dict[str, int] | None = None
        self.unsortable: frozenset[int] = frozenset()
        """Columns that cannot be sorted by."""
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # "Other Page … Code"
        self.setSectionsClickable(True)
        self.sectionClicked.connect(self._click)

    @property
    def keys(self) -> tuple[SortKey, ...]:
        """The sort keys of the rows, the first one first."""
        return self._keys

    def needed(self, column: int) -> int:
        """The width that shows the whole name of a column, with its arrow and number."""
        model = self.model()
        name = "" if model is None else model.headerData(column, _ACROSS) or ""
        if self._widths is None:
            self._widths = _WIDTHS.setdefault((self.font().key(), self.logicalDpiX()), {})
        width = self._widths.get(name)
        if width is None:
            widest = f"{name} {_DOWN}{_WIDEST_DIGIT}"
            width = self._widths[name] = self.fontMetrics().horizontalAdvance(widest)
        return width + _AROUND + _ROUNDED

    def changeEvent(self, event: QEvent) -> None:
        """Measure the headings again, in another font or style."""
        self._widths = None
        super().changeEvent(event)

    def set_keys(self, keys: Sequence[SortKey]) -> None:
        """Sort by these; `sort_changed` is not emitted."""
        self._keys = tuple(keys)[:MAX_KEYS]
        self.viewport().update()

    def sort_by(self, column: int, *, descending: bool = False) -> None:
        """Sort only by one column."""
        self._use(((column, descending),))

    def sort_by_discovery(self) -> None:
        """Sort by no column."""
        self._use(())

    def advance(self, column: int, *, add: bool = False) -> None:
        """Sort by a column: ascending, then descending, then not at all.

        `add` keeps the others: a new one comes last, where it only affects what is equal so far.
        """
        if column in self.unsortable:
            return
        others = [key for key in self._keys if key[0] != column]
        known = next((key for key in self._keys if key[0] == column), None)
        if not add:
            alone = known is not None and not others
            self._use(_turned(known) if alone else ((column, False),))
        elif known is None:
            self._use((*self._keys, (column, False)))
        else:
            at = self._keys.index(known)
            self._use((*self._keys[:at], *_turned(known), *self._keys[at + 1 :]))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's name
        """Arrow and number of a section."""
        super().initStyleOptionForIndex(option, logicalIndex)
        for place, (column, descending) in enumerate(self._keys):
            if column == logicalIndex:
                # Not the arrow of the style, which covers right-aligned texts.
                number = _DIGITS[place] if len(self._keys) > 1 else ""
                sign = f" {_DOWN if descending else _UP}{number}"
                room = self.sectionSize(logicalIndex) - _AROUND
                room -= self.fontMetrics().horizontalAdvance(sign)
                elided = self.fontMetrics().elidedText(option.text, self.textElideMode(), room)
                option.text = elided + sign

    def _click(self, column: int) -> None:
        held = QGuiApplication.keyboardModifiers()
        self.advance(column, add=bool(held & Qt.KeyboardModifier.ShiftModifier))

    def _use(self, keys: Sequence[SortKey]) -> None:
        before = self._keys
        self.set_keys(keys)
        if self._keys != before:
            self.sort_changed.emit()


def _turned(key: SortKey | None) -> tuple[SortKey, ...]:
    """The next key: ascending, then descending, then none."""
    return () if key is None or key[1] else ((key[0], True),)
