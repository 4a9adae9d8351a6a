"""Keeps the certificates that https servers have shown until they are taken."""

import logging
import ssl
from asyncio import BaseTransport
from typing import Final

from gossamer.fetch.connector import Endpoint
from gossamer.fetch.x509_reader import read_certificate
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.outcome_details import Detail
from gossamer.model.server_certificate import ServerCertificate

MAX_ORIGINS: Final = 10_000
_log = logging.getLogger(__name__)


class ServerCertificates:
    """The certificates of the servers of one process, each once.

    One that an origin shows again on another connection costs a comparison.
    """

    def __init__(self) -> None:
        self._seen: dict[str, bytes] = {}
        """The last one of each origin."""
        self._new: list[ServerCertificate] = []
        self._refused: dict[str, None] = {}
        """Origins whose certificate was refused."""
        self._unread: list[tuple[str, Endpoint]] = []
        """Those whose certificates have not been read yet."""

    def note_refused(self, origin: str, unchecked: Endpoint) -> None:
        """Note that an origin's certificate was refused; it can be read at `unchecked`."""
        if origin in self._seen or origin in self._refused:
            return
        if len(self._refused) >= MAX_ORIGINS:
            drop_oldest(self._refused)
        self._refused[origin] = None
        self._unread.append((origin, unchecked))

    def take_refused(self) -> list[tuple[str, Endpoint]]:
        """Take the endpoints with refused certificates that were not read yet; each origin once."""
        if not self._unread:
            return []
        taken, self._unread = self._unread, []
        return taken

    def note(
        self, origin: str, transport: BaseTransport | None, detail: Detail | None = None
    ) -> None:
        """Read the certificate of a new connection to `origin`; `detail` is its flaw, if any."""
        socket = transport.get_extra_info("ssl_object") if transport is not None else None
        if not isinstance(socket, ssl.SSLObject | ssl.SSLSocket):
            return
        der = socket.getpeercert(binary_form=True)
        if not der or self._seen.get(origin) == der:
            return
        if origin not in self._seen and len(self._seen) >= MAX_ORIGINS:
            drop_oldest(self._seen)
        self._seen[origin] = der
        try:
            read = read_certificate(der)
        except ValueError:  # OpenSSL could read it: then it is not worth more than a note
            _log.info("certificate not understood", extra={"origin": origin})
            return
        self._new.append(ServerCertificate(origin, CLOCK.now(), *read, detail))

    def take(self) -> list[ServerCertificate]:
        """Take the certificates noted since the last call."""
        if not self._new:
            return []
        taken, self._new = self._new, []
        return taken
