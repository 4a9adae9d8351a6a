"""Where a crawl never goes, and whom it never tells its secrets."""

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

import pytest
from aiohttp.abc import ResolveResult

from gossamer.fetch import HttpFetcher
from gossamer.fetch.http_client import HttpClient
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import Visit
from tests.integration.fetching import (
    LOOPS,
    PAGE,
    Loop,
    NameServer,
    ScriptedServer,
    TunnellingProxy,
    assert_failed,
    run,
    trusting,
    visit,
    visits,
)
from tests.sites import Site
from tests.sites.refused import refusing_port

PUBLIC = ("https://93.184.216.34/",)
"""Roots in public; nothing is ever asked there."""

# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1.2.3",
        "0.0.0.0",  # noqa: S104 - nothing is bound to it
        "localhost",
        "sub.localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "10.0.0.1",
        "169.254.169.254",
        "metadata.google.internal",
    ],
)
def test_a_public_crawl_connects_to_no_private_address(site: Site, host: str) -> None:
    site.page("/a")
    seen = visit(f"http://{host}:{site.port}/a", roots=PUBLIC, timeout_s=1.0)
    assert_failed(seen, Outcome.FORBIDDEN_ADDRESS, transient=False)
    assert site.connections == []


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_name_of_a_private_address_is_not_connected_to(site: Site, loop_factory: Loop) -> None:
    site.page("/a")
    names = NameServer(
        inside_example=[["127.0.0.1"]],
        mapped_example=[["::ffff:127.0.0.1"]],
        metadata_example=[["169.254.169.254"]],
    )
    seen = visits(
        [f"http://{name}.example:{site.port}/a" for name in ("inside", "mapped", "metadata")],
        roots=PUBLIC,
        resolver=names,
        loop_factory=loop_factory,
    )
    for each in seen:
        assert_failed(each, Outcome.FORBIDDEN_ADDRESS, transient=False)
    assert str(seen[0].detail) == "127.0.0.1 is a loopback address"
    assert site.connections == []


def test_only_allowed_addresses_of_a_dns_answer_are_tried(site: Site) -> None:
    site.page("/a")
    names = NameServer(mixed_example=[["10.255.255.1", "169.254.169.254", "127.0.0.1"]])
    seen = visit(f"http://mixed.example:{site.port}/a", resolver=names, timeout_s=2.0)
    assert seen.outcome is Outcome.PAGE


def test_a_private_root_allows_addresses_of_its_class_only(site: Site) -> None:
    site.page("/a")
    names = NameServer(dev_example=[["127.0.0.1"]], lan_example=[["192.168.0.1"]])
    seen = visits(
        [f"http://{host}:{site.port}/a" for host in ("127.0.0.1", "dev.example", "lan.example")],
        roots=(f"http://dev.example:{site.port}/",),
        resolver=names,
    )
    assert [each.outcome for each in seen] == [
        Outcome.PAGE,
        Outcome.PAGE,
        Outcome.FORBIDDEN_ADDRESS,
    ]
    assert names.asked == ["dev.example", "lan.example"]  # none is looked up a second time


def test_dns_rebinding_to_a_private_address_is_refused(site: Site) -> None:
    """DNS rebinding: the first answer, before anything else is asked, fixes the class."""
    site.page("/a")
    names = NameServer(
        rebind_example=[["93.184.216.34"], ["127.0.0.1"]], other_example=[["127.0.0.1"]]
    )

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        first = await fetcher.fetch(f"http://other.example:{site.port}/a")
        client = fetcher._client  # noqa: SLF001 - a minute passes
        assert isinstance(client, HttpClient)
        client._connector.clear_dns_cache()  # noqa: SLF001 - likewise
        return [first, await fetcher.fetch(f"http://rebind.example:{site.port}/a")]

    seen = run(act, roots=("http://rebind.example/",), resolver=names)
    assert {each.outcome for each in seen} == {Outcome.FORBIDDEN_ADDRESS}
    assert names.asked == ["rebind.example", "other.example", "rebind.example"]
    assert site.connections == []


