"""Why a crawl found nothing, and the settings that may find more."""

from typing import Any

import msgspec
import pytest

from gossamer.audit.empty_crawl_hints import CrawlFinding, hint_about
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.settings.user_agents import PRESETS
from tests.cases import each_case
from tests.fakes.project_rows import FakeRows

ROOT = "https://a.example/"
SETTINGS = CrawlSettings(roots=(ROOT,))


def with_root(outcome: Outcome, **facts: Any) -> FakeRows:
    rows = FakeRows()
    rows.add(ROOT, outcome, **facts)
    return rows


def changed(**values: Any) -> CrawlSettings:
    return msgspec.structs.replace(SETTINGS, **values)


def hint(
    rows: FakeRows, settings: CrawlSettings = SETTINGS
) -> tuple[CrawlFinding, str, CrawlSettings | None] | None:
    """What was found, where, and the settings for another try."""
    found = hint_about(rows, settings)
    return (found.finding, found.root, found.settings) if found else None


@each_case(
    ("rows", "finding", "remedy"),
    [
        (
            with_root(Outcome.BLOCKED_BY_ROBOTS),
            CrawlFinding.BLOCKED_BY_ROBOTS,
            changed(obey_robots=False),
        ),
        (
            with_root(Outcome.ROBOTS_UNAVAILABLE),
            CrawlFinding.ROBOTS_UNAVAILABLE,
            changed(obey_robots=False),
        ),
        (
            with_root(Outcome.REDIRECT_OUT_OF_SCOPE, status=301, redirect="https://b.example/"),
            CrawlFinding.LEADS_ELSEWHERE,
            changed(roots=("https://b.example/",)),
        ),
        (
            with_root(Outcome.CLIENT_ERROR, status=403),
            CrawlFinding.REFUSED,
            changed(user_agent=PRESETS["chrome"], workers=2, rate=1.0),
        ),
        (with_root(Outcome.CLIENT_ERROR, status=401), CrawlFinding.ASKS_FOR_PASSWORD, None),
        (with_root(Outcome.CLIENT_ERROR, status=407), CrawlFinding.NO_PROXY, changed()),
        (
            with_root(Outcome.CHALLENGE, status=503),
            CrawlFinding.REFUSED,
            changed(user_agent=PRESETS["chrome"], workers=2, rate=1.0),
        ),
        (
            with_root(Outcome.NOT_HTTPS),
            CrawlFinding.NOT_HTTPS,
            changed(roots=("http://a.example/",)),
        ),
        (with_root(Outcome.DNS_FAILURE), CrawlFinding.UNKNOWN_HOST, None),
    ],
)
def test_a_root_that_leads_nowhere(
    rows: FakeRows, finding: CrawlFinding, remedy: CrawlSettings | None
) -> None:
    assert hint(rows) == (finding, ROOT, remedy)


def test_a_bad_certificate_is_put_up_with_in_this_crawl_alone() -> None:
    rows = FakeRows()
    rows.add("https://a.example:8443/x", Outcome.BAD_CERTIFICATE)
    found = hint_about(rows, SETTINGS)
    assert found
    assert found.finding is CrawlFinding.BAD_CERTIFICATE
    assert found.settings is None
    assert found.server == "a.example:8443"


def test_a_root_whose_redirects_end_at_a_bad_certificate() -> None:
    rows = with_root(Outcome.REDIRECT, status=301, redirect="https://www.a.example/")
    rows.add("https://www.a.example/", Outcome.BAD_CERTIFICATE, parent=1)
    found = hint_about(rows, SETTINGS)
    assert found
    assert (found.root, found.server) == ("https://www.a.example/", "www.a.example:443")


def test_a_root_that_leads_to_https_is_not_tried_without_it_again() -> None:
    rows = FakeRows()
    rows.add("http://a.example/", Outcome.REDIRECT, status=301, redirect=ROOT)
    rows.add(ROOT, Outcome.NOT_HTTPS, parent=1)
    assert hint(rows) == (CrawlFinding.NOT_HTTPS, ROOT, None)


def test_trust_would_not_help_where_tls_itself_fails() -> None:
    found = hint_about(with_root(Outcome.TLS_ERROR), SETTINGS)
    assert found
    assert (found.finding, found.server) == (CrawlFinding.TROUBLED, "")
    assert (found.settings, found.outcome) == (SETTINGS, Outcome.TLS_ERROR)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.CLIENT_ERROR, 400),
        (Outcome.MALFORMED_RESPONSE, None),
        (Outcome.CONNECTION_LOST, None),
    ],
)
def test_a_port_that_may_speak_https_alone(outcome: Outcome, status: int | None) -> None:
    rows, http = FakeRows(), "http://a.example:8443/x"
    rows.add(http, outcome, status=status)
    remedy = changed(roots=("https://a.example:8443/x",))
    assert hint(rows) == (CrawlFinding.MAYBE_HTTPS, http, remedy)
    found = hint_about(with_root(outcome, status=status), SETTINGS)
    assert found is not None
    assert found.finding is not CrawlFinding.MAYBE_HTTPS


def test_a_page_that_leads_nowhere_gets_no_hint() -> None:
    assert hint_about(with_root(Outcome.PAGE, status=200), SETTINGS) is None


