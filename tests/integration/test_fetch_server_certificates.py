"""What is noted of the certificates of servers: each once, good or bad, through proxies too."""

from collections.abc import Sequence
from typing import Any

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.model.outcome import Outcome
from gossamer.model.server_certificate import ServerCertificate
from tests.integration.fetching import LOOPS, PAGE, PARTLY_S, Loop, ScriptedServer, run, trusting
from tests.sites.proxies import LoopbackProxy

LAST = PAGE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
END_2001 = 978307200.0


def shown(urls: Sequence[str], **options: Any) -> tuple[list[Outcome], list[ServerCertificate]]:
    """The outcomes of fetching these one after the other, and the certificates noted."""

    async def act(fetcher: HttpFetcher) -> tuple[list[Outcome], list[ServerCertificate]]:
        outcomes = [(await fetcher.fetch(url)).outcome for url in urls]
        return outcomes, await fetcher.new_certificates()

    return run(act, **options)


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_an_origin_is_noted_once_whatever_many_connections(loop_factory: Loop) -> None:
    with ScriptedServer([[LAST], [LAST], [PAGE]], "localhost.pem") as server:
        url = server.url(scheme="https")
        outcomes, (found,) = shown(
            [url, url, url], tls=trusting("localhost.pem"), loop_factory=loop_factory
        )
    assert outcomes == [Outcome.PAGE] * 3
    assert (found.origin, found.detail) == (url.rstrip("/"), None)
    assert found.host_names == ("localhost", "127.0.0.1")
    assert found.not_before < found.seen_at < found.not_after


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_refused_certificate_is_noted_and_nothing_is_sent(loop_factory: Loop) -> None:
    """One more handshake for the origin, and no more for its other URLs."""
    with ScriptedServer([[PAGE]] * 4, "expired.pem") as server:
        url = server.url(scheme="https")
        outcomes, (found,) = shown(
            [url, url], tls=trusting("localhost.pem"), loop_factory=loop_factory
        )
        requests = list(server.requests)
    assert outcomes == [Outcome.BAD_CERTIFICATE] * 2
    assert found.not_after < END_2001 + 366 * 86400
    assert found.detail is not None
    assert requests == []


def test_a_certificate_that_need_not_be_valid_is_noted_with_its_flaw() -> None:
    with ScriptedServer([[], [PAGE]], "expired.pem") as server:
        url = server.url(scheme="https")
        outcomes, (found,) = shown(
            [url], tls=trusting("localhost.pem"), insecure_hosts=(f"127.0.0.1:{server.port}",)
        )
    assert outcomes == [Outcome.PAGE]
    assert found.detail is not None


@pytest.mark.parametrize("scheme", ["http", "socks5"])
@pytest.mark.parametrize("certificate", ["localhost.pem", "expired.pem"])
def test_through_a_proxy_it_is_the_servers(scheme: str, certificate: str) -> None:
    script: list[list[bytes | None]] = [[PAGE], [PAGE]]
    with ScriptedServer(script, certificate) as server, LoopbackProxy() as proxy:
        url = server.url(scheme="https")
        _, (found,) = shown(
            [url], tls=trusting("localhost.pem"), proxy=f"{scheme}://127.0.0.1:{proxy.port}"
        )
    assert found.origin == url.rstrip("/")
    assert (found.detail is None) == (certificate == "localhost.pem")


def test_plain_connections_have_none() -> None:
    with ScriptedServer([[PAGE]]) as server:
        assert shown([server.url()])[1] == []


def test_a_server_that_hangs_when_looked_at_keeps_the_outcome() -> None:
    """The only other handshake is never answered."""
    with ScriptedServer([[]], "expired.pem") as server:
        url = server.url(scheme="https")
        outcomes, found = shown([url], tls=trusting("localhost.pem"), timeout_s=PARTLY_S)
    assert (outcomes, found) == ([Outcome.BAD_CERTIFICATE], [])
