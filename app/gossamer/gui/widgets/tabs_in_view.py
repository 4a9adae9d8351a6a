"""Which tabs of a bar are in view: those that do not fit are scrolled out of it."""

from PySide6.QtWidgets import QTabBar, QToolButton

_SCROLL_BUTTONS = ("ScrollLeftButton", "ScrollRightButton")


def is_in_view(bar: QTabBar, index: int) -> bool:
    """Whether the middle of a tab can be seen: at the ends of the view one may be cut."""
    if not bar.isTabVisible(index):
        return False
    middle = bar.tabRect(index).center()
    buttons = (bar.findChild(QToolButton, name) for name in _SCROLL_BUTTONS)
    covered = (each.geometry() for each in buttons if each is not None and each.isVisibleTo(bar))
    return bar.rect().contains(middle) and not any(each.contains(middle) for each in covered)
