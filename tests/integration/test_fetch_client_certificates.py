"""Client certificates on the wire: servers that ask for one, and those that are shown none."""

import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.resource_exchange import ResourceRequest
from gossamer.model.client_certificate import ClientCertificate
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from tests.integration.crawling import closing, records, run, sessions, until_rest
from tests.integration.fetching import run as run_fetcher
from tests.sites import Site
from tests.sites.certificates import EXPIRED, Authority
from tests.sites.proxies import LoopbackProxy

HOST = "127.0.0.1"
PHRASE = "s3cret-phrase"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """One that the system trusts."""
    made = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.path))
    return made


@pytest.fixture
def members(authority: Authority) -> Iterator[Site]:
    """A site that lets nobody in without a certificate."""
    with Site(HOST, tls=authority.demanding(HOST)) as site:
        site.page("/", links=["/a"])
        site.page("/a")
        yield site


def secrets_for(site: Site, path: Path, passphrase: str = "") -> Secrets:
    certificate = ClientCertificate(str(path), passphrase)
    return Secrets({site.url("/").rstrip("/"): OriginSecrets(certificate=certificate)})


def fetched(url: str, secrets: Secrets, **settings: Any) -> Visit:
    async def act(fetcher: HttpFetcher) -> Visit:
        return await fetcher.fetch(url)

    return run_fetcher(act, secrets=secrets, **settings)


@pytest.mark.parametrize("is_pkcs12", [False, True])
def test_a_server_that_asks_is_shown_the_certificate(
    authority: Authority, members: Site, *, is_pkcs12: bool
) -> None:
    path = authority.client("jo", passphrase=PHRASE, is_pkcs12=is_pkcs12)
    assert fetched(members.url("/"), secrets_for(members, path, PHRASE)).status == 200


def test_it_is_shown_too_where_the_certificate_of_the_server_is_not_checked(
    authority: Authority, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    context = Authority(other).served(HOST)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority.path)
    with Site(HOST, tls=context) as site:
        site.page("/")
        secrets = secrets_for(site, authority.client("jo"))
        insecure = (f"{HOST}:{site.port}",)
        assert fetched(site.url("/"), secrets).outcome is Outcome.BAD_CERTIFICATE
        assert fetched(site.url("/"), secrets, insecure_hosts=insecure).status == 200


def test_it_is_shown_through_the_tunnel_of_a_proxy(authority: Authority, members: Site) -> None:
    secrets = secrets_for(members, authority.client("jo"))
    with LoopbackProxy() as proxy:
        way = f"http://{HOST}:{proxy.port}"
        assert fetched(members.url("/"), secrets, proxy=way).status == 200
        assert fetched(members.url("/"), Secrets(), proxy=way).status is None
    assert [each.port for each in proxy.relayed] == [members.port] * 2


def test_no_other_server_is_shown_it(authority: Authority, members: Site) -> None:
    with Site(HOST, tls=authority.demanding(HOST)) as other:
        other.page("/")
        secrets = secrets_for(members, authority.client("jo"))
        seen = fetched(other.url("/"), secrets, insecure_hosts=(f"{HOST}:{other.port}",))
        assert seen.status is None
        assert other.requests == []


@contextmanager
def one_handshake(context: ssl.SSLContext) -> Iterator[str]:
    """The address of a server that shakes hands once, as servers written in C do."""
    with socket.create_server((HOST, 0)) as listener, ThreadPoolExecutor(1) as thread:

        def serve() -> None:
            connection, _ = listener.accept()
            with suppress(OSError), context.wrap_socket(connection, server_side=True) as tls:
                tls.recv(1)

        served = thread.submit(serve)
        yield f"https://{HOST}:{listener.getsockname()[1]}/"
        served.result()


@pytest.mark.parametrize(
    ("version", "why"),
    [
        (ssl.TLSVersion.TLSv1_3, "certificate required"),
        (ssl.TLSVersion.TLSv1_2, "handshake failure"),
    ],
)
def test_a_server_that_asks_and_is_shown_none_is_told_as_that(
    authority: Authority, version: ssl.TLSVersion, why: str
) -> None:
    context = authority.demanding(HOST)
    context.minimum_version = context.maximum_version = version
    tls = authority.trusted()
    with one_handshake(context) as url:
        seen = run_fetcher(lambda fetcher: fetcher.fetch(url), tls=tls)
    assert seen.outcome is Outcome.TLS_ERROR
    assert why in str(seen.detail)
    assert not seen.transient


def test_what_rendered_pages_load_is_fetched_with_it(authority: Authority, members: Site) -> None:
    async def act(fetcher: HttpFetcher) -> int | None:
        _, answer = await fetcher.fetch_resource(ResourceRequest(members.url("/a")), 10_000)
        return answer.status

    secrets = secrets_for(members, authority.client("jo"))
    assert run_fetcher(act, secrets=secrets) == 200


def start_crawl(site: Site, path: Path, bound: Secrets) -> None:
    settings = CrawlSettings(roots=(site.url("/"),), workers=4, processes=2)

    async def main() -> None:
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def test_each_page_worker_shows_it(authority: Authority, members: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    file = authority.client("jo", passphrase=PHRASE)
    start_crawl(members, path, secrets_for(members, file, PHRASE))
    assert {row.outcome for row in records(path).values()} <= PAGES
    assert PHRASE.encode() not in path.read_bytes()
    [needed] = sessions().open(path).missing_secrets
    assert needed.certificate == str(file)


def test_a_certificate_that_cannot_be_used_keeps_the_crawl_from_starting(
    authority: Authority, members: Site, tmp_path: Path
) -> None:
    file = authority.client("jo", valid=EXPIRED)
    with pytest.raises(UsageError, match="expired on"):
        start_crawl(members, tmp_path / "a.gossamer", secrets_for(members, file))
    assert members.requests == []


def test_a_certificate_for_a_site_without_tls_is_refused(
    authority: Authority, site: Site, tmp_path: Path
) -> None:
    secrets = secrets_for(site, authority.client("jo"))
    with pytest.raises(UsageError, match="https servers only"):
        start_crawl(site, tmp_path / "a.gossamer", secrets)
