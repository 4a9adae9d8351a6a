"""The proxy of login windows: what passes, what does not, and that each request goes alone."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gossamer.fetch.guarded_dialer import GuardedDialer
from gossamer.fetch.guarding_proxy import GuardingProxy, request_of
from gossamer.fetch.http_request import basic_auth
from gossamer.model.secrets import HttpAuth, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.integration.crawling import run
from tests.sites import Response, Site
from tests.sites.proxies import LoopbackProxy

PUBLIC = CrawlSettings(roots=("http://203.0.113.7/",))


def answered(
    settings: CrawlSettings, *sent: bytes, secrets: Secrets | None = None, shows: bool = True
) -> bytes:
    """All that the proxy answers to these bytes on one connection, until it closes that.

    `shows` is whether its password is shown with each request.
    """

    async def main() -> bytes:
        dialer = GuardedDialer(settings, secrets or Secrets())
        async with GuardingProxy(dialer) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            shown = b"\r\nProxy-Authorization: " + basic_auth(proxy.auth).encode()
            for part in sent:
                writer.write(part.replace(b" HTTP/1.1", b" HTTP/1.1" + shown) if shows else part)
                await writer.drain()
            answer = await reader.read()
            writer.close()
            return answer

    return run(main())


def get(url: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def crawl_of(site: Site, **settings: str) -> CrawlSettings:
    return CrawlSettings(roots=(site.url("/"),), **settings)  # type: ignore[arg-type] # by name


def test_a_request_and_its_answer_pass_and_the_connection_ends(site: Site) -> None:
    site.page("/a?b=c", title="hello")
    sent = get(site.url("/a?b=c"), "Cookie: a=b")
    answer = answered(crawl_of(site), sent)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"Connection: close" in answer
    assert b"hello" in answer
    (request,) = site.requests
    assert request.path == "/a?b=c"
    assert request.header("Cookie") == "a=b"
    assert request.header("Proxy-Authorization") is None


@pytest.mark.parametrize("headers", [[], ["Proxy-Authorization: Basic Z29zc2FtZXI6"]])
def test_other_programs_of_this_computer_are_refused(site: Site, headers: list[str]) -> None:
    site.page("/a")
    tunnel = f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n\r\n".encode()
    for sent in (get(site.url("/a"), *headers), tunnel):
        answer = answered(crawl_of(site), sent, shows=False)
        assert answer.startswith(b"HTTP/1.1 407 ")
        assert b"Proxy-Authenticate: Basic" in answer
    assert site.connections == []


def test_a_second_request_on_a_connection_goes_nowhere(site: Site) -> None:
    """It might be for another server than the first."""
    site.page("/a")
    both = get(site.url("/a")) + get(site.url("/b"))
    assert answered(crawl_of(site), both).count(b"HTTP/1.1 ") == 1
    assert site.paths == ["/a"]


def test_a_body_passes_whole_however_it_is_cut(site: Site) -> None:
    site.answer("/form", lambda request: Response(body=request.body))
    head = f"POST {site.url('/form')} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n".encode()
    assert answered(crawl_of(site), head, b"user", b"=jo&x").endswith(b"user=jo&x")


def test_a_tunnel_hands_on_what_comes(site: Site) -> None:
    site.page("/", title="through")
    tunnel = f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n\r\n".encode()
    answer = answered(crawl_of(site), tunnel, get("/", "Connection: close"))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK")
    assert b"through" in answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::1]"])
def test_a_crawl_of_public_sites_opens_no_way_to_this_computer(site: Site, host: str) -> None:
    site.page("/")
    for sent in (
        f"CONNECT {host}:{site.port} HTTP/1.1\r\n\r\n".encode(),
        get(f"http://{host}:{site.port}/"),
    ):
        assert answered(PUBLIC, sent).startswith((b"HTTP/1.1 403", b"HTTP/1.1 502"))
    assert site.connections == []


def resolving(*answers: list[str]) -> Callable[[str, int], Awaitable[list[str]]]:
    left = list(answers)

    async def look_up(_host: str, _port: int) -> list[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return look_up


def test_a_name_that_turns_to_this_computer_is_not_followed(site: Site) -> None:
    """Its first answer is public, its second is not: what is connected to is what was checked."""
    site.page("/")

    async def main() -> bytes:
        look_up = resolving(["203.0.113.7"], ["127.0.0.1"])
        settings = CrawlSettings(roots=("http://turning.example/",))
        async with GuardingProxy(GuardedDialer(settings, look_up=look_up)) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            shown = f"Proxy-Authorization: {basic_auth(proxy.auth)}"
            writer.write(get(f"http://turning.example:{site.port}/", shown))
            answer = await reader.read()
            writer.close()
            return answer

    assert run(main()).startswith(b"HTTP/1.1 403")
    assert site.connections == []


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
def test_the_proxy_of_the_crawl_is_used_with_its_password(site: Site, scheme: str) -> None:
    site.page("/", title="through")
    with LoopbackProxy(credentials=("jo", "pass")) as upstream:
        address = f"{scheme}://127.0.0.1:{upstream.port}"
        secrets = Secrets({address: OriginSecrets(auth=HttpAuth("jo", "pass"))})
        settings = crawl_of(site, proxy=address)
        tunnel = f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n\r\n".encode()
        for sent in ([tunnel, get("/", "Connection: close")], [get(site.url("/"))]):
            assert b"through" in answered(settings, *sent, secrets=secrets)
        assert [each.port for each in upstream.relayed] == [site.port] * 2


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET ftp://a/ HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"CONNECT a:b HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_request_to_a_proxy_is_refused(head: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each says it differently
        request_of(head)
    assert answered(PUBLIC, head) == b""
