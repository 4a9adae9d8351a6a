"""A thin progress bar in the colour of a state, and that colour for other widgets."""

from typing import Final

from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gossamer.gui.look import theme

_BAR_HEIGHT: Final = 8
_STEPS: Final = 1000


class CrawlProgressBar(QProgressBar):
    """The share of known URLs already requested, in the colour of the crawl's state."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setFixedHeight(_BAR_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Crawl progress"))
        set_role(self, "accent")

    def share(self) -> float:
        """The part that is filled, 0 to 1."""
        return self.value() / _STEPS

    def set_share(self, share: float, role: theme.Role) -> None:
        """Fill `share` (0 to 1) of the bar in the colour of `role`."""
        # As wide as its ends are round: less would be drawn as nothing.
        least = _STEPS * _BAR_HEIGHT // max(self.width(), _BAR_HEIGHT) if share > 0 else 0
        value = max(least, min(_STEPS, round(share * _STEPS)))
        if value != self.value():
            # Qt paints a new value at once; other pending changes are painted with it.
            self.setUpdatesEnabled(False)
            self.setValue(value)
            self.setUpdatesEnabled(True)
        set_role(self, role)


def set_role(widget: QWidget, role: theme.Role) -> None:
    """Let the style sheet paint `widget` in the colour of `role`."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
