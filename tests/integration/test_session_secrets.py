"""Whole crawls with secrets: who is told them, and that no file ever is."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import keyring
import pytest
from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.secrets import HttpAuth, OriginSecrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.recrawl import start_recrawl
from gossamer.store.reading.reader import Reader
from tests.fakes.keyring_backend import MemoryKeyring
from tests.integration.crawling import closing, records, run, sessions, until_rest
from tests.sites import Site
from tests.sites.proxies import LoopbackProxy

PASSWORD, COOKIE, TOKEN = "pass-s3cret", "cookie-s3cret", "token-s3cret"
SENT = OriginSecrets(
    auth=HttpAuth("jo", PASSWORD), cookies=(("id", COOKIE),), headers=(("X-Pass", TOKEN),)
)
BASIC = "Basic am86cGFzcy1zM2NyZXQ="
SPELLINGS = (PASSWORD, COOKIE, TOKEN, BASIC.partition(" ")[2])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the test's own; logs and all else go there."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    return tmp_path


@pytest.fixture(autouse=True)
def kept() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    kept = MemoryKeyring()
    keyring.set_keyring(kept)
    yield kept
    keyring.set_keyring(before)


@pytest.fixture
def other() -> Iterator[Site]:
    with Site() as site:
        yield site


def told(site: Site, path: str) -> list[str | None]:
    """What every request to its own address for `path` carried: authorization, cookie, key."""
    host = site.url("").partition("://")[2].rstrip("/")
    requests = [r for r in site.requests if (r.path, r.header("Host")) == (path, host)]
    # A robots.txt is asked once more, as a witness: /tls loses its connection, which may be due to
    # the network.
    assert len(requests) == (2 if path == "/robots.txt" else 1), path
    names = ("Authorization", "Cookie", "X-Pass")
    carried = [[request.header(name) for name in names] for request in requests]
    assert carried == carried[:1] * len(carried), path
    return carried[0]


def assert_nowhere(folder: Path, spellings: Iterable[str] = SPELLINGS) -> None:
    """No file below `folder` has any of the secrets in it."""
    read = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):  # a -wal goes with its last user
            data = path.read_bytes()
            read += 1
            assert [spelling for spelling in spellings if spelling.encode() in data] == [], path
    assert read


async def crawled(session: CrawlSession) -> None:
    await session.start()
    assert await until_rest(session) is CrawlState.FINISHED


def test_secrets_are_sent_to_the_origin_of_the_crawl_only(
    site: Site, other: Site, home: Path
) -> None:
    elsewhere = site.url("/named").replace("127.0.0.1", "localhost")
    site.page("/", links=["/a", "/to-port", "/to-scheme", "/to-name", other.url("/linked")])
    site.page("/a")
    site.redirect("/to-port", other.url("/port"))
    site.redirect("/to-scheme", site.url("/tls").replace("http:", "https:"))
    site.redirect("/to-name", elsewhere)
    for path in ("/port", "/linked"):
        other.page(path)
    site.page("/named")
    project = home / "a.gossamer"
    settings = CrawlSettings(
        roots=(site.url("/").replace("//", f"//jo:{PASSWORD}@"),),
        headers=(("X-Pass", TOKEN),),
        public_headers=(("X-Harmless", "yes"),),
        host_match=HostMatch.LENIENT,
        check_external=True,
        external_rate=100.0,
        processes=1,
        max_tries=1,
        timeout_s=2.0,
    )

    async def main() -> None:
        session = sessions().create(settings, project, OriginSecrets(cookies=SENT.cookies))
        async with closing(session):
            await crawled(session)
            assert_nowhere(home)  # while the write-ahead log is there

    run(main())
    for path in ("/robots.txt", "/", "/a", "/to-port", "/to-scheme", "/to-name"):
        assert told(site, path) == [BASIC, f"id={COOKIE}", TOKEN], path
    assert sorted(other.paths) == ["/linked", "/port", "/robots.txt", "/robots.txt"]
    assert site.paths.count("/robots.txt") == 4
    assert "/named" in site.paths
    for request in other.requests:
        names = {name.lower() for name, _ in request.headers}
        assert not names & {"authorization", "cookie", "x-pass"}, request.path
        assert request.header("X-Harmless") == "yes"
    for request in site.requests:
        if request.header("Host") != f"127.0.0.1:{site.port}":
            assert BASIC not in str(request)
            assert COOKIE not in str(request)
            assert TOKEN not in str(request)
    assert_nowhere(home)
    assert site.url("/") in records(project)


@pytest.mark.parametrize("scheme", ["socks5h", "http"])
def test_the_proxy_password_is_written_to_no_file(site: Site, home: Path, scheme: str) -> None:
    site.page("/", links=["/a"])
    site.page("/a")
    project = home / "a.gossamer"
    with LoopbackProxy(credentials=("jo", PASSWORD)) as proxy:
        address = f"{scheme}://jo:{PASSWORD}@127.0.0.1:{proxy.port}"
        settings = replace(_settings(site), proxy=address, max_tries=1)

        async def main() -> None:
            async with closing(sessions().create(settings, project)) as session:
                await crawled(session)
                assert_nowhere(home)

        run(main())
    assert site.paths == ["/", "/a"]
    assert {each.port for each in proxy.relayed} == {site.port}
    assert_nowhere(home)
    [needs] = sessions().open(project).settings.needs_secrets
    assert (needs.origin, needs.user) == (f"{scheme}://127.0.0.1:{proxy.port}", "jo")


def test_the_password_in_a_changed_proxy_address_is_kept_as_a_secret(
    site: Site, home: Path
) -> None:
    site.page("/")
    project = home / "a.gossamer"
    with LoopbackProxy(credentials=("jo", PASSWORD)) as proxy:
        address = f"socks5://jo:{PASSWORD}@127.0.0.1:{proxy.port}"
        gone = replace(
            _settings(site),
            proxy="http://ann:gone-s3cret@127.0.0.1:9",
            soft_404_probe=False,
            llms_txt=False,
        )

        async def main() -> None:
            async with closing(sessions().create(gone, project)) as session:
                await session.change({"proxy": address})
                [needs] = session.settings.needs_secrets
                assert needs.origin == f"socks5://127.0.0.1:{proxy.port}"
                await crawled(session)
                await session.change({"proxy": None})
                assert session.settings.needs_secrets == ()

        run(main())
    assert [each.user for each in proxy.relayed] == ["jo"]
    assert_nowhere(home, (*SPELLINGS, "gone-s3cret"))


def test_cookies_are_stored_without_their_values(site: Site, home: Path) -> None:
    site.page("/", headers=[("Set-Cookie", f"sid={COOKIE}; Path=/; HttpOnly; SameSite=Lax")])
    project = home / "a.gossamer"

    async def main() -> None:
        async with closing(sessions().create(_settings(site), project)) as session:
            await crawled(session)

    run(main())
    with Reader(project) as reader:
        headers = dict(reader.headers(1))
    assert headers["Set-Cookie"] == "sid=…; Path=/; HttpOnly; SameSite=Lax"
    assert_nowhere(home)


def test_a_project_reports_missing_secrets_and_accepts_them(site: Site, home: Path) -> None:
    site.page("/")
    project = home / "a.gossamer"
    session = sessions().create(_settings(site), project, SENT)
    assert session.missing_secrets == ()

    async def main() -> None:
        async with closing(sessions().open(project)) as again:
            assert again.missing_secrets == (SENT.names(site.url("").rstrip("/")),)
            with pytest.raises(UsageError, match=r"needs the password of jo.*--auth"):
                await again.start()
            assert again.state is CrawlState.NEW
            assert site.requests == []
            again.give(SENT)
            await crawled(again)

    run(main())
    assert told(site, "/") == [BASIC, f"id={COOKIE}", TOKEN]
    assert_nowhere(home)


def test_secrets_in_the_keyring_are_not_asked_for(
    site: Site, home: Path, kept: MemoryKeyring
) -> None:
    site.page("/")
    project = home / "a.gossamer"

    async def main() -> None:
        session = sessions().create(_settings(site), project, SENT)
        await session.remember_secrets()
        async with closing(sessions().open(project)) as again:
            await crawled(again)

    run(main())
    assert [service for service, _ in kept.entries] == ["gossamer"]
    assert told(site, "/") == [BASIC, f"id={COOKIE}", TOKEN]
    assert_nowhere(home)


def test_a_crawl_without_secrets_does_not_open_the_keyring(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(service: str, username: str) -> str | None:
        raise AssertionError(f"the keyring was opened for {service} {username}")

    monkeypatch.setattr(keyring, "get_password", opened)
    site.page("/")

    async def main() -> None:
        project = home / "a.gossamer"
        async with closing(sessions().create(_settings(site), project)) as session:
            await crawled(session)

    run(main())
    assert told(site, "/") == [None, None, None]


def _settings(site: Site) -> CrawlSettings:
    return CrawlSettings(roots=(site.url("/"),), processes=1, obey_robots=False)


def test_what_a_crawl_was_given_is_enough_to_crawl_it_again_and_is_in_no_file(
    site: Site, home: Path
) -> None:
    site.page("/", title="Home")
    base, new = home / "base.gossamer", home / "new.gossamer"
    settings = CrawlSettings(roots=(site.url("/"),), soft_404_probe=False, llms_txt=False)

    async def main() -> None:
        async with closing(sessions().create(settings, base, SENT)) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            given = session.secrets_for_recrawl
        before = len(site.requests)
        async with closing(start_recrawl(base, new, secrets=given, sessions=sessions())) as again:
            await again.start()
            assert await until_rest(again) is CrawlState.FINISHED
        assert {each.header("Authorization") for each in site.requests[before:]} == {BASIC}

    run(main())
    files = [each for each in home.rglob("*") if each.is_file()]
    assert new in files
    assert [
        each for each in files if any(word.encode() in each.read_bytes() for word in SPELLINGS)
    ] == []