def test_a_root_that_cannot_be_resolved_does_not_stop_the_crawl(site: Site) -> None:
    site.page("/a")
    roots = ("http://gone.example/", f"http://127.0.0.1:{site.port}/")
    seen = visits([site.url("/a"), "http://gone.example/"], roots=roots, resolver=NameServer())
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.DNS_FAILURE]


def test_a_name_server_that_never_answers_delays_the_first_fetch_a_little(site: Site) -> None:
    class Silent(NameServer):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            await asyncio.Event().wait()
            return await super().resolve(host, port, family)

    site.page("/a")
    roots = ("http://silent.example/", site.url("/"))
    urls = [site.url("/a"), "http://silent.example/", site.url("/a")]
    seen = visits(urls, roots=roots, resolver=Silent(), timeout_s=0.4)
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.TIMEOUT, Outcome.PAGE]


# ---------------------------------------------------------------- secrets

SECRETS: tuple[tuple[str, str], ...] = (
    ("Authorization", "Bearer s3cret"),
    ("Cookie", "id=s3cret"),
    ("Proxy-Authorization", "Basic s3cret"),
    ("X-Pass", "s3cret"),
)
PUBLIC_HEADERS = (("X-Harmless", "everywhere"),)


def headers_seen(site: Site) -> dict[str, str]:
    [request] = site.requests
    return dict(request.headers)


def test_secrets_are_sent_to_the_origins_of_the_roots_only(site: Site) -> None:
    with Site() as other:
        for each in (site, other):
            each.page("/a")
        visits(
            [site.url("/a"), other.url("/a")],
            roots=(site.url("/somewhere"),),
            headers=SECRETS,
            public_headers=PUBLIC_HEADERS,
        )
        at_home, abroad = headers_seen(site), headers_seen(other)
    assert tuple((name, at_home[name]) for name, _ in SECRETS) == SECRETS
    assert abroad["X-Harmless"] == "everywhere"
    assert "s3cret" not in str(abroad)


def test_another_name_for_the_same_server_is_another_origin(site: Site) -> None:
    site.page("/a")
    url = site.url("/a").replace("127.0.0.1", "localhost")
    visit(url, roots=(site.url("/"),), headers=SECRETS)
    assert "s3cret" not in str(headers_seen(site))


def test_credentials_of_a_root_are_sent_with_every_request_to_its_origin(site: Site) -> None:
    with Site() as other:
        site.page("/a")
        other.page("/a")
        root = site.url("/").replace("//", "//jo:p%40ss@")
        visits([site.url("/a"), other.url("/a")], roots=(root,))
        assert headers_seen(site)["Authorization"] == "Basic am86cEBzcw=="
        assert "Authorization" not in headers_seen(other)


@pytest.mark.parametrize(("scheme", "is_home"), [("https", True), ("http", False)])
def test_another_scheme_is_another_origin(scheme: str, *, is_home: bool) -> None:
    with ScriptedServer([[PAGE]], "localhost.pem") as server:
        visit(
            server.url(scheme="https"),
            roots=(server.url(scheme=scheme).replace("//", "//jo:s3cret@"),),
            headers=SECRETS,
            public_headers=PUBLIC_HEADERS,
            tls=trusting("localhost.pem"),
        )
    [request] = server.requests
    assert (b"s3cret" in request) is is_home
    assert (b"\r\nCookie: id=s3cret\r\n" in request) is is_home
    assert b"\r\nX-Harmless: everywhere\r\n" in request


def test_accept_language_is_sent(site: Site) -> None:
    site.page("/a")
    visit(site.url("/a"), accept_language="de, en;q=0.5")
    assert headers_seen(site)["Accept-Language"] == "de, en;q=0.5"


# ---------------------------------------------------------------- certificates

BAD_CERTIFICATES = {
    "localhost.pem": ("other-host.pem", "self-signed certificate"),
    "expired.pem": ("expired.pem", "certificate has expired"),
    "other-host.pem": ("other-host.pem", "certificate is not valid for '127.0.0.1'"),
}


