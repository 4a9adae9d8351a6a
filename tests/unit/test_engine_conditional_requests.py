"""Which requests are conditional, which 304 is believed, and when a page is due."""

from email.utils import formatdate

from msgspec.structs import replace

from gossamer.engine.conditional_requests import (
    compared,
    conditions_for,
    contradicts,
    is_due,
    not_modified,
)
from gossamer.engine.sitemap_dates import lastmod_s
from gossamer.model.discovery_rank import SitemapRole
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.freshness import Conditions, Freshness
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.previous_crawl import PreviousResponse
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.settings.extraction_settings import read_alike
from gossamer.model.visit import Visit
from tests.cases import each_case

ANSWERED_S = 1_700_000_000.0
DAY_S = 86_400.0
DATE = formatdate(ANSWERED_S, usegmt=True)


def page(*headers: tuple[str, str], **changes: object) -> PreviousResponse:
    known = PreviousResponse(
        id=1,
        outcome=Outcome.PAGE,
        listed=SitemapRole.NONE,
        as_file=False,
        status=200,
        warnings=(),
        headers=[("Date", DATE), ("Content-Type", "text/html"), *headers],
        content_type="text/html",
        content_hash=b"1",
        size_bytes=10,
        raw_bytes=10,
        location=None,
        fetched_at=ANSWERED_S,
        unchanged_since=None,
    )
    return replace(known, **changes)


def answer(*headers: tuple[str, str]) -> Visit:
    return Visit(Outcome.UNEXPECTED_STATUS, 304, headers=list(headers), not_modified=True)


TAG = ("ETag", '"a"')


@each_case(
    ("etag", "sent"),
    [
        ('"a"', '"a"'),
        ('W/"a"', 'W/"a"'),
        ('""', '""'),
        ("unquoted", "unquoted"),
        ("*", ""),  # as a condition, any page at all
        ('"*"', '"*"'),
        ('"a-gzip"', '"a-gzip", "a"'),
        ('W/"a;br"', 'W/"a;br", W/"a"'),
        ('"a\u00fc"', ""),
        ('"a", "b"', ""),
        ('"a', ""),
        ("", ""),
        (f'"{"a" * 2000}"', ""),
    ],
)
def test_etags_are_sent_as_they_came_if_they_are_etags(etag: str, sent: str) -> None:
    assert conditions_for(page(("ETag", etag)), FetchKind.PAGE).etags == sent


