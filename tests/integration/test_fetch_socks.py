"""Proxies that speak SOCKS, and proxies behind TLS: real ones, on loopback."""

import asyncio
import socket
import ssl
from typing import Any

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.integration.fetching import (
    LOOPS,
    PAGE,
    TLS_FOLDER,
    Loop,
    NameServer,
    ScriptedServer,
    assert_failed,
    run,
    trusting,
    visit,
)
from tests.sites import Site
from tests.sites.proxies import LoopbackProxy, Relayed
from tests.sites.refused import refusing_port

PUBLIC = ("https://93.184.216.34/",)
NAMES = {"site_example": [["127.0.0.1"]]}
HERE, THERE = ["socks4", "socks5"], ["socks4a", "socks5h"]
"""Who looks up names."""


def names() -> NameServer:
    return NameServer(**NAMES)


def served_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS_FOLDER / "localhost.pem", TLS_FOLDER / "key.pem")
    return context


def through(scheme: str, proxy: LoopbackProxy, url: str, who: str = "", **options: Any) -> Visit:
    return visit(url, proxy=f"{scheme}://{who}127.0.0.1:{proxy.port}", **options)


@pytest.mark.parametrize("scheme", HERE)
@pytest.mark.parametrize("loop_factory", LOOPS)
def test_socks4_and_socks5_resolve_names_locally(
    site: Site, scheme: str, loop_factory: Loop
) -> None:
    site.page("/a")
    url = f"http://site.example:{site.port}/a"
    with LoopbackProxy() as proxy:
        seen = through(
            scheme, proxy, url, roots=(url,), resolver=names(), loop_factory=loop_factory
        )
    assert seen.outcome is Outcome.PAGE
    assert proxy.relayed == [Relayed("127.0.0.1", site.port)]
    assert site.requests[0].header("Host") == f"site.example:{site.port}"


@pytest.mark.parametrize("scheme", THERE)
@pytest.mark.parametrize("loop_factory", LOOPS)
def test_socks4a_and_socks5h_resolve_names_on_the_proxy(
    site: Site, scheme: str, loop_factory: Loop
) -> None:
    site.page("/a")
    resolver = NameServer()
    with LoopbackProxy() as proxy:
        seen = through(
            scheme,
            proxy,
            f"http://site.example:{site.port}/a",
            roots=PUBLIC,
            resolver=resolver,
            loop_factory=loop_factory,
        )
    assert seen.outcome is Outcome.PAGE
    assert proxy.relayed == [Relayed("site.example", site.port)]
    assert resolver.asked == []


@pytest.mark.parametrize("scheme", [*HERE, *THERE, "http"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "[::1]"])
def test_private_addresses_are_not_sent_to_a_proxy_by_a_public_crawl(
    scheme: str, host: str
) -> None:
    with LoopbackProxy() as proxy:
        seen = through(scheme, proxy, f"http://{host}:1/", roots=PUBLIC)
    assert_failed(seen, Outcome.FORBIDDEN_ADDRESS, transient=False)
    assert proxy.relayed == []


@pytest.mark.parametrize("scheme", HERE)
def test_names_of_private_addresses_are_not_sent_to_a_socks_proxy(scheme: str) -> None:
    inside = NameServer(inside_example=[["10.0.0.1"]])
    with LoopbackProxy() as proxy:
        seen = through(scheme, proxy, "http://inside.example/", roots=PUBLIC, resolver=inside)
    assert_failed(seen, Outcome.FORBIDDEN_ADDRESS, transient=False)
    assert proxy.relayed == []


@pytest.mark.parametrize("scheme", [*HERE, *THERE, "http", "https"])
@pytest.mark.parametrize("loop_factory", LOOPS)
def test_tls_to_the_server_through_every_kind_of_proxy(scheme: str, loop_factory: Loop) -> None:
    with (
        ScriptedServer([[PAGE]], "localhost.pem") as server,
        LoopbackProxy(tls=served_tls() if scheme == "https" else None) as proxy,
    ):
        port = server.port
        seen = through(
            scheme,
            proxy,
            server.url("/a", scheme="https"),
            tls=trusting("localhost.pem"),
            loop_factory=loop_factory,
        )
    assert (seen.outcome, seen.detail) == (Outcome.PAGE, None)
    assert [each.port for each in proxy.relayed] == [port]
    assert server.requests[0].startswith(b"GET /a HTTP/1.1\r\n")


@pytest.mark.parametrize("scheme", ["socks5", "http"])
def test_a_bad_certificate_behind_a_proxy_can_be_accepted(scheme: str) -> None:
    with ScriptedServer([[PAGE], [PAGE]], "expired.pem") as server, LoopbackProxy() as proxy:
        seen = through(
            scheme,
            proxy,
            server.url("/a", scheme="https"),
            tls=trusting("expired.pem"),
            insecure_hosts=(f"127.0.0.1:{server.port}",),
        )
    assert (seen.outcome, str(seen.detail)) == (Outcome.PAGE, "certificate has expired")


def test_http_through_a_proxy_behind_tls(site: Site) -> None:
    site.page("/a")
    with LoopbackProxy(tls=served_tls()) as proxy:
        seen = through("https", proxy, site.url("/a"), tls=trusting("localhost.pem"))
    assert seen.outcome is Outcome.PAGE
    assert site.paths == ["/a"]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("is_trusted", [False, True])