@pytest.mark.parametrize("certificate", BAD_CERTIFICATES)
@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_bad_certificate_can_be_accepted(certificate: str, loop_factory: Loop) -> None:
    trusted, flaw = BAD_CERTIFICATES[certificate]
    # The first connection ends with the handshake; the others come without a second try.
    with ScriptedServer([[PAGE], [PAGE, PAGE], [PAGE]], certificate) as server:
        seen = visits(
            [server.url(path, scheme="https") for path in ("/1", "/2")],
            tls=trusting(trusted),
            insecure_hosts=(f"127.0.0.1:{server.port}",),
            loop_factory=loop_factory,
        )
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.PAGE]
    for each in seen:
        assert flaw in str(each.detail)
        assert each.warnings == (ResponseWarning.INVALID_CERTIFICATE,)
        assert "\n" not in str(each.detail)
    assert len(server.requests) == 2


def test_a_valid_certificate_adds_no_detail() -> None:
    with ScriptedServer([[PAGE]], "localhost.pem") as server:
        url = server.url(scheme="https")
        here = f"127.0.0.1:{server.port}"
        seen = visit(url, tls=trusting("localhost.pem"), insecure_hosts=(here,))
    assert (seen.outcome, seen.detail) == (Outcome.PAGE, None)


@pytest.mark.parametrize("named", ["127.0.0.1:1", "localhost:{port}", "127.0.0.1:443"])
def test_a_bad_certificate_is_accepted_for_one_server_only(named: str) -> None:
    """Neither to another port of the host nor to another name of it."""
    with ScriptedServer([[PAGE], [PAGE]], "expired.pem") as server:
        seen = visit(
            server.url(scheme="https"),
            tls=trusting("expired.pem"),
            insecure_hosts=(named.format(port=server.port),),
        )
    assert_failed(seen, Outcome.BAD_CERTIFICATE, transient=False)
    assert server.requests == []


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_trusting_one_server_does_not_trust_another(loop_factory: Loop) -> None:
    """Their connections and their TLS are apart, whichever is asked first."""
    with (
        ScriptedServer([[PAGE], [PAGE, PAGE], [PAGE]], "expired.pem") as known,
        ScriptedServer([[PAGE], [PAGE]], "expired.pem") as stranger,
    ):
        servers = [known, stranger, known, stranger]
        seen = visits(
            [server.url(scheme="https") for server in servers],
            tls=trusting("expired.pem"),
            insecure_hosts=(f"127.0.0.1:{known.port}",),
            loop_factory=loop_factory,
        )
    page, invalid = Outcome.PAGE, Outcome.BAD_CERTIFICATE
    assert [each.outcome for each in seen] == [page, invalid, page, invalid]
    assert stranger.requests == []


# ---------------------------------------------------------------- proxies


def through(proxy: ScriptedServer, urls: Iterable[str], **options: Any) -> list[Visit]:
    return visits(urls, proxy=f"http://127.0.0.1:{proxy.port}", **options)


def test_http_through_a_proxy() -> None:
    with ScriptedServer([[PAGE, PAGE]]) as proxy:
        seen = through(
            proxy,
            ["http://one.example/a?b", "http://two.example:81/"],
            roots=("http://one.example/",),
            headers=(("Proxy-Authorization", "Basic cHJveHk="), ("Cookie", "id=1")),
            resolver=NameServer(),
        )
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.PAGE]
    first, second = proxy.requests
    assert first.startswith(b"GET http://one.example/a?b HTTP/1.1\r\nHost: one.example\r\n")
    assert second.startswith(b"GET http://two.example:81/ HTTP/1.1\r\nHost: two.example:81\r\n")
    assert b"\r\nCookie: id=1\r\n" in first
    assert b"Cookie" not in second
    for request in proxy.requests:
        assert request.count(b"\r\nProxy-Authorization: Basic cHJveHk=\r\n") == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.1", "[::1]"])
