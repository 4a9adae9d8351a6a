"""Serves the demo site on a loopback address, with only the standard library."""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any

from gossamer.demo.page_folder import page_in
from gossamer.demo.site import DemoResponse, DemoSite, build_site
from gossamer.model.errors import UsageError

HOST = "127.0.0.1"
_FAREWELL_S = 2.0


@contextmanager
def serve(port: int = 0, folder: Path | None = None) -> Iterator[str]:
    """Serve the site from threads while the block runs; yields its origin, without a slash.

    Files in `folder` replace its pages. Port 0 means any free one. Leaving the block cuts every
    connection at once, also those that wait for a slow page. Raises UsageError if the port is not
    available.
    """
    with _listening(port, folder) as server:
        thread = threading.Thread(
            target=server.serve_forever, args=(0.05,), name="demo site", daemon=True
        )
        thread.start()
        try:
            yield server.site.origin
        finally:
            server.shutdown()
            server.cut_connections()
            thread.join(_FAREWELL_S)


def serve_forever(
    port: int = 0,
    *,
    announce: Callable[[str], object],
    until: Callable[[], object] | None = None,
    folder: Path | None = None,
) -> None:
    """Serve the site, pass its origin to `announce`, and block until `until()` returns.

    Without `until` it blocks until KeyboardInterrupt, which propagates.
    """
    with serve(port, folder) as origin:
        announce(origin)
        if until is not None:
            until()
            return
        # In slices: on Windows a wait without a timeout cannot be interrupted from the keyboard.
        forever = threading.Event()
        while not forever.wait(0.5):
            continue


def _listening(port: int, folder: Path | None) -> "_Server":
    try:
        return _Server(port, folder)
    except (OSError, OverflowError) as problem:
        raise UsageError(
            f"The demo site cannot use port {port}; choose another one, or 0 for any."
        ) from problem


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 1024
    # On Windows "reuse" would let two servers share one port.
    allow_reuse_address = os.name == "posix"

    def __init__(self, port: int, folder: Path | None) -> None:
        self._folder = folder
        self.stopping = threading.Event()
        self._changed = threading.Condition()
        self._connections: set[socket.socket] = set()
        super().__init__((HOST, port), _Handler)
        self.site: DemoSite = build_site(f"http://{HOST}:{self.server_port}")

    def respond(self, target: str) -> DemoResponse:
        """The response to a request target."""
        mended = page_in(self._folder, target) if self._folder else None
        return mended or self.site.respond(target)

    def server_bind(self) -> None:
        """Bind without the look-up of the host's own name that HTTPServer would do."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.socket.getsockname()[1]

    def process_request_thread(
        self,
        request: Any,  # noqa: ANN401 - as the base class has it
        client_address: Any,  # noqa: ANN401 - as the base class has it
    ) -> None:
        """Handle one connection, which is registered while it lasts so that it can be cut."""
        with self._changed:
            self._connections.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._changed:
                self._connections.discard(request)
                self._changed.notify_all()

    def cut_connections(self) -> None:
        """End all connections now and wait (a bounded time) until their threads are done."""
        self.stopping.set()
        with self._changed:
            for connection in self._connections:
                # It may have ended by itself at this moment.
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._connections, _FAREWELL_S)

    def handle_error(
        self,
        request: Any,  # noqa: ANN401 - as the base class has it
        client_address: Any,  # noqa: ANN401 - as the base class has it
    ) -> None:
        """Stay quiet about clients that go away; anything else is a bug and printed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "Gossamer-demo"
    sys_version = ""
    disable_nagle_algorithm = True
    # Headers and body leave in one packet.
    wbufsize = 1 << 16

    def do_GET(self) -> None:
        self._respond(with_body=True)

    def do_HEAD(self) -> None:
        self._respond(with_body=False)

    def log_message(self, *_args: object) -> None:
        """Say nothing: the terminal belongs to the crawl."""

    def _respond(self, *, with_body: bool) -> None:
        response: DemoResponse = self.server.respond(self.path)
        if response.delay_s and self.server.stopping.wait(response.delay_s):
            self.close_connection = True
            return
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(response.body)
