"""What the next crawl starts from: a site, or a list of addresses. Shown wherever that is typed."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from gossamer.urls.url_list import AddressList, AddressListReader

_TYPED: Final = 5
"""So many addresses stand in the field for one."""
_SLICE: Final = 300
"""Words of a list read between two looks at what else there is to do: some 3 ms."""


class Roots(QObject):
    """Whether a list is crawled, what is in it, and what is to be done with it.

    `changed` says that one of these is another. `found` is empty as long as the list is `reading`.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_list = False
        self.only = True
        """Of a list: fetch just these addresses, follow no links."""
        self.text = ""
        self.found = AddressList()
        self._reader: AddressListReader | None = None
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._read_on)

    @property
    def reading(self) -> bool:
        """Whether the list has not been read to its end."""
        return self._reader is not None

    def choose(self, *, is_list: bool) -> None:
        """Turn to the list, or to a site."""
        if is_list != self.is_list:
            self.is_list = is_list
            self.changed.emit()

    def follow_links(self, *, follow: bool) -> None:
        """Crawl from the addresses of the list, or fetch only these."""
        if follow is self.only:
            self.only = not follow
            self.changed.emit()

    def take(self, text: str) -> None:
        """Take `text` as the list, and read what is in it."""
        if text == self.text:
            return
        self.text = text
        self.found = AddressList()
        self._reader = AddressListReader(text)
        self.changed.emit()
        self._read_on()

    def take_over(self, other: "Roots") -> None:
        """Show what `other` shows."""
        self.is_list, self.only = other.is_list, other.only
        self.take(other.text)
        self.changed.emit()

    def show(self, roots: Sequence[str], *, only: bool) -> None:
        """Show what a crawl started from: few addresses as they are typed into a field."""
        was_list = self.is_list and self.found.addresses == tuple(roots)
        self.is_list = only or was_list or len(roots) > _TYPED
        if self.is_list:
            self.only = only
            # They were read when the crawl was made, and may be very many.
            self._stop()
            self.text, self.found = "\n".join(roots), AddressList(tuple(roots))
        self.changed.emit()

    def _read_on(self) -> None:
        reader = self._reader
        if reader is None:
            return
        if reader.read(_SLICE):
            self._next.start()
            return
        self._stop()
        self.found = reader.found
        self.changed.emit()

    def _stop(self) -> None:
        self._next.stop()
        self._reader = None
