"""The preview of a search result, with editable title and description and their widths."""

from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.widgets.labels import buddy
from gossamer.gui.widgets.progress_bar import set_role
from gossamer.model.edited_snippet import EditedSnippet
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.text_width import DESCRIPTION_PIXELS, TITLE_PIXELS, pixel_width
from gossamer.urls.url_folders import display_url

_tr = translator("SnippetView")
_ELLIPSIS: Final = " …"
_MARGIN: Final = 16
_ROOMY: Final = 960
_MAX_EDITS: Final = 1_000
"""The most edited pages that are kept; the oldest are dropped."""


class SnippetLimits(NamedTuple):
    """The limits of length and width of a text; `font` is its font size in pixels."""

    characters: tuple[int, int]
    pixels: tuple[int, int]
    font: int


class Device(NamedTuple):
    """A device that shows a search result: its width in pixels, and the lines of each text."""

    width: int
    title_lines: int
    description_lines: int


DESKTOP: Final = Device(600, 1, 2)
MOBILE: Final = Device(360, 2, 3)


def title_limits(settings: CrawlSettings) -> SnippetLimits:
    """The thresholds of titles."""
    return SnippetLimits(
        (settings.title_min_length, settings.title_max_length),
        (settings.title_min_pixels, settings.title_max_pixels),
        TITLE_PIXELS,
    )


def description_limits(settings: CrawlSettings) -> SnippetLimits:
    """The thresholds of meta descriptions."""
    return SnippetLimits(
        (settings.description_min_length, settings.description_max_length),
        (settings.description_min_pixels, settings.description_max_pixels),
        DESCRIPTION_PIXELS,
    )


def cut_to(text: str, font: int, pixels: int) -> str:
    """The text cut to a width in pixels, between words and with an ellipsis."""
    if pixel_width(text, font) <= pixels:
        return text
    room = pixels - pixel_width(_ELLIPSIS, font)
    words = text.split(" ")
    while words and pixel_width(" ".join(words), font) > room:
        words.pop()
    kept = " ".join(words)
    if not kept:
        kept = next(
            (text[:n] for n in range(len(text), 0, -1) if pixel_width(text[:n], font) <= room), ""
        )
    return f"{kept}{_ELLIPSIS}"


def cut_to_lines(text: str, font: int, pixels: int, lines: int) -> str:
    """The text cut to some lines of a width in pixels, which break between words."""
    kept = cut_to(text, font, pixels * lines)
    words = kept.removesuffix(_ELLIPSIS).split(" ")
    while len(words) > 1 and _lines(kept, font, pixels) > lines:
        words.pop()
        kept = " ".join(words) + _ELLIPSIS
    return kept


def _lines(text: str, font: int, pixels: int) -> int:
    """How many lines a text takes; a word that is too wide for one goes on in the next."""
    lines, line = 1, ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and pixel_width(longer, font) > pixels:
            lines, longer = lines + 1, word
        line = longer
    return lines


class _Measure(QLabel):
    """Shows the length and width of a text, and whether they exceed the limits."""

    def show_measure(self, text: str, limits: SnippetLimits) -> None:
        """Measure a text."""
        length, width = len(text), pixel_width(text, limits.font)
        verdict, role = _verdict(length, width, limits)
        measured = _tr("%Ln character(s)", length)
        pixels = _tr("{width} of {most} px").format(
            width=formatting.number(width), most=formatting.number(limits.pixels[1])
        )
        self.setText(f"{measured} · {pixels} · {verdict}")
        set_role(self, role)


def _verdict(length: int, width: int, limits: SnippetLimits) -> tuple[str, theme.Role]:
    if not length:
        return _tr("missing"), "error"
    if width > limits.pixels[1] or length > limits.characters[1]:
        return _tr("too long"), "error"
    if width < limits.pixels[0] or length < limits.characters[0]:
        return _tr("short"), "warning"
    return _tr("fits"), "ok"


