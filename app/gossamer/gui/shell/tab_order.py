"""The order in which Tab visits the parts of the main window: as they are laid out."""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget


class OrderedBody(QWidget):
    """The body of the window, whose `parts` Tab visits in their order."""

    def __init__(self, parts: Callable[[], Sequence[QWidget]]) -> None:
        super().__init__()
        self._parts = parts

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - as Qt calls it
        """Go to the next of what is visible now: panels are moved, shown and made later.

        Qt's own chain is left alone: it breaks when widgets are put in order again and again.
        """
        stops = [stop for part in self._parts() for stop in _tab_stops(part)]
        focused = self.window().focusWidget()
        if focused not in stops:
            return super().focusNextPrevChild(next)
        reasons = Qt.FocusReason
        reason = reasons.TabFocusReason if next else reasons.BacktabFocusReason
        at = stops.index(focused) + (1 if next else -1)
        stops[at % len(stops)].setFocus(reason)
        return True


class _Stop(NamedTuple):
    widget: QWidget
    area: QRect


def from_left_to_right(window: QWidget, parts: Sequence[QWidget]) -> list[QWidget]:
    """The visible parts, column by column, each from top to bottom."""
    shown = [part for part in parts if part.isVisible() and part.window() is window]
    corners = [part.mapTo(window, QPoint(0, 0)).toTuple() for part in shown]
    return [part for _, part in sorted(zip(corners, shown, strict=True), key=itemgetter(0))]


def _tab_stops(part: QWidget) -> Iterator[QWidget]:
    """What takes the focus in a part, row by row, each from left to right."""
    widgets = [each for each in (part, *part.findChildren(QWidget)) if _is_stop(each)]
    stops = [_Stop(each, QRect(each.mapTo(part, QPoint(0, 0)), each.size())) for each in widgets]
    rows: list[list[_Stop]] = []
    for stop in sorted(stops, key=lambda each: each.area.top()):
        if rows and stop.area.center().y() <= rows[-1][0].area.bottom():
            rows[-1].append(stop)
        else:
            rows.append([stop])
    for row in rows:
        for stop in sorted(row, key=lambda each: (each.area.left(), each.area.top())):
            yield stop.widget


def _is_stop(widget: QWidget) -> bool:
    takes_focus = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_usable = widget.isVisible() and widget.isEnabled()
    return takes_focus and widget.focusProxy() is None and is_usable
