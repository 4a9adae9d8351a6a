"""From crawls to messages: what rules find in real projects."""

import asyncio
import sqlite3
import ssl
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from gossamer.cli.crawl_end_notification import tell_of_crawl
from gossamer.cli.foreground_crawl import RunResult
from gossamer.export.export_selection import ExportSelection
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.errors import UsageError
from gossamer.model.translatable import said
from gossamer.notifying.channels import CommandChannel, NotificationChannel
from gossamer.notifying.conditions import EndKind, parse_condition
from gossamer.notifying.crawl_notification import (
    CrawlEnd,
    notify_about,
    tell_of_no_crawl,
    tell_of_shards,
)
from gossamer.notifying.delivery_process import notify_in_background, tells_desktop
from gossamer.notifying.notification_messages import Message
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.rule_store import RuleStore
from gossamer.session.series import series_of
from gossamer.store.notification_outbox import Outbox
from gossamer.store.project import stored_settings
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_again, crawl_all
from tests.integration.fetching import TLS_FOLDER
from tests.sites import Site

ALL = ("ended", "issue:low", "errors", "page:.", "robots", "sitemap", "certificate")
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
PROGRAM = CommandChannel((sys.executable, "-c", "pass"))
QUIET = {"soft_404_probe": False, "llms_txt": False, "use_sitemaps": True}


class Sent:
    """Keeps what would be sent."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(
        self, channel: NotificationChannel, message: Message, language: str, now_s: float
    ) -> None:
        del channel, language, now_s
        self.messages.append(message)

    def told(self) -> dict[str, tuple[str, ...]]:
        """What the last message says: kind of condition → items."""
        (crawl,) = self.messages[-1].crawls
        return {
            each.condition.partition(":")[0]: tuple(map(str, each.items))
            for each in crawl.conditions
        }


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of one page. Its site is gone."""
    path = tmp_path_factory.mktemp("crawled") / "a.gossamer"
    with Site() as site:
        site.page("/")
        crawl_all(path, site.url("/"), **QUIET)
    return path


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rules, series and outbox of the test's own."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    return tmp_path


@pytest.fixture
def secure() -> Iterator[Site]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS_FOLDER / "expired.pem", TLS_FOLDER / "key.pem")
    with Site(tls=context) as site:
        yield site


def test_a_crawl_without_rules_imports_nothing_that_rules_need(
    crawled: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(copyfile(crawled, home / "a.gossamer"))
    monkeypatch.setitem(sys.modules, "gossamer.notifying.crawl_notification", None)
    tell_of_crawl(path, RunResult())
    for store in (RuleStore(series_of(path)), RuleStore()):
        store.add(rule("ended"))
        with pytest.raises(ImportError):
            tell_of_crawl(path, RunResult())
        store.remove("all")


def rule(*conditions: str, name: str = "all", **more: Any) -> NotificationRule:
    return NotificationRule(name, tuple(map(parse_condition, conditions)), (PROGRAM,), **more)


def listed(site: Site, *paths: str) -> None:
    urls = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in paths)
    site.file("/map.xml", SITEMAP.format(urls).encode(), "application/xml")
    site.robots(f"User-agent: *\nDisallow: /private\nSitemap: {site.url('/map.xml')}\n")


def end_of(path: Path, kind: EndKind = EndKind.FINISHED) -> CrawlEnd:
    return CrawlEnd(path, kind)


@pytest.mark.parametrize("answers", [True, False])
def test_a_crawl_of_which_no_root_answers_has_failed_whoever_ran_it(
    crawled: Path, home: Path, *, answers: bool
) -> None:
    if answers:
        copyfile(crawled, home / "a.gossamer")
    else:
        gone = stored_settings(crawled).roots[0]
        crawl_all(home / "a.gossamer", gone, max_tries=1, **QUIET)
    RuleStore().add(rule("ended"))
    sent = Sent()
    notify_about(end_of(home / "a.gossamer"), Outbox(home / "outbox"), send=sent)
    (crawl,) = sent.messages[-1].crawls
    assert crawl.ending == (EndKind.FINISHED if answers else EndKind.FAILED)
    why = "".join(sent.told()["ended"])
    assert why == "" if answers else why.startswith("None of the start URLs responded")


