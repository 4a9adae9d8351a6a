"""The system's nginx on loopback, serving a folder as a public web server would.

The listening socket is made here and handed to nginx the way a running nginx hands its sockets
to the next binary (the ``NGINX`` environment variable): the port is never free for anybody
else in between, and a client may connect before nginx has read its configuration.
"""

import os
import shutil
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S

_CONFIGURATION = """\
daemon off;
worker_processes 1;
{user}
pid {tmp}/nginx.pid;
error_log {tmp}/error.log info;
events {{ worker_connections 4096; }}
http {{
  log_format requests '$status\t$request_method\t$sent_http_content_type\t$request_uri';
  access_log {access_log};
  client_body_temp_path {tmp}/body;
  proxy_temp_path {tmp}/proxy;
  fastcgi_temp_path {tmp}/fastcgi;
  uwsgi_temp_path {tmp}/uwsgi;
  scgi_temp_path {tmp}/scgi;
  types {{ text/html html htm shtml; text/css css; image/svg+xml svg; image/png png;
           image/gif gif; application/javascript js; text/plain txt; }}
  default_type application/octet-stream;
  keepalive_requests 1000000;
  sendfile on;
  tcp_nodelay on;
  server {{
    listen 127.0.0.1:{port};
    root "{root}";
    index index.html;
  }}
}}
"""


def find_nginx() -> str | None:
    """Where nginx is installed, also when its folder is not on an ordinary user's PATH."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


class Nginx:
    """A child nginx serving `root`; `tmp` takes its configuration, log and pid file.

    With `access_log`, that file has one line per request once nginx has stopped: status, method,
    content type and request target, with tabs between.
    """

    def __init__(
        self, program: str, root: Path, tmp: Path, *, access_log: Path | None = None
    ) -> None:
        self._program = program
        self._access_log = "off" if access_log is None else f"{access_log} requests buffer=64k"
        self._root = root
        self._tmp = tmp
        self._child: subprocess.Popen[bytes] | None = None
        self._port = 0

    def url(self, path: str = "/") -> str:
        """The absolute URL of a path."""
        return f"http://127.0.0.1:{self._port}{path}"

    def __enter__(self) -> Self:
        """Start nginx and see it answer. Raises RuntimeError with nginx's own words."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(511)
            listener.settimeout(0)  # non-blocking, as nginx expects it of inherited sockets
            self._port = listener.getsockname()[1]
            self._child = self._start(listener.fileno())
        try:
            with socket.create_connection(("127.0.0.1", self._port), PATIENCE_S) as client:
                client.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
                answered = client.recv(8) == b"HTTP/1.1"
        except OSError:
            answered = False
        if not answered:
            self._stop()
            raise RuntimeError(f"nginx did not start:\n{self._log()}")
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop nginx, cutting what it is sending."""
        self._stop()

    def _start(self, listener: int) -> subprocess.Popen[bytes]:
        configuration = self._tmp / "nginx.conf"
        # Workers of a root's nginx become `nobody`, who may not read a test's temporary folder.
        user = "user root;" if os.geteuid() == 0 else ""
        configuration.write_text(
            _CONFIGURATION.format(
                tmp=self._tmp,
                port=self._port,
                root=self._root,
                user=user,
                access_log=self._access_log,
            )
        )
        return subprocess.Popen(
            [self._program, "-c", str(configuration), "-e", str(self._tmp / "error.log")],
            env={**os.environ, "NGINX": f"{listener};"},
            pass_fds=[listener],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _stop(self) -> None:
        if self._child is not None:
            self._child.terminate()
            self._child.wait(PATIENCE_S)

    def _log(self) -> str:
        log = self._tmp / "error.log"
        return log.read_text() if log.exists() else "(no log)"
