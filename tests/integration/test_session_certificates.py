"""Trust in a bad certificate: given to one server, for one crawl, and taken back."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome
from gossamer.session.settings_file import read_changes, read_settings, settings_text
from tests.integration.crawling import (
    closing,
    crawl_all,
    new_session,
    records,
    run,
    sessions,
    until_rest,
)
from tests.integration.fetching import TLS_FOLDER
from tests.sites import Site


def expired() -> ssl.SSLContext:
    """TLS that nobody should trust."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS_FOLDER / "expired.pem", TLS_FOLDER / "key.pem")
    return context


@pytest.fixture
def secure() -> Iterator[Site]:
    with Site(tls=expired()) as site:
        site.page("/", links=["/a"])
        site.page("/a")
        yield site


@pytest.fixture
def stranger() -> Iterator[Site]:
    with Site(tls=expired()) as site:
        site.page("/")
        yield site


def server(site: Site) -> str:
    return f"127.0.0.1:{site.port}"


def outcomes(path: Path) -> dict[str, Outcome]:
    return {url: record.outcome for url, record in records(path).items()}


def test_trusting_a_server_retries_its_failed_urls_and_trusts_no_other(
    secure: Site, stranger: Site, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"
    secure.page("/", links=["/a", "/away"])
    secure.redirect("/away", stranger.url("/"))
    roots = (secure.url("/"), stranger.url("/"))

    async def main() -> None:
        async with new_session(path, roots[0], roots=roots) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            assert set(outcomes(path).values()) == {Outcome.BAD_CERTIFICATE}
            assert secure.paths == []
            await session.change({"insecure_hosts": (server(secure),)})
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
        assert outcomes(path) == {
            secure.url("/"): Outcome.PAGE,
            secure.url("/a"): Outcome.PAGE,
            secure.url("/away"): Outcome.REDIRECT,
            stranger.url("/"): Outcome.BAD_CERTIFICATE,
        }
        assert stranger.paths == []

    run(main())


def test_a_server_can_be_trusted_and_distrusted_during_the_crawl(
    secure: Site, site: Site, tmp_path: Path
) -> None:
    """Another process of the crawl goes on with it; nothing is lost and nobody resumes."""
    path = tmp_path / "a.gossamer"
    site.page("/", links=["/slow", secure.url("/")])
    site.hang("/slow")
    settings = {"roots": (site.url("/"), secure.url("/")), "guard": False}

    async def main() -> None:
        async with new_session(path, site.url("/"), **settings) as session:
            await session.start()
            await site.wait_for_requests(3)
            await session.change({"insecure_hosts": (server(secure),)})
            assert session.state is CrawlState.RUNNING
            await secure.wait_until(lambda: "/a" in secure.paths)
            await session.change({"insecure_hosts": ()})
            assert session.state is CrawlState.RUNNING
            assert session.settings.insecure_hosts == ()
            await session.cancel()

    run(main())


def test_trust_stays_with_its_project(secure: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    crawl_all(path, secure.url("/"), insecure_hosts=(server(secure),))
    assert outcomes(path)[secure.url("/")] is Outcome.PAGE

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            assert session.settings.insecure_hosts == (server(secure),)
            assert "insecure" not in settings_text(session.settings)

    run(main())
    assert read_settings(path).insecure_hosts == ()
    assert "insecure_hosts" not in read_changes(path)
