"""The form for comparing a copy of a site: which addresses of one are which of the other."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import buddy
from gossamer.model.errors import UsageError
from gossamer.urls.url_folders import display_url
from gossamer.urls.url_mapping import NO_MAPPING, UrlMapping
from gossamer.urls.url_parsing import origin, parse_root

_EXAMPLE_PATH: Final = "docs/page?id=1"


class MappingForm(QWidget):
    """Takes the beginning of the addresses of either copy, and shows what becomes of one.

    `changed`: other addresses are mapped.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.wanted = QCheckBox(self.tr("The crawls are of &copies at different addresses"))
        self.before = QLineEdit()
        self.after = QLineEdit()
        self.before.setPlaceholderText("https://staging.example.com/")
        self.after.setPlaceholderText("https://www.example.com/")
        self.example = QLabel()
        self.example.setTextFormat(Qt.TextFormat.PlainText)
        self.example.setWordWrap(True)
        self._example_url = ""
        self._is_own = False
        """Whether the user has entered the mapping."""
        self._fields = QWidget()
        self._lay_out()
        self.wanted.toggled.connect(self._update)
        self.wanted.clicked.connect(self._note_own)
        for field in (self.before, self.after):
            field.setMinimumHeight(CONTROL_HEIGHT)
            field.textChanged.connect(self._update)
            field.textEdited.connect(self._note_own)
        self._update()

    def suggest(self, before: str, after: str) -> None:
        """Take two roots: copies of a site, if they are of different origins.

        What the user has chosen or typed stays.
        """
        self._example_url = before
        if self._is_own:
            self._update()
            return
        sites = _origin(before), _origin(after)
        is_copy = all(sites) and sites[0] != sites[1]
        self.before.setText(f"{sites[0]}/" if is_copy else "")
        self.after.setText(f"{sites[1]}/" if is_copy else "")
        self.wanted.setChecked(is_copy)
        self._update()

    def mapping(self) -> UrlMapping:
        """What was typed; UsageError with the sentence what is wrong with it."""
        if not self.wanted.isChecked():
            return NO_MAPPING
        before, after = (field.text().strip() for field in (self.before, self.after))
        return UrlMapping.parsed([f"{before}={after}"])

    def _note_own(self) -> None:
        self._is_own = True

    def _update(self) -> None:
        self._fields.setVisible(self.wanted.isChecked())
        self.example.setProperty("wrong", False)
        try:
            mapping = self.mapping()
        except UsageError as e:
            is_empty = not (self.before.text() and self.after.text())
            words = self.tr("Type how the addresses of each copy begin.")
            self.example.setText(words if is_empty else spoken(e.said))
            self.example.setProperty("wrong", not is_empty)
        else:
            self.example.setText(self._example(mapping))
        self.example.style().polish(self.example)
        self.changed.emit()

    def _example(self, mapping: UrlMapping) -> str:
        if not mapping:
            return ""
        url = self._example_url
        if not url or mapping.map(url) == url:
            url = f"{mapping.prefixes[0].before.rstrip('/')}/"
        url = f"{url.rstrip('/')}/{_EXAMPLE_PATH}" if url.endswith("/") else url
        words = self.tr("{before} is compared with {after}")
        return formatting.clean(
            words.format(before=display_url(url), after=display_url(mapping.map(url)))
        )

    def _lay_out(self) -> None:
        grid = QGridLayout(self._fields)
        grid.setContentsMargins(theme.SPACE_L, 0, 0, 0)
        grid.setHorizontalSpacing(theme.SPACE_S)
        grid.setVerticalSpacing(theme.SPACE_S)
        for row, (field, name) in enumerate(
            (
                (self.before, self.tr("Addresses &before begin with")),
                (self.after, self.tr("Addresses &after begin with")),
            )
        ):
            grid.addWidget(buddy(name, field), row, 0)
            grid.addWidget(field, row, 1)
        self.example.setProperty("muted", True)
        grid.addWidget(self.example, 2, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self.wanted)
        column.addWidget(self._fields)


def _origin(root: str) -> str:
    try:
        return origin(parse_root(root))
    except UsageError:
        return ""
