"""What is said, and offered, where a crawl found nothing."""

from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.shell.crawl_notices import CrawlHintNotice
from gossamer.gui.widgets.message_bar import MessageColumn
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.fakes.project_rows import FakeRows
from tests.patience import PATIENCE_MS

ROOT = "https://a.example/"
SETTINGS = CrawlSettings(roots=(ROOT,))


class Corner:
    """The messages of a window over one fake project, and what was wished there."""

    def __init__(self, qtbot: QtBot, rows: FakeRows) -> None:
        self.messages = MessageColumn()
        self.crawled: list[CrawlSettings] = []
        self.edits = 0
        self.reader = ProjectReader(lambda _: rows)
        self.reader.open(Path("a.gossamer"))
        self.trusted: list[str] = []
        self.notice = CrawlHintNotice(
            self.reader, self.messages, self.crawled.append, self._edit, self.trusted.append
        )
        qtbot.addWidget(self.messages)
        self.messages.show()
        self._qtbot = qtbot

    def _edit(self) -> None:
        self.edits += 1

    def look(self) -> None:
        """Look for a hint, and wait until the reader has come to its end."""
        done: list[None] = []
        self.notice.check(SETTINGS)
        self.reader.submit(lambda _rows: None, done.append, key="after", background=True)
        self._qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE_MS)

    def said(self) -> str:
        message = self.messages.about("hint")
        return "" if message is None else message.text()

    def answer(self, text: str) -> None:
        message = self.messages.about("hint")
        assert message is not None
        message.answer(text).click()


@pytest.fixture
def rows() -> FakeRows:
    return FakeRows()


def test_one_click_applies_the_suggested_fix_and_crawls(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add(ROOT, Outcome.BLOCKED_BY_ROBOTS)
    corner = Corner(qtbot, rows)
    corner.look()
    assert "The robots.txt of a.example disallows crawling" in corner.said()
    corner.answer("Crawl anyway")
    assert corner.crawled == [msgspec.structs.replace(SETTINGS, obey_robots=False)]
    corner.reader.close()


def test_a_bad_certificate_is_accepted_in_this_crawl_only(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add("https://a.example:8443/", Outcome.BAD_CERTIFICATE)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said() == (
        "The certificate of a.example:8443 is not valid, so nothing was requested."
    )
    corner.answer("Continue anyway")
    assert (corner.trusted, corner.crawled) == (["a.example:8443"], [])
    corner.reader.close()


def test_a_server_without_https(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add("https://127.0.0.1:8104/", Outcome.NOT_HTTPS)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said() == "127.0.0.1:8104 does not speak HTTPS."
    corner.answer("Try http://")
    assert [settings.roots for settings in corner.crawled] == [("http://127.0.0.1:8104/",)]
    corner.reader.close()


def test_a_redirect_to_another_site_names_it(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add(ROOT, Outcome.REDIRECT_OUT_OF_SCOPE, redirect="https://b.example/x")
    corner = Corner(qtbot, rows)
    corner.look()
    corner.answer("Crawl b.example")
    assert [settings.roots for settings in corner.crawled] == [("https://b.example/x",)]
    corner.reader.close()


def test_an_unknown_host_focuses_the_address_field(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add(ROOT, Outcome.DNS_FAILURE)
    corner = Corner(qtbot, rows)
    corner.look()
    corner.answer("Edit the URL")
    assert (corner.edits, corner.crawled) == (1, [])
    corner.reader.close()


def test_a_crawl_that_found_something_gets_no_hint(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add(ROOT, Outcome.PAGE, status=200, word_count=300)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said() == ""
    corner.reader.close()


def test_a_hint_is_withdrawn_with_its_crawl(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add(ROOT, Outcome.DNS_FAILURE)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said() != ""
    corner.notice.withdraw()
    assert corner.said() == ""
    corner.reader.close()


REFUSED = (
    "a.example: The server refused the connection. Check the URL and its port, then try again."
)
NO_PROXY = (
    "The proxy does not work, so nothing was requested from a.example. Check the"
    " proxy settings, then try again."
)
FAILED = f"{ROOT}: The server failed to handle the request. No pages were found. Try again later."


@pytest.mark.parametrize(
    ("outcome", "status", "said"),
    [
        (Outcome.CONNECTION_REFUSED, None, REFUSED),
        (Outcome.PROXY_FAILURE, None, NO_PROXY),
        (Outcome.SERVER_ERROR, 503, FAILED),
    ],
)
def test_a_crawl_without_responses_explains_and_offers_a_retry(
    qtbot: QtBot, rows: FakeRows, outcome: Outcome, status: int | None, said: str
) -> None:
    rows.add(ROOT, outcome, status=status)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said() == said
    corner.answer("Try again")
    assert corner.crawled == [SETTINGS]
    corner.reader.close()


def test_a_site_that_asks_for_a_password_leads_to_where_it_is_entered(
    qtbot: QtBot, rows: FakeRows
) -> None:
    rows.add(ROOT, Outcome.CLIENT_ERROR, status=401)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said().startswith("a.example asks for a user and a password (status 401).")
    with qtbot.waitSignal(corner.notice.credentials_wanted):
        corner.answer("Enter them…")
    corner.reader.close()


def test_a_site_behind_a_login_offers_to_log_in(qtbot: QtBot, rows: FakeRows) -> None:
    rows.add(ROOT, Outcome.REDIRECT, status=302, redirect=f"{ROOT}login")
    rows.add(f"{ROOT}login", Outcome.PAGE, parent=1, status=200)
    corner = Corner(qtbot, rows)
    corner.look()
    assert corner.said() == (
        "a.example asks for a login. To crawl what is behind it, log in and crawl again."
    )
    with qtbot.waitSignal(corner.notice.login_wanted):
        corner.answer("Log in…")
    corner.reader.close()
