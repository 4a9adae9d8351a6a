"""Whether there is a newer version: asked of a server on loopback, friendly and hostile."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import pytest

from gossamer import __version__
from gossamer.cli.parsed_commands import UpdatesCommand
from gossamer.cli.update_command import show_updates
from gossamer.model.errors import UpdateCheckError, UsageError
from gossamer.model.releases import LARGEST_LIST, RELEASES_URL, is_newer, releases_source
from gossamer.session.update_check import check_for_updates
from gossamer.session.update_report import UpdateReport
from tests.patience import PATIENCE_S
from tests.sites.refused import refusing_port


class ReleaseServer:
    """Answers every connection with the same bytes, and keeps what it was sent."""

    def __init__(self) -> None:
        self.answer = b""
        self.requests: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def url(self) -> str:
        return f"{self.host}/releases.json"

    def tell(self, content: object, status: str = "200 OK", headers: str = "") -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        head = f"HTTP/1.1 {status}\r\n{headers}Connection: close\r\n\r\n"
        self.answer = head.encode() + body

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection, suppress(OSError):
                    self.requests.append(connection.recv(65_536))
                    connection.sendall(self.answer)


@pytest.fixture
def server() -> Iterator[ReleaseServer]:
    with ReleaseServer() as started:
        yield started


def report(server: ReleaseServer, version: str = "1.2.0", **options: Any) -> UpdateReport:
    return asyncio.run(check_for_updates(server.url, version=version, **options))


def release(server: ReleaseServer, latest: str, **more: object) -> dict[str, object]:
    return {"format": 1, "latest": latest, "page": f"{server.host}/download", **more}


@pytest.mark.parametrize(
    ("version", "latest", "expected"),
    [
        ("1.2.0", "1.2.1", True),
        ("1.9.0", "1.10.0", True),
        ("1.2.0", "1.2", False),
        ("1.2", "1.2.0.0", False),
        ("2.0.0", "1.9.9", False),  # an old list, or one that would lead back to holes
        ("0.1.0", "1", True),
    ],
)
def test_a_release_is_told_of_if_it_is_newer(
    server: ReleaseServer, version: str, latest: str, expected: bool
) -> None:
    server.tell(release(server, latest, news="whatever comes later"))
    found = report(server, version)
    assert (found.is_newer, found.latest) == (expected, latest)
    assert is_newer(latest, version) is expected


def test_nothing_but_the_version_is_sent(
    server: ReleaseServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server.tell(release(server, "9.0"), headers="Set-Cookie: id=1; Path=/\r\n")
    report(server)
    report(server)
    for request in server.requests:
        first, *headers = request.decode().rstrip().split("\r\n")
        assert first == "GET /releases.json HTTP/1.1"
        assert sorted(headers) == [
            "Accept-Encoding: identity",
            "Accept: application/json",
            f"Host: {server.host.removeprefix('http://')}",
            f"User-Agent: Gossamer/{__version__}",
        ]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>login</html>",
        b"\xff\xfe",
        b'{"latest": "9.0"}',
        b'{"latest": 9, "page": "PAGE"}',
        b'{"latest": "9.0; rm -rf", "page": "PAGE"}',
        b'{"latest": "99999999999999999999", "page": "PAGE"}',
        b'{"latest": "\\u0669.\\u0660", "page": "PAGE"}',  # digits of another script
        b'{"latest": "9.0", "page": "https://elsewhere.example/"}',
        b'{"latest": "9.0", "page": "javascript:alert(1)"}',
        b'{"latest": "9.0", "page": "file:///etc/passwd"}',
        b'{"latest": "9.0", "page": "PAGE\\u001b[2J"}',
        b'{"format": 2, "latest": "9.0", "page": "PAGE"}',
        b"[" * 60_000,
    ],
)
def test_what_is_no_list_of_releases_is_refused(server: ReleaseServer, content: bytes) -> None:
    server.tell(content.replace(b"PAGE", f"{server.host}/x".encode()))
    with pytest.raises(UpdateCheckError, match="cannot be read"):
        report(server)


def test_a_list_without_end_is_not_read_to_its_end(server: ReleaseServer) -> None:
    server.tell(b" " * (LARGEST_LIST + 1))
    with pytest.raises(UpdateCheckError, match="too large"):
        report(server)


@pytest.mark.parametrize("status", ["301 Moved", "404 Not Found", "500 Oops", "204 None"])
def test_redirects_and_errors_are_no_answers(server: ReleaseServer, status: str) -> None:
    server.tell(b"", status, headers=f"Location: {server.url}\r\n")
    with pytest.raises(UpdateCheckError, match=f"status {status[:3]}"):
        report(server)
    assert len(server.requests) == 1


def test_a_server_that_says_nothing_or_nonsense_or_is_not_there(server: ReleaseServer) -> None:
    server.answer = b"SSH-2.0-OpenSSH\r\n\r\n"
    with pytest.raises(UpdateCheckError, match="cannot be reached"):
        report(server)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(UpdateCheckError, match=r"within 0\.1 s"):
            asyncio.run(check_for_updates(url, limit_s=0.1))
    with refusing_port() as port, pytest.raises(UpdateCheckError, match="cannot be reached"):
        asyncio.run(check_for_updates(f"http://127.0.0.1:{port}/"))


def test_the_command_prints_what_it_found(
    server: ReleaseServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOSSAMER_RELEASES", server.url)
    server.tell(release(server, "999.0"))
    assert show_updates(UpdatesCommand()) == 0
    told = f"Gossamer 999.0 is available (this is {__version__}): {server.host}/download\n"
    assert capsys.readouterr().out == told
    assert show_updates(UpdatesCommand(json=True)) == 0
    assert json.loads(capsys.readouterr().out)["is_newer"] is True
    server.tell(release(server, __version__))
    assert show_updates(UpdatesCommand()) == 0
    assert capsys.readouterr().out == f"Gossamer {__version__} is the latest version.\n"


def test_a_package_can_turn_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert releases_source({}) == RELEASES_URL
    monkeypatch.setenv("GOSSAMER_RELEASES", "")
    with pytest.raises(UsageError, match="GOSSAMER_RELEASES is set and names none"):
        asyncio.run(check_for_updates())