@each_case(
    ("modified", "is_sent"),
    [
        (formatdate(ANSWERED_S - 60, usegmt=True), True),
        ("Tue, 14 Nov 2023 22:13:18 +0000", True),  # exactly as it came
        (formatdate(ANSWERED_S, usegmt=True), False),
        (formatdate(ANSWERED_S + DAY_S, usegmt=True), False),
        ("Thu, 01 Jan 1970 00:00:00 GMT", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_dates_are_sent_if_they_are_plausible(modified: str, *, is_sent: bool) -> None:
    found = conditions_for(page(("Last-Modified", modified)), FetchKind.PAGE).modified_since
    assert found == (modified if is_sent else "")


def test_two_headers_of_a_name_say_nothing() -> None:
    twice = page(TAG, ("etag", '"b"'), ("Last-Modified", DATE), ("Last-Modified", DATE))
    assert not conditions_for(twice, FetchKind.PAGE)


@each_case(
    "changes",
    [
        {"status": 206},
        {"outcome": Outcome.PAGE_INCOMPLETE},
        {"outcome": Outcome.CHECKED},
        {"outcome": Outcome.CHALLENGE},
        {"status": 404, "outcome": Outcome.CLIENT_ERROR},
        {"warnings": (ResponseWarning.SIZE_LIMIT,)},
        {"content_hash": None},
        {"listed": SitemapRole.READ, "outcome": Outcome.FILE},
    ],
)
def test_only_whole_pages_are_asked_for_on_conditions(changes: dict[str, object]) -> None:
    assert conditions_for(page(TAG), FetchKind.PAGE)
    assert not conditions_for(page(TAG, **changes), FetchKind.PAGE)


def test_a_page_is_no_sitemap_and_a_sitemap_no_page() -> None:
    sitemap = page(TAG, outcome=Outcome.FILE, listed=SitemapRole.READ, content_hash=None)
    assert conditions_for(sitemap, FetchKind.SITEMAP)
    assert not conditions_for(page(TAG), FetchKind.SITEMAP)


REDIRECT = {"status": 301, "outcome": Outcome.REDIRECT, "location": "http://a/"}
FILE = {"outcome": Outcome.FILE, "content_hash": None, "content_type": "image/png"}
SIZE = ("Content-Length", "10")
LINK = ("Link", "</b>; rel=next")
CHECK, PAGE = FetchKind.CHECK, FetchKind.PAGE


@each_case(
    ("known", "kind", "is_conditional"),
    [
        (page(TAG, **REDIRECT), PAGE, True),
        (page(TAG, **REDIRECT), CHECK, True),
        (page(TAG, **REDIRECT | {"outcome": Outcome.REDIRECT_LIMIT}), FetchKind.SITEMAP, True),
        (page(TAG, ("Set-Cookie", "a=…"), **REDIRECT), PAGE, False),  # leads on with it alone
        (page(TAG, status=302, outcome=Outcome.REDIRECT_WITHOUT_LOCATION), PAGE, False),
        (page(TAG, outcome=Outcome.REDIRECT, location="http://a/"), PAGE, True),  # a refresh
        (page(TAG, outcome=Outcome.CHECKED, content_hash=None), CHECK, True),
        (page(TAG), CHECK, False),
        (page(TAG, SIZE, **FILE, raw_bytes=0), CHECK, True),
        (page(TAG, **FILE), CHECK, True),  # its size was counted
        (page(TAG, SIZE, **FILE), CHECK, False),  # it was asked for as a page
        (page(TAG, LINK, **FILE, raw_bytes=0), CHECK, False),
        (page(TAG, SIZE, **FILE, raw_bytes=0), PAGE, True),
        (page(TAG, SIZE, **FILE, as_file=True, raw_bytes=0), PAGE, False),  # its head alone
        (page(TAG, SIZE, **FILE, as_file=True), PAGE, True),
        (page(TAG, SIZE, **FILE | {"content_type": ""}, as_file=True), PAGE, False),
    ],
)
def test_what_was_asked_for_in_the_same_way_is_asked_for_on_conditions(
    known: PreviousResponse, kind: FetchKind, *, is_conditional: bool
) -> None:
    assert bool(conditions_for(known, kind)) is is_conditional


def test_a_redirect_that_leads_elsewhere_now_is_no_longer_as_known() -> None:
    known = page(TAG, ("Location", "/a"), **REDIRECT)
    assert not contradicts(known, answer(TAG, ("Location", "/a")), Conditions('"a"'))
    assert contradicts(known, answer(TAG, ("Location", "/b")), Conditions('"a"'))


@each_case(
    ("told", "is_believed"),
    [
        ((), True),
        ((TAG,), True),
        ((("ETag", 'W/"a"'),), True),
        ((("ETag", '"b"'),), False),
        ((("Last-Modified", DATE), TAG), True),
        ((("Cache-Control", "max-age=1"),), True),
        ((("Content-Type", "text/html"),), True),
        ((("Content-Type", "text/plain"),), False),
        ((("Content-Security-Policy", "script-src 'nonce-new'"),), True),
        ((("Content-Security-Policy", "script-src *"),), False),
        ((("Set-Cookie", "id=another; Secure"),), True),
        ((("Set-Cookie", "id=1"),), False),
        ((("Vary", "Cookie"),), True),
        ((("X-Robots-Tag", "noindex"),), False),
    ],
)
def test_a_304_is_believed_unless_it_says_something_else(
    told: tuple[tuple[str, str], ...], *, is_believed: bool
) -> None:
    csp = ("Content-Security-Policy", "script-src 'nonce-old'")
    known = page(TAG, csp, ("Set-Cookie", "id=1; Secure"))
    conditions = conditions_for(known, FetchKind.PAGE)
    assert contradicts(known, answer(*told), conditions) is not is_believed


def test_without_an_etag_another_date_is_another_page() -> None:
    modified = formatdate(ANSWERED_S - 60, usegmt=True)
    known, sent = page(("Last-Modified", modified)), Conditions(modified_since=modified)
    assert not contradicts(known, answer(("Last-Modified", modified)), sent)
    assert contradicts(known, answer(("Last-Modified", DATE)), sent)


def test_headers_are_those_of_the_page_with_newer_values() -> None:
    before = Visit(
        Outcome.PAGE,
        200,
        headers=[("Date", "then"), TAG, ("Vary", "A"), ("Vary", "B"), ("Content-Length", "9")],
    )
    told = answer(("date", "now"), ("Content-Length", "0"), ("Vary", "C"), ("Age", "1"))
    found = not_modified(page(TAG), before, told)
    assert found.headers == [
        ("Date", "now"),
        TAG,
        ("Content-Length", "9"),
        ("Vary", "C"),
        ("Age", "1"),
    ]
    assert found.status == 200
    assert found.unchanged_since == ANSWERED_S


@each_case(
    ("changes", "freshness"),
    [
        ({}, Freshness.SAME),
        ({"content_hash": b"2"}, Freshness.CHANGED),
        ({"status": 404}, Freshness.CHANGED),
        ({"location": "http://a/"}, Freshness.CHANGED),
        ({"content_hash": None, "size_bytes": 9}, Freshness.CHANGED),
    ],
)
def test_what_was_fetched_is_compared(changes: dict[str, object], freshness: Freshness) -> None:
    fetched = Visit(Outcome.PAGE, 200, size_bytes=10, facts=PageFacts(content_hash=b"1"))
    found = compared(page(**changes), fetched)
    assert found.freshness is freshness
    assert (found.unchanged_since is not None) is (freshness is Freshness.SAME)
    assert compared(None, fetched).freshness is Freshness.NEW


@each_case(
    ("unchanged_days", "days", "due"),
    [(0, 0.9, False), (0, 1.1, True), (10, 4.9, False), (10, 5.1, True), (400, 31, True)],
)
def test_a_page_is_due_after_half_the_time_it_was_unchanged(
    unchanged_days: float, days: float, *, due: bool
) -> None:
    settings = replace(DEFAULTS, adaptive_interval=True)
    known = page(unchanged_since=ANSWERED_S - unchanged_days * DAY_S)
    now_s = ANSWERED_S + days * DAY_S
    assert is_due(known, settings, now_s) is due
    assert is_due(known, DEFAULTS, now_s), "by default, all are"
    assert is_due(replace(known, status=404), settings, now_s)
    assert is_due(known, settings, ANSWERED_S - 1), "the clock was wrong"


@each_case(
    ("text", "moment"),
    [
        ("2023-11-14", "2023-11-15T00:00:00+00:00"),
        ("2023-12-31", "2024-01-01T00:00:00Z"),
        ("2023-11", "2023-12-01T00:00:00Z"),
        ("2023-12", "2024-01-01T00:00:00Z"),
        ("2023", "2024-01-01T00:00:00Z"),
        ("2023-11-14T10:00", "2023-11-14T10:00:00Z"),
        ("2023-11-14T10:00:00.5+02:00", "2023-11-14T08:00:00.500Z"),
    ],
)
def test_a_lastmod_is_the_last_moment_that_it_may_be(text: str, moment: str) -> None:
    assert lastmod_s(text) == lastmod_s(moment)
    assert lastmod_s(f" {text}\n") is not None


@each_case("text", ["", "today", "2023-13", "2023-02-30", "0000", "9999-12-31"])
def test_what_is_no_date_is_no_lastmod(text: str) -> None:
    assert lastmod_s(text) is None


def test_thresholds_and_settings_of_requests_do_not_change_what_is_read() -> None:
    assert read_alike(DEFAULTS, replace(DEFAULTS, workers=3, title_max_length=5, rate=1.0))


def test_any_other_setting_makes_a_difference() -> None:
    for changed in (
        {"max_links": 5},
        {"user_agent": "x"},
        {"render": "on"},
        {"keep_cookies": False},
    ):
        assert not read_alike(DEFAULTS, replace(DEFAULTS, **changed))