def test_the_certificate_of_a_server_is_read_and_exported(secure: Site, tmp_path: Path) -> None:
    secure.page("/")
    trusted = (f"127.0.0.1:{secure.port}",)
    crawl_all(tmp_path / "a.gossamer", secure.url("/"), insecure_hosts=trusted, **QUIET)
    with Reader(tmp_path / "a.gossamer") as reader:
        (shown,) = reader.certificates()
        assert reader.certificate(shown.origin) == shown
        assert reader.certificate("https://other.example") is None
        build = VIEWS["certificates"].build
        assert build is not None
        (row,) = build(reader, ExportSelection(VIEWS["certificates"]), lambda: None).rows
    assert {shown.origin, shown.issuer, ", ".join(shown.host_names)} <= set(row)


def test_all_that_changed_is_told_in_one_message_and_nothing_else(
    secure: Site, tmp_path: Path
) -> None:
    secure.page("/", links=["/a", "/b"], title="Home of all of us here")
    secure.page("/a", title="A page of ours, the first one")
    secure.page("/b", title="A page of ours, the second one")
    listed(secure, "/a", "/b")
    RuleStore().add(rule(*ALL))
    trust = {"insecure_hosts": (f"127.0.0.1:{secure.port}",), **QUIET}
    base, new = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    sent, outbox = Sent(), Outbox(tmp_path / "outbox")
    crawl_all(base, secure.url("/"), **trust)
    assert notify_about(end_of(base), outbox, send=sent).sentences() == []
    first = sent.told()
    assert first.keys() == {"ended", "issue", "certificate"}  # there is no crawl before
    assert first["certificate"] == (f"{secure.url('').rstrip('/')} (2001-01-01)",)

    secure.page("/", links=["/a", "/c"], title="Home of all of us here")
    secure.page("/a", title="")
    secure.page("/c", title="A page of ours, the third one")
    listed(secure, "/a", "/c")
    secure.robots(f"User-agent: *\nDisallow: /secret\nSitemap: {secure.url('/map.xml')}\n")
    crawl_again(base, new, **trust)
    assert notify_about(end_of(new), outbox, send=sent).sentences() == []
    second = sent.told()
    assert second.keys() == {"ended", "issue", "page", "robots", "sitemap"}
    assert "Page Titles: Missing: +1" in second["issue"]
    pages = {line.partition(" (")[0]: line for line in second["page"]}
    assert f"{secure.url('/c')} (New)" == pages[secure.url("/c")]
    assert "Title" in pages[secure.url("/a")]
    assert second["sitemap"] == (f"{secure.url('/map.xml')} (2 → 2)",)
    assert len(sent.messages) == 2

    notify_about(end_of(new), outbox, send=sent)
    assert len(sent.messages) == 2  # of the same run nothing is told again


