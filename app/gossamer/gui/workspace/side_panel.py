"""The right side of the workspace: its contents, or a narrow strip that brings them back."""

from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon

STRIP: Final = 34
"""How wide the strip is."""
_ICON: Final = 16


class Strip(QToolButton):
    """A button as high as the window, with its name written upwards."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(name)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """As narrow as can be."""
        return QSize(STRIP, 2 * STRIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign, and below it the name."""
        del event
        lit = self.underMouse() or self.hasFocus()
        with QPainter(self) as painter:
            if lit:
                painter.fillRect(self.rect(), theme.colour("track"))
            if self.hasFocus():
                painter.setPen(theme.colour("accent"))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            sign = icon("panel").pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF())
            painter.drawPixmap((self.width() - _ICON) // 2, theme.SPACE_M, sign)
            painter.setPen(theme.colour("text" if lit else "muted"))
            top = theme.SPACE_M + _ICON + theme.SPACE_M
            painter.translate(self.width(), top)
            painter.rotate(90)
            box = QRect(0, 0, self.height() - top, self.width())
            sides = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, sides, self.text())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


class Side(QWidget):
    """Shows `content`, or a strip called `name`. `open_wanted` says that a person wants it so."""

    open_wanted = Signal(bool)

    def __init__(
        self, name: str, content: QWidget, least: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.content = content
        self._least = least
        self.strip = Strip(name)
        self.strip.setToolTip(self.tr("Show {name} (Ctrl+3)").format(name=name))
        self.strip.clicked.connect(lambda: self.open_wanted.emit(True))
        self.fold = QToolButton()
        self.fold.setProperty("quiet", True)
        self.fold.setToolTip(self.tr("Fold it away to a strip (Ctrl+3)"))
        self.fold.setAccessibleName(self.tr("Fold {name} away").format(name=name))
        self.fold.setIcon(icon("panel"))
        self.fold.clicked.connect(lambda: self.open_wanted.emit(False))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(content)
        row.addWidget(self.strip)
        self.set_open(shown=True)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return not self.content.isHidden()

    def set_open(self, *, shown: bool) -> None:
        """Show the content, or the strip alone."""
        self.content.setVisible(shown)
        self.strip.setVisible(not shown)
        self.setMinimumWidth(self._least if shown else STRIP)
        self.setMaximumWidth(theme.UNLIMITED if shown else STRIP)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.fold.setIcon(icon("panel"))