def test_a_proxy_does_not_bypass_the_address_guard(host: str) -> None:
    with ScriptedServer([[PAGE]]) as proxy:
        [seen] = through(proxy, [f"http://{host}/"], roots=PUBLIC)
    assert_failed(seen, Outcome.FORBIDDEN_ADDRESS, transient=False)
    assert proxy.requests == []


ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_https_through_a_proxy(loop_factory: Loop) -> None:
    with TunnellingProxy([ESTABLISHED], [PAGE, PAGE], "localhost.pem") as proxy:
        seen = through(
            proxy,
            ["https://127.0.0.1/1", "https://127.0.0.1/2"],
            tls=trusting("localhost.pem"),
            headers=(("Proxy-Authorization", "Basic cHJveHk="), ("X-Extra", "1")),
            loop_factory=loop_factory,
        )
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.PAGE]
    connect, first, second = proxy.requests
    assert connect == (
        b"CONNECT 127.0.0.1:443 HTTP/1.1\r\nHost: 127.0.0.1:443\r\n"
        b"Proxy-Authorization: Basic cHJveHk=\r\n\r\n"
    )
    assert first.startswith(b"GET /1 HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    assert second.startswith(b"GET /2 HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    assert b"Proxy-" not in first + second


@pytest.mark.parametrize("loop_factory", LOOPS)
@pytest.mark.parametrize("is_trusted", [False, True])
def test_a_bad_certificate_through_a_proxy(loop_factory: Loop, *, is_trusted: bool) -> None:
    with TunnellingProxy([ESTABLISHED] * 2, [PAGE], "expired.pem") as proxy:
        [seen] = through(
            proxy,
            ["https://127.0.0.1/"],
            tls=trusting("expired.pem"),
            insecure_hosts=("127.0.0.1:443",) if is_trusted else (),
            loop_factory=loop_factory,
        )
    assert seen.outcome is (Outcome.PAGE if is_trusted else Outcome.BAD_CERTIFICATE)
    assert "certificate has expired" in str(seen.detail)


NOT_BASIC = (
    "the proxy returned 407 No; it accepts only Digest, NTLM authentication; for proxies, Gossamer"
    " knows Basic"
)


@pytest.mark.parametrize(
    ("answer", "detail", "transient"),
    [
        (
            b"HTTP/1.1 407 Who are you\r\n\r\n",
            "the proxy returned 407 Who are you; it wants a user and a password, or other ones",
            False,
        ),
        (
            b'HTTP/1.1 407 No\r\nProxy-Authenticate: Digest realm="p, Basic", NTLM\r\n\r\n',
            NOT_BASIC,
            False,
        ),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", "the proxy returned 502 Bad Gateway", True),
    ],
)
def test_a_proxy_that_refuses_the_tunnel(answer: bytes, detail: str, *, transient: bool) -> None:
    with ScriptedServer([[answer]]) as proxy:
        [seen] = through(proxy, ["https://example.com/"], roots=PUBLIC)
    # Behind a proxy that knows us, it is the site that cannot be reached.
    outcome = Outcome.CONNECTION_FAILED if transient else Outcome.PROXY_FAILURE
    assert_failed(seen, outcome, transient=transient)
    assert str(seen.detail) == detail


@pytest.mark.parametrize("url", ["http://example.com/", "https://example.com/"])
def test_an_unreachable_proxy(url: str) -> None:
    with refusing_port() as port:
        seen = visit(url, roots=PUBLIC, proxy=f"http://127.0.0.1:{port}")
    assert_failed(seen, Outcome.PROXY_FAILURE, transient=True)


@pytest.mark.parametrize("answer", [b"", ESTABLISHED], ids=["connect", "tls"])
@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_tunnel_that_is_never_established_times_out(
    site: Site, answer: bytes, loop_factory: Loop
) -> None:
    site.hang("example.com:443", after=answer)
    seen = visit(
        "https://example.com/",
        roots=PUBLIC,
        proxy=f"http://127.0.0.1:{site.port}",
        timeout_s=0.3,
        loop_factory=loop_factory,
    )
    assert_failed(seen, Outcome.TIMEOUT, transient=True)
    site.block_until(lambda: site.open_connections == 0)