def test_the_same_site_crawled_again_has_nothing_to_tell(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/a"])
    site.page("/a")
    listed(site, "/a")
    RuleStore().add(rule(*(each for each in ALL if each != "ended")))
    base, new = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    sent, outbox = Sent(), Outbox(tmp_path / "outbox")
    crawl_all(base, site.url("/"), **QUIET)
    notify_about(end_of(base), outbox, send=sent)
    before = len(sent.messages)
    crawl_again(base, new)
    assert notify_about(end_of(new), outbox, send=sent).sentences() == []
    assert len(sent.messages) == before


def test_a_run_without_a_project_reports_its_failure_and_not_the_crawl_before_again(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/a", "/b"], title="A page of ours, before")
    site.page("/a")
    site.page("/b")
    listed(site, "/a")
    RuleStore().add(rule(*ALL))
    RuleStore().add(rule("errors", name="each time", repeats=True))
    base, new = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    crawl_all(base, site.url("/"), **QUIET)
    site.page("/", links=["/a", "/gone"], title="A page of ours, after")
    listed(site, "/a", "/b")
    crawl_again(base, new)
    sent, outbox = Sent(), Outbox(tmp_path / "outbox")
    notify_about(end_of(new), outbox, send=sent)
    assert {"ended", "errors", "page", "sitemap"} <= set(sent.told())
    for number in range(2):
        failed = CrawlEnd(new, EndKind.FAILED, said("The disk is full."), run=f"shop {number}")
        notify_about(failed, outbox, send=sent)
        assert sent.told() == {"ended": ("The disk is full.",)}
    # What had been told before the failures still counts as told.
    notify_about(end_of(new), outbox, send=sent)
    assert set(sent.told()) == {"ended", "errors"}


def test_rules_of_a_series_are_for_its_crawls_alone(site: Site, tmp_path: Path) -> None:
    site.page("/")
    one, other = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    crawl_all(one, site.url("/"), **QUIET)
    site.page("/other")
    crawl_all(other, site.url("/other"), **QUIET)
    RuleStore(series_of(one)).add(rule("ended"))
    sent, outbox = Sent(), Outbox(tmp_path / "outbox")
    notify_about(end_of(other), outbox, send=sent)
    assert not outbox.exists
    notify_about(end_of(one), outbox, send=sent)
    assert len(sent.messages) == 1


def test_an_invalid_rule_is_told_and_the_others_notify(crawled: Path, tmp_path: Path) -> None:
    path = Path(copyfile(crawled, tmp_path / "a.gossamer"))
    for store in (RuleStore(), RuleStore(series_of(path))):
        store.add(rule("ended"))
    for name, condition, more in (
        ("bad", "errors:1", {}),
        ("worse", "robots", {}),
        ("off", "errors:1", {"is_enabled": False}),
    ):
        RuleStore().add(rule(condition, name=name, **more))
    file = tmp_path / "config" / "gossamer" / "notifications.json"
    edited = file.read_text().replace('"1"', '"many"').replace("robots", "weather")
    file.write_text(edited)
    sent, outbox = Sent(), Outbox(tmp_path / "outbox")
    for told in (
        notify_about(end_of(path), outbox, send=sent),
        asyncio.run(tell_of_no_crawl("shop", said("No."), outbox, send=sent)),
        asyncio.run(tell_of_shards([path], EndKind.FAILED, said("No."), outbox, send=sent)),
    ):
        bad, worse = map(str, told.sentences())
        assert "'bad' is invalid" in bad
        assert "'many' is not a number" in bad
        assert "'worse' is invalid" in worse
        assert "weather" in worse
    assert len(sent.messages) == 3


def test_the_window_says_what_is_wrong_with_rules(crawled: Path, tmp_path: Path) -> None:
    path = Path(copyfile(crawled, tmp_path / "a.gossamer"))
    RuleStore().add(rule("errors:1"))
    file = tmp_path / "config" / "gossamer" / "notifications.json"
    text = file.read_text()
    for edited, words in ((text.replace('"1"', '"many"'), "'all' is invalid"), ("[", "be read")):
        file.write_text(edited)
        assert asyncio.run(tells_desktop(path)) is False
        with pytest.raises(UsageError, match=words):
            asyncio.run(notify_in_background(path, EndKind.FINISHED))


def test_rules_that_cannot_be_read_are_told(crawled: Path, tmp_path: Path) -> None:
    path = Path(copyfile(crawled, tmp_path / "a.gossamer"))
    file = tmp_path / "config" / "gossamer" / "notifications.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[")
    (sentence,) = notify_about(end_of(path), Outbox(tmp_path / "outbox")).sentences()
    assert "Expected `object`, got `array`" in str(sentence)
    file.write_text('{"version": 2}')
    with pytest.raises(UsageError, match="newer"):
        RuleStore().rules()


def test_a_project_that_is_damaged_is_told(crawled: Path, tmp_path: Path) -> None:
    path = Path(copyfile(crawled, tmp_path / "a.gossamer"))
    RuleStore().add(rule("ended"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE project SET settings = 'nonsense'")
        connection.commit()
    (sentence,) = notify_about(end_of(path), Outbox(tmp_path / "outbox")).sentences()
    assert "damaged" in str(sentence)