@each_case(
    ("outcome", "status", "finding"),
    [
        (Outcome.CONNECTION_REFUSED, None, CrawlFinding.NO_CONNECTION),
        (Outcome.TIMEOUT, None, CrawlFinding.NO_CONNECTION),
        (Outcome.PROXY_FAILURE, None, CrawlFinding.NO_PROXY),
        (Outcome.FORBIDDEN_ADDRESS, None, CrawlFinding.PRIVATE),
        (Outcome.CLIENT_ERROR, 404, CrawlFinding.BROKEN),
        (Outcome.REDIRECT_LOOP, 302, CrawlFinding.BROKEN),
        (Outcome.SERVER_ERROR, 500, CrawlFinding.TROUBLED),
    ],
)
def test_a_crawl_that_got_nothing_says_why(
    outcome: Outcome, status: int | None, finding: CrawlFinding
) -> None:
    found = hint(with_root(outcome, status=status))
    again = None if finding in {CrawlFinding.BROKEN, CrawlFinding.PRIVATE} else SETTINGS
    assert found == (finding, ROOT, again)


def test_a_crawl_that_got_something_does_not() -> None:
    rows = with_root(Outcome.SERVER_ERROR, status=500)
    rows.add("https://a.example/logo.png", Outcome.FILE, parent=1, status=200)
    assert hint_about(rows, SETTINGS) is None


def test_a_crawl_that_found_pages_gets_none() -> None:
    rows = with_root(Outcome.CLIENT_ERROR, status=403)
    rows.add("https://a.example/x", Outcome.PAGE, parent=1, status=200)
    rows.add("https://a.example/y", Outcome.PAGE, parent=1, status=200)
    assert hint_about(rows, SETTINGS) is None


def test_a_project_without_urls_gets_none() -> None:
    assert hint_about(FakeRows(), SETTINGS) is None


def a_page(outcome: Outcome, *links: tuple[LinkKind, LinkAction]) -> FakeRows:
    rows = with_root(outcome, status=200)
    for number, (kind, action) in enumerate(links, 2):
        rows.add(f"https://a.example/{number}", Outcome.NOT_FOLLOWED, parent=1)
        rows.link(1, number, kind=kind, action=action)
    return rows


def test_a_page_drawn_by_scripts() -> None:
    script = (LinkKind.SCRIPT, LinkAction.CHECK)
    drawn = a_page(Outcome.PAGE_NEEDS_SCRIPTS, script)
    rendered = changed(render=RenderMode.ON)
    assert hint(drawn) == (CrawlFinding.NEEDS_SCRIPTS, ROOT, rendered)
    assert hint_about(a_page(Outcome.PAGE, script), SETTINGS) is None
    assert hint(drawn, rendered) == (CrawlFinding.NEEDS_SCRIPTS, ROOT, None)


def test_a_page_whose_links_are_nofollow() -> None:
    rows = a_page(Outcome.PAGE, (LinkKind.ANCHOR, LinkAction.NOFOLLOW))
    assert hint(rows) == (CrawlFinding.NOFOLLOW, ROOT, changed(follow_nofollow=True))


LOGIN = "https://a.example/login"
PASSWORD = int(ContentFlag.PASSWORD_FIELD)


def with_login_form() -> FakeRows:
    return with_root(Outcome.PAGE, status=200, content=PASSWORD, title="Log in to the intranet")


def sent_to_login(**facts: Any) -> FakeRows:
    rows = with_root(Outcome.REDIRECT, status=302, redirect=LOGIN)
    rows.add(LOGIN, Outcome.PAGE, parent=1, status=200, **facts)
    return rows


def with_pages(rows: FakeRows, count: int) -> FakeRows:
    for number in range(count):
        rows.add(f"https://a.example/about/{number}", Outcome.PAGE, parent=1, status=200)
    return rows


@each_case(
    ("rows", "where"),
    [
        (with_login_form(), ROOT),
        (with_root(Outcome.PAGE, status=200, content=PASSWORD, title="Router"), ROOT),
        (sent_to_login(content=PASSWORD), LOGIN),
        (sent_to_login(title="Your name, please"), LOGIN),
        (with_root(Outcome.REDIRECT_OUT_OF_SCOPE, redirect="https://id.example/sso?to=a"), ROOT),
        (with_pages(with_login_form(), 3), ROOT),
        (with_pages(sent_to_login(content=PASSWORD), 3), LOGIN),
    ],
)
def test_a_site_behind_a_login_asks_for_it(rows: FakeRows, where: str) -> None:
    assert hint(rows) == (CrawlFinding.ASKS_FOR_LOGIN, where, None)


@pytest.mark.parametrize(
    "rows",
    [
        with_pages(with_login_form(), 30),
        with_pages(with_root(Outcome.PAGE, status=200, content=PASSWORD, title="Our shop"), 3),
        with_root(Outcome.PAGE, status=200, title="How to log in"),
    ],
)
def test_a_site_that_shows_pages_beside_a_login_asks_for_none(rows: FakeRows) -> None:
    assert hint(rows) is None


def test_one_login_page_in_a_list_of_urls_is_no_login_of_the_site() -> None:
    rows = with_login_form()
    rows.add("https://a.example/x", Outcome.PAGE, status=200)
    assert hint(rows) is None


def test_roots_that_are_redirected_to_the_same_login_ask_for_it() -> None:
    rows = sent_to_login(content=PASSWORD)
    rows.add("https://a.example/x", Outcome.REDIRECT, status=302, redirect=LOGIN)
    assert hint(rows) == (CrawlFinding.ASKS_FOR_LOGIN, LOGIN, None)


def test_a_crawl_with_a_login_is_not_told_to_log_in() -> None:
    names = SecretNames(origin="https://a.example", cookies=("session",))
    assert hint(with_login_form(), changed(needs_secrets=(names,))) is None
    refused = hint(with_root(Outcome.CLIENT_ERROR, status=401), changed(needs_secrets=(names,)))
    assert refused == (CrawlFinding.LOGIN_REFUSED, ROOT, None)
    of_proxy = SecretNames(origin="http://proxy.example:8080", cookies=("session",))
    told = hint(with_login_form(), changed(needs_secrets=(of_proxy,)))
    assert told == (CrawlFinding.ASKS_FOR_LOGIN, ROOT, None)
