"""What a crawl left out at the trap limit: how much, an example, and the way on."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from gossamer.audit.trap_limit import TrapReport, left_out
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text.sentences import spoken
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn

_SUBJECT = "trap limit"


class TrapLimit(QObject):
    """Says so when a crawl has come to its end; `go_on` is called to raise the limit."""

    def __init__(
        self, reader: ProjectReader, messages: MessageColumn, go_on: Callable[[], None]
    ) -> None:
        super().__init__(messages)
        self._reader = reader
        self._messages = messages
        self._go_on = go_on

    def look(self) -> None:
        """Tell of what the crawl shown left out, if anything."""
        self._reader.submit(left_out, self._show, key=_SUBJECT)

    def withdraw(self) -> None:
        """Take back what was said: the crawl goes on, or another one is shown."""
        self._reader.forget(_SUBJECT)
        self._messages.withdraw(_SUBJECT)

    def _show(self, found: TrapReport | None) -> None:
        if found is not None:
            go_on = MessageButton(self.tr("Go on: raise the limit"), self._go_on)
            self._messages.tell(_SUBJECT, "warning", spoken(found.sentence), go_on)
