"""The choice of pages that mention the words, or do not, or do not link to a URL."""

from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QLineEdit, QMenu, QToolButton

from gossamer.gui.text import local_formatting as formatting
from gossamer.model.search_query import Search, parse_query
from gossamer.urls.url_parsing import parse_root

_ADDRESS_WIDTH: Final = 140


class SearchMode(QObject):
    """A menu button and the field of the URL that pages do not link to; laid out by its owner.

    Emits `changed` when another mode is chosen, `edited` while a URL is typed.
    """

    changed = Signal()
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setProperty("quiet", True)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.button.setToolTip(self.tr("Which pages are found"))
        self.button.setMenu(QMenu(self.button))
        self._choices = QActionGroup(self)
        self.modes = {
            (False, False): self._add(self.tr("Mentions")),
            (True, False): self._add(self.tr("Does not mention")),
            (False, True): self._add(self.tr("Mentions, but does not link to…")),
            (True, True): self._add(self.tr("Does not mention, and does not link to…")),
        }
        """The entries of the menu, by `is_absent` and whether a URL is required."""
        self.address = QLineEdit()
        self.address.setClearButtonEnabled(True)
        self.address.setMinimumWidth(_ADDRESS_WIDTH)
        words = self.tr("URL that the pages do not link to")
        self.address.setPlaceholderText(words)
        self.address.setAccessibleName(words)
        self.address.setToolTip(self.tr("A URL of this crawl, such as https://example.com/page"))
        self._is_offered = False
        self.show_search(None)
        self._choices.triggered.connect(self._choose)
        self.address.textEdited.connect(lambda _: self.edited.emit())
        self.address.textChanged.connect(self._note_cleared)
        self.address.returnPressed.connect(self.changed)

    def offer(self, *, offered: bool) -> None:
        """Set whether full-text search is on."""
        self._is_offered = offered
        self._update()

    def search(self, words: str) -> Search:
        """The search for these words in this mode; UsageError about the words or the URL."""
        parse_query(words)
        is_absent, is_about_links = self._mode
        typed = self.address.text().strip()
        url = parse_root(typed, hash_routes=True) if is_about_links and typed else ""
        return Search(words, is_absent=is_absent, not_linking_to=url)

    def show_search(self, search: Search | None) -> None:
        """Set mode and URL to those of a search; None: to the usual mode."""
        search = search or Search("")
        blocked = self.address.blockSignals(True)
        self.address.setText(formatting.clean(search.not_linking_to))
        self.address.blockSignals(blocked)
        self.modes[search.is_absent, bool(search.not_linking_to)].setChecked(True)
        self._update()

    @property
    def _mode(self) -> tuple[bool, bool]:
        return next(mode for mode, action in self.modes.items() if action.isChecked())

    def _add(self, name: str) -> QAction:
        action = self.button.menu().addAction(name)
        action.setCheckable(True)
        self._choices.addAction(action)
        return action

    def _note_cleared(self, text: str) -> None:
        """By its button: Qt does not call that an edit."""
        if not text:
            self.edited.emit()

    def _choose(self) -> None:
        self._update()
        self.changed.emit()
        if self._mode[1]:
            self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def _update(self) -> None:
        name = self.modes[self._mode].text()
        self.button.setText(name)
        self.button.setAccessibleName(f"{self.button.toolTip()}: {name}")
        self.button.setVisible(self._is_offered)
        self.address.setVisible(self._is_offered and self._mode[1])