class SnippetView(QScrollArea):
    """Shows a page as a search engine lists it, updated while the user types.

    Edits are kept for each page until another project is shown; `export_wanted` asks to save
    those in `edited`.
    """

    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: UrlRecord | None = None
        self._settings: CrawlSettings = DEFAULTS
        self._device = DESKTOP
        self.title = QLineEdit()
        self.description = QPlainTextEdit()
        self.title_measure = _Measure()
        self.description_measure = _Measure()
        self._edits: dict[str, EditedSnippet] = {}
        self.reset_button = QPushButton(self.tr("Reset"))
        self.export_button = QPushButton()
        self.card = QFrame()
        self.address = QLabel()
        self.headline = QLabel()
        self.text = QLabel()
        self.setAccessibleName(self.tr("Search result preview"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._set_up_widgets()
        self._sheet = self._page()
        self.setWidget(self._sheet)
        self.title.textChanged.connect(self._keep_edit)
        self.description.textChanged.connect(self._keep_edit)
        self.reset_button.clicked.connect(self._reset)
        self.export_button.clicked.connect(self.export_wanted)
        self._fill()

    def use_settings(self, settings: CrawlSettings) -> None:
        """Use the thresholds of these settings."""
        if settings != self._settings:
            self._settings = settings
            self._show()

    def use_device(self, device: Device) -> None:
        """Show the result as on another device."""
        self._device = device
        self._show()

    def show_record(self, record: UrlRecord | None) -> None:
        """Show a page, or none."""
        before, self._record = self._record, record
        if _shown(before) != _shown(record):
            self._fill()

    def edited(self) -> list[EditedSnippet]:
        """The edited snippets."""
        return list(self._edits.values())

    def forget_edits(self) -> None:
        """Forget all edits before another project is shown."""
        self._edits.clear()
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the preview beside the fields, or above them if there is no room."""
        super().resizeEvent(event)
        roomy = event.size().width() >= _ROOMY
        direction = QBoxLayout.Direction
        self._both.setDirection(direction.LeftToRight if roomy else direction.BottomToTop)

    def _reset(self) -> None:
        if self._record is not None:
            self._edits.pop(self._record.url, None)
        self._fill()

    def _fill(self) -> None:
        """Show title and description as edited, or else as they are in the page."""
        _, title, description = _shown(self._record)
        edit = None if self._record is None else self._edits.get(self._record.url)
        if edit is not None:
            title, description = edit.title, edit.description
        for field in (self.title, self.description):
            field.blockSignals(True)
        self.title.setText(title)
        self.title.setCursorPosition(0)
        self.description.setPlainText(description)
        for field in (self.title, self.description):
            field.blockSignals(False)
        self._show()

    def _keep_edit(self) -> None:
        if self._record is not None:
            url = self._record.url
            _, *originals = _shown(self._record)
            typed = self._typed()
            self._edits.pop(url, None)
            if typed != tuple(" ".join(text.split()) for text in originals):
                self._edits[url] = EditedSnippet(url, *typed, *originals)
            while len(self._edits) > _MAX_EDITS:
                del self._edits[next(iter(self._edits))]
        self._show()

    def _typed(self) -> tuple[str, str]:
        """Title and description with white space as browsers and search engines read it."""
        title, description = self.title.text(), self.description.toPlainText()
        return " ".join(title.split()), " ".join(description.split())

    def _show(self) -> None:
        address, *texts = _shown(self._record)
        title, description = map(formatting.clean, self._typed())
        limits = (title_limits(self._settings), description_limits(self._settings))
        self.title_measure.show_measure(title, limits[0])
        self.description_measure.show_measure(description, limits[1])
        self.reset_button.setEnabled([title, description] != [" ".join(t.split()) for t in texts])
        self.export_button.setText(self.tr("Export %Ln edited page(s)…", "", len(self._edits)))
        self.export_button.setVisible(bool(self._edits))
        device, inner = self._device, self._device.width - 2 * _MARGIN
        if device is DESKTOP:
            headline = cut_to(title, TITLE_PIXELS, limits[0].pixels[1])
            text = cut_to(description, DESCRIPTION_PIXELS, limits[1].pixels[1])
        else:
            headline = cut_to_lines(title, TITLE_PIXELS, inner, device.title_lines)
            text = cut_to_lines(description, DESCRIPTION_PIXELS, inner, device.description_lines)
        self.card.setFixedWidth(device.width)
        self.address.setText(cut_to(formatting.clean(_breadcrumb(address)), 12, inner))
        self.headline.setText(headline or address)
        self.text.setText(text)
        self.text.setVisible(bool(description))
        self._sheet.setEnabled(self._record is not None)

    def _set_up_widgets(self) -> None:
        self.card.setObjectName("snippet")
        for label, pixels, role in (
            (self.address, 12, "muted"),
            (self.headline, TITLE_PIXELS, "accent"),
            (self.text, DESCRIPTION_PIXELS, "text"),
        ):
            font = label.font()
            font.setFamilies(["Arial", "Liberation Sans", "Helvetica", *font.families()])
            font.setPixelSize(pixels)
            label.setFont(font)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setProperty("role", role)
        self.description.setMaximumHeight(72)
        self.description.setTabChangesFocus(True)

    def _page(self) -> QWidget:
        page = QWidget()
        form = QGridLayout()
        form.setVerticalSpacing(theme.SPACE_XS)
        for row, (name, field, measure) in enumerate(
            (
                (self.tr("Title"), self.title, self.title_measure),
                (self.tr("Description"), self.description, self.description_measure),
            )
        ):
            top = Qt.AlignmentFlag.AlignTop
            label = buddy(name, field)
            label.setContentsMargins(0, theme.SPACE_XS, 0, 0)
            form.addWidget(label, 2 * row, 0, top)
            form.addWidget(field, 2 * row, 1)
            form.addWidget(measure, 2 * row + 1, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        buttons.addWidget(self.reset_button)
        buttons.addWidget(self.export_button)
        buttons.addStretch(1)
        form.addLayout(buttons, 4, 1)
        form.setRowStretch(5, 1)
        form.setColumnStretch(1, 1)
        card = QVBoxLayout(self.card)
        card.setContentsMargins(_MARGIN, theme.SPACE_M, _MARGIN, theme.SPACE_M)
        card.setSpacing(theme.SPACE_XS)
        for label in (self.address, self.headline, self.text):
            card.addWidget(label)
        side = QVBoxLayout()
        side.addLayout(self._devices())
        side.addWidget(self.card)
        side.addStretch(1)
        both = self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, page)
        both.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_M, theme.SPACE_S)
        both.setSpacing(theme.SPACE_L)
        both.addLayout(form, 1)
        both.addLayout(side)
        return page

    def _devices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(0)
        switch = QFrame()
        switch.setObjectName("root-switch")
        inner = QHBoxLayout(switch)
        inner.setContentsMargins(2, 2, 2, 2)
        inner.setSpacing(0)
        group = QButtonGroup(self)
        for name, device in ((self.tr("Desktop"), DESKTOP), (self.tr("Mobile"), MOBILE)):
            button = QToolButton()
            button.setText(name)
            button.setCheckable(True)
            button.setChecked(device is DESKTOP)
            button.setProperty("segment", True)
            button.clicked.connect(lambda _on, device=device: self.use_device(device))
            group.addButton(button)
            inner.addWidget(button)
        switch.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row.addWidget(switch)
        row.addStretch(1)
        return row


def _shown(record: UrlRecord | None) -> tuple[str, str, str]:
    """Address, title and description."""
    if record is None:
        return "", "", ""
    return display_url(record.url), record.title or "", record.description or ""


def _breadcrumb(address: str) -> str:
    """An address in the format of search results."""
    scheme, found, rest = address.partition("://")
    if not found:
        return address
    host, *folders = [part for part in rest.split("/") if part]
    return " › ".join((f"{scheme}://{host}", *folders))