def test_a_proxy_with_a_bad_certificate_is_refused(
    site: Site, scheme: str, *, is_trusted: bool
) -> None:
    """What a proxy is told is not for strangers: the setting is about servers."""
    with LoopbackProxy(tls=served_tls()) as proxy:
        servers = (f"127.0.0.1:{site.port}", f"127.0.0.1:{proxy.port}")
        seen = through(
            "https",
            proxy,
            f"{scheme}://127.0.0.1:{site.port}/",
            tls=trusting("other-host.pem"),
            insecure_hosts=servers if is_trusted else (),
        )
    assert_failed(seen, Outcome.PROXY_FAILURE, transient=False)
    assert str(seen.detail).startswith("the proxy: ")
    assert (proxy.relayed, site.connections) == ([], [])


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
def test_the_password_of_a_socks_proxy(site: Site, scheme: str) -> None:
    site.page("/a")
    with LoopbackProxy(credentials=("jo", "p@ss")) as proxy:
        right = through(scheme, proxy, site.url("/a"), "jo:p%40ss@")
        wrong = through(scheme, proxy, site.url("/a"), "jo:guess@")
        none = through(scheme, proxy, site.url("/a"))
    assert right.outcome is Outcome.PAGE
    assert proxy.relayed == [Relayed("127.0.0.1", site.port, "jo", "p@ss")]
    for refused in (wrong, none):
        assert_failed(refused, Outcome.PROXY_FAILURE, transient=False)
        assert str(refused.detail).startswith("the proxy: ")
        assert "guess" not in str(refused.detail)
    headers = {name.lower() for name, _ in site.requests[0].headers}
    assert not headers & {"authorization", "proxy-authorization"}


def test_the_name_of_a_socks4_client(site: Site) -> None:
    site.page("/a")
    with LoopbackProxy(credentials=("jo", "")) as proxy:
        right = through("socks4", proxy, site.url("/a"), "jo@")
        wrong = through("socks4", proxy, site.url("/a"))
    assert right.outcome is Outcome.PAGE
    assert_failed(wrong, Outcome.CONNECTION_FAILED, transient=True)


@pytest.mark.parametrize("target", ["http", "https"])
def test_the_password_of_an_http_proxy_can_stand_in_its_address(site: Site, target: str) -> None:
    site.page("/a")
    url = f"{target}://127.0.0.1:{site.port}/a"
    with LoopbackProxy(credentials=("jo", "pw")) as proxy:
        through("http", proxy, url, "jo:pw@", timeout_s=1.0)
    [relayed] = proxy.relayed
    assert relayed.user == "Proxy-Authorization: Basic am86cHc="


@pytest.mark.parametrize(
    ("reply", "outcome", "transient"),
    [
        (1, Outcome.CONNECTION_FAILED, True),
        (2, Outcome.PROXY_FAILURE, False),
        (4, Outcome.CONNECTION_FAILED, True),
        (5, Outcome.CONNECTION_REFUSED, True),
        (8, Outcome.PROXY_FAILURE, False),
        (99, Outcome.PROXY_FAILURE, False),
    ],
)
def test_errors_reported_by_a_socks_proxy(reply: int, outcome: Outcome, *, transient: bool) -> None:
    with LoopbackProxy(reply=reply) as proxy:
        seen = through("socks5h", proxy, "http://example.com/", roots=PUBLIC)
    assert_failed(seen, outcome, transient=transient)
    assert str(seen.detail).startswith("the proxy: ")


@pytest.mark.parametrize("scheme", [*HERE, *THERE, "http", "https"])
def test_an_unreachable_proxy(scheme: str) -> None:
    with refusing_port() as port:
        seen = visit(
            "https://example.com/",
            roots=PUBLIC,
            proxy=f"{scheme}://127.0.0.1:{port}",
            resolver=NameServer(example_com=[["93.184.216.34"]]),
        )
    assert_failed(seen, Outcome.PROXY_FAILURE, transient=True)
    assert str(seen.detail).startswith("the proxy: ")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_unknown_proxy_host_is_not_blamed_on_the_server(scheme: str) -> None:
    proxy = f"{scheme}://gone.example:1"
    seen = visit("http://example.com/", roots=PUBLIC, proxy=proxy, resolver=NameServer())
    assert_failed(seen, Outcome.PROXY_FAILURE, transient=False)


@pytest.mark.parametrize("answer", [None, b"\5", b"\5\0\5", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_a_socks_proxy_that_disconnects_or_speaks_another_protocol(answer: bytes | None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10.0)

        def answering() -> None:
            sock, _ = listener.accept()
            with sock:
                if answer is not None:
                    sock.recv(1024)
                    sock.sendall(answer)

        async def act(fetcher: HttpFetcher) -> Visit:
            async with asyncio.TaskGroup() as group:
                fetch = group.create_task(fetcher.fetch("http://example.com/"))
                await asyncio.to_thread(answering)
            return fetch.result()

        seen = run(act, roots=PUBLIC, proxy=f"socks5h://127.0.0.1:{listener.getsockname()[1]}")
    assert seen.outcome is Outcome.PROXY_FAILURE
    assert str(seen.detail).startswith("the proxy: ")


@pytest.mark.parametrize("loop_factory", LOOPS)
@pytest.mark.parametrize("scheme", ["socks5h", "socks4"])
def test_a_socks_proxy_that_never_answers_times_out(scheme: str, loop_factory: Loop) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        seen = visit(
            "http://93.184.216.34/",
            roots=PUBLIC,
            proxy=f"{scheme}://127.0.0.1:{listener.getsockname()[1]}",
            timeout_s=0.3,
            loop_factory=loop_factory,
        )
        sock, _ = listener.accept()
        with sock:
            sock.settimeout(10.0)
            while sock.recv(1024):
                pass  # up to the end: the socket was closed
    assert_failed(seen, Outcome.TIMEOUT, transient=True)
