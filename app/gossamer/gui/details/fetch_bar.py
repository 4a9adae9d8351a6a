"""The bar above views that fetch a page on request: a button and a line of text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.outcome_style import sentence
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import detail_words
from gossamer.model.messages.page_contents_messages import PageFetchOutcome


class FetchBar(QWidget):
    """`wanted` asks for the page; while it `is_waiting`, the button emits `stopped` instead."""

    wanted = Signal()
    stopped = Signal()

    def __init__(self, fetch: str, again: str, parent: QWidget | None = None) -> None:
        """`fetch` is the text of the button at first, `again` once there is a result."""
        super().__init__(parent)
        self._fetch, self._again = fetch, again
        self.is_waiting = False
        self.button = QToolButton()
        self.button.setProperty("raised", True)
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        self.row.setSpacing(theme.SPACE_S)
        self.row.addWidget(self.button)
        self.row.addWidget(self.state, 1)
        self.button.clicked.connect(self._click)
        self.show_state(can_fetch=False)

    def show_state(
        self, text: str = "", *, can_fetch: bool, is_waiting: bool = False, is_again: bool = False
    ) -> None:
        """Describe what is shown, and set the button."""
        self.is_waiting = is_waiting
        self.button.setEnabled(can_fetch)
        words = self._again if is_again else self._fetch
        self.button.setText(self.tr("Stop") if is_waiting else words)
        self.state.setText(text)
        self.state.setToolTip(formatting.tooltip(text))

    def _click(self) -> None:
        if self.is_waiting:
            self.stopped.emit()
        else:
            self.wanted.emit()


def reason_unread(fetched: PageFetchOutcome) -> str:
    """A sentence or two about why a page could not be read."""
    words = sentence(fetched.outcome, fetched.status)
    detail = formatting.clean(detail_words(fetched.detail))
    return f"{words}\n{detail}" if detail else words
