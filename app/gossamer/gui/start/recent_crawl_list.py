"""Lists the recent crawls with their states on the start page; a click opens one."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import label
from gossamer.gui.runtime.saved_ui_state import RecentProject
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import host_of, named_site, spoken
from gossamer.gui.widgets.labels import describe
from gossamer.model.crawl_state import CrawlState

if TYPE_CHECKING:
    from gossamer.store.reading.project_listing import ProjectInfo

SHOWN: Final = 5
_ICON: Final = 16
_PADDING: Final = 6
_MADE_UP: Final = re.compile(r" \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d(?: \(\d+\))?$")


def own_name(path: Path) -> str:
    """The name that a user gave the project; "" if it is only site and time."""
    return "" if _MADE_UP.search(path.stem) else path.stem


class RecentProjects(QWidget):
    """The list of recent projects under a heading; hidden while empty.

    `project_wanted` carries the path of the row that was clicked; `compare_wanted` that of a crawl
    to compare with another, None for any; `recrawl_wanted` that of one to crawl again.
    """

    project_wanted = Signal(object)
    compare_wanted = Signal(object)
    recrawl_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = QLabel(self.tr("Recent crawls"))
        heading.setProperty("muted", True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        self.compare = QPushButton(icon("compare"), self.tr("Compare crawls…"))
        self.compare.setFlat(True)
        self.compare.clicked.connect(lambda: self.compare_wanted.emit(None))
        head = QHBoxLayout()
        head.addWidget(heading, 1)
        head.addWidget(self.compare)
        column.addLayout(head)
        column.addLayout(self._rows)
        self.rows: list[ProjectRow] = []
        self.hide()

    def show_projects(self, projects: Sequence[RecentProject]) -> None:
        """Offer these, the last used first; `show_glances` adds what is known of them."""
        if [row.project for row in self.rows] == list(projects[:SHOWN]):
            # A row that stays as it is keeps the keyboard.
            return
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows = [ProjectRow(project) for project in projects[:SHOWN]]
        for row in self.rows:
            row.clicked.connect(lambda _checked=False, p=row.project.path: self._want(p))
            self._add_actions(row)
            self._rows.addWidget(row)
        self.compare.setVisible(len(self.rows) > 1)
        self.setVisible(bool(self.rows))

    def show_glances(self, glances: "Mapping[Path, ProjectInfo]") -> None:
        """Show the state of each project. The rows have room for it, so nothing moves."""
        for row in self.rows:
            if (glance := glances.get(row.project.path)) is not None:
                row.show_glance(glance)

    def room(self, rows: int) -> int:
        """The height with this many rows."""
        line = self.fontMetrics().lineSpacing()
        row = 2 * (line + _PADDING) + self._rows.spacing()
        head = max(line, self.compare.sizeHint().height())
        return head + theme.SPACE_XS + rows * row

    def _add_actions(self, row: "ProjectRow") -> None:
        """The actions on a crawl that do not open it, in its context menu."""
        path = row.project.path
        for sign, words, signal in (
            ("compare", self.tr("Compare with another crawl…"), self.compare_wanted),
            ("reset", self.tr("Crawl again…"), self.recrawl_wanted),
        ):
            action = QAction(icon(sign), words, row)
            action.triggered.connect(lambda _on, signal=signal: signal.emit(path))
            row.addAction(action)
        row.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _want(self, path: Path) -> None:
        self.project_wanted.emit(path)


class ProjectRow(QAbstractButton):
    """A recent project: host and name, and below them state, counts, size and date."""

    def __init__(self, project: RecentProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.project = project
        self._name = named_site(host_of(project.root), project.more) or project.path.stem
        self._rest = own_name(project.path).removeprefix(self._name).strip()
        self._state = ""
        self._role: theme.Role = "muted"
        self.setText(self._name)
        self.setAccessibleName(f"{self._name} {self._rest}".strip())
        describe(self, str(project.path))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def state_text(self) -> str:
        """The text on the state of the crawl, "" as long as that is unknown."""
        return self._state

    def sign(self) -> str:
        """The icon: that of a failure if it failed, or cannot be opened."""
        return "error" if self._role == "error" else "recent"

    def show_glance(self, glance: "ProjectInfo") -> None:
        """Show the state of the crawl."""
        self._state, self._role = self._words(glance)
        self.setAccessibleDescription(self._state)
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines of text."""
        return QSize(320, 2 * self.fontMetrics().lineSpacing() + 2 * _PADDING)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw icon, name and state; a background where the pointer or the focus is."""
        del event
        line = self.fontMetrics().lineSpacing()
        left = theme.SPACE_S + _ICON + theme.SPACE_S
        width = self.width() - left - theme.SPACE_S
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.underMouse() or self.hasFocus():
                painter.setPen(theme.colour("accent" if self.hasFocus() else "border"))
                painter.setBrush(theme.scheme().base)
                painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 5, 5)
            sign = icon(self.sign()).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF())
            painter.drawPixmap(theme.SPACE_S, _PADDING + (line - _ICON) // 2, sign)
            metrics = painter.fontMetrics()
            name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, width)
            painter.setPen(theme.colour("text"))
            painter.drawText(left, _PADDING + metrics.ascent(), name)
            used = metrics.horizontalAdvance(name) + theme.SPACE_M
            rest = metrics.elidedText(self._rest, Qt.TextElideMode.ElideRight, width - used)
            painter.setPen(theme.colour("muted"))
            painter.drawText(left + used, _PADDING + metrics.ascent(), rest)
            state = metrics.elidedText(self._state, Qt.TextElideMode.ElideRight, width)
            painter.setPen(theme.colour(self._role))
            painter.drawText(left, _PADDING + line + metrics.ascent(), state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens it like Space, which is all that Qt's buttons know outside of dialogs."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def _words(self, glance: "ProjectInfo") -> tuple[str, theme.Role]:
        if glance.trouble:
            # The file is named above; the rest of the sentence is what matters here.
            trouble = spoken(glance.trouble).replace(str(glance.path), self.tr("This project"))
            return formatting.clean(trouble), "error"
        done = glance.known - glance.queued
        counts = self.tr("%Ln URL(s)", "", glance.known)
        if glance.queued:
            counts = self.tr("{done} of %Ln URL(s)", "", glance.known)
        parts = (
            self._state_word(glance),
            "" if glance.nothing is None else label(glance.nothing),
            counts.format(done=number(done)),
            formatting.size(glance.size_bytes),
            formatting.moment(glance.changed_at),
        )
        return " · ".join(filter(None, parts)), "muted" if glance.nothing is None else "error"

    def _state_word(self, glance: "ProjectInfo") -> str:
        if glance.held_by is not None:
            return self.tr("Being crawled")
        if glance.nothing is not None:
            return self.tr("No pages found")
        return {
            CrawlState.NEW: self.tr("Not started"),
            CrawlState.FINISHED: self.tr("Finished"),
            CrawlState.CANCELLED: self.tr("Cancelled"),
        }.get(glance.state, self.tr("Paused"))
