"""What is seen before there is a crawl: a large field, earlier projects, the demo site."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.gui import theme
from app.gui.icons import icon, on_accent
from app.gui.memory import RecentProject
from app.gui.messages import InlineMessage
from app.gui.top_bar import UrlField, buddy, spin_box
from app.gui.words import host_of
from app.model.settings import MAX_REDIRECTS, MAX_WORKERS

_WIDTH: Final = 600
_TALL: Final = 40
_SIGN: Final = 64
_ICON: Final = QSize(20, 16)
_SHOWN_PROJECTS: Final = 5


class StartPage(QWidget):
    """The empty window. Signals tell what the person wants; the page does nothing itself."""

    start_wanted = Signal()
    demo_wanted = Signal()
    open_wanted = Signal()
    settings_wanted = Signal()
    project_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start-page")
        self.url_field = UrlField()
        self.url_field.setObjectName("start-url")
        self.url_field.setFixedHeight(_TALL)
        self.url_field.setFont(_scaled(self.font(), 1.15))
        self.url_field.submitted.connect(self.start_wanted)
        self.workers = spin_box("start-workers", 1, MAX_WORKERS)
        self.redirects = spin_box("start-redirects", 0, MAX_REDIRECTS)
        self.message = InlineMessage()
        self._sign = QLabel()
        self._start = QPushButton(self.tr("Start"))
        self._start.setObjectName("start-crawl")
        self._start.setProperty("primary", True)
        self._start.setFixedHeight(_TALL)
        self._start.setIconSize(_ICON)
        self._start.clicked.connect(self.start_wanted)
        self._demo = self._link("start-demo", self.tr("Crawl the demo site"))
        self._demo.clicked.connect(self.demo_wanted)
        self._open = self._link("start-open", self.tr("Open a project…"))
        self._open.clicked.connect(self.open_wanted)
        self._settings = self._link("start-settings", self.tr("Settings…"))
        self._settings.clicked.connect(self.settings_wanted)
        self._heading = QLabel(self.tr("Recent crawls"))
        self._heading.setProperty("muted", True)
        self._projects = QVBoxLayout()
        self._projects.setSpacing(2)
        self._lay_out()
        self._tint()
        self.set_projects([])

    def url(self) -> str:
        """What is typed in the field, trimmed."""
        return self.url_field.currentText().strip()

    def set_projects(self, projects: Sequence[RecentProject]) -> None:
        """Offer these projects, the last used first."""
        while (item := self._projects.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for project in projects[:_SHOWN_PROJECTS]:
            self._projects.addWidget(self._row(project))
        self._heading.setVisible(bool(projects))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _row(self, project: RecentProject) -> QPushButton:
        host = host_of(project.root)
        rest = project.path.stem.removeprefix(host).strip()
        row = QPushButton(f"{host}    {rest}".replace("&", "&&"))
        row.setIconSize(_ICON)
        row.setIcon(icon("recent"))
        row.setFlat(True)
        row.setProperty("link", True)
        row.setToolTip(_plain(project.path))
        row.clicked.connect(lambda _checked, path=project.path: self.project_wanted.emit(path))
        return row

    def _link(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setIconSize(_ICON)
        return button

    def _lay_out(self) -> None:
        field = QHBoxLayout()
        field.setSpacing(theme.SPACE_S)
        field.addWidget(self.url_field, 1)
        field.addWidget(self._start)
        block = QWidget()
        block.setMaximumWidth(_WIDTH)
        block.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(block)
        column.setSpacing(theme.SPACE_M)
        column.addLayout(self._head())
        column.addSpacing(theme.SPACE_S)
        column.addLayout(field)
        column.addWidget(self.message)
        column.addLayout(self._numbers())
        column.addLayout(self._ways())
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self._heading)
        column.addLayout(self._projects)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(block, 100)
        centred.addStretch(1)
        page = QVBoxLayout(self)
        page.addStretch(2)
        page.addLayout(centred)
        page.addStretch(3)

    def _head(self) -> QHBoxLayout:
        title = QLabel("Gossamer")
        title.setFont(_scaled(self.font(), 2.0))
        subtitle = QLabel(self.tr("See every page and every redirect of a website."))
        subtitle.setProperty("muted", True)
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS)
        words.addWidget(title)
        words.addWidget(subtitle)
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE_L)
        head.addWidget(self._sign)
        head.addLayout(words, 1)
        return head

    def _numbers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Workers"), self.workers))
        row.addWidget(self.workers)
        row.addSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Redirects"), self.redirects))
        row.addWidget(self.redirects)
        row.addStretch(1)
        row.addWidget(self._settings)
        return row

    def _ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._demo)
        row.addWidget(self._open)
        row.addStretch(1)
        return row

    def _tint(self) -> None:
        pixels = QSize(_SIGN, _SIGN)
        self._sign.setPixmap(icon("gossamer").pixmap(pixels, self.devicePixelRatioF()))
        self._start.setIcon(on_accent("start"))
        self._demo.setIcon(icon("site"))
        self._open.setIcon(icon("open"))
        self._settings.setIcon(icon("settings"))


def _scaled(font: QFont, factor: float) -> QFont:
    result = QFont(font)
    result.setPointSizeF(max(1.0, font.pointSizeF()) * factor)
    return result


def _plain(path: Path) -> str:
    """A tool tip that Qt cannot take for rich text."""
    return "<p>" + str(path).replace("&", "&amp;").replace("<", "&lt;") + "</p>"
