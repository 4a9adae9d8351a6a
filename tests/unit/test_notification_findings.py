"""When conditions hold, what is told of them, and when that is the same as before."""

from collections.abc import Iterable
from typing import Any

import pytest

from gossamer.model.comparison_results import PageChange
from gossamer.model.errors import UsageError
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.conditions import ConditionKind, EndKind, RuleCondition, parse_condition
from gossamer.notifying.crawl_facts import (
    CrawlFacts,
    IssueCount,
    PageDifference,
    SiteFiles,
    SitemapState,
    TextState,
)
from gossamer.notifying.findings import MOST_ITEMS, ConditionFinding, decide
from tests.cases import each_case

NOW = 1_800_000_000.0
DAY = 86_400.0
SITE = "https://a.example"


def facts(**known: Any) -> CrawlFacts:
    return CrawlFacts(**{"ending": EndKind.FINISHED, "run": "1", **known})


def found(text: str, known: CrawlFacts, fields: tuple[str, ...] = ()) -> ConditionFinding | None:
    return decide(parse_condition(text, fields), known, NOW)


def held(text: str, known: CrawlFacts, fields: tuple[str, ...] = ()) -> ConditionFinding:
    finding = found(text, known, fields)
    assert finding is not None
    return finding


def texts(finding: ConditionFinding) -> tuple[str, ...]:
    return tuple(map(str, finding.items))


def certificate(days: float, origin: str = SITE) -> ServerCertificate:
    return ServerCertificate(origin, NOW, 0.0, NOW + days * DAY, "", "", (), "ab")


@each_case(
    ("text", "kept"),
    [
        ("ended", "ended:finished,failed,paused"),
        ("ended:paused, failed", "ended:failed,paused"),
        ("issue", "issue:high"),
        ("errors", "errors:0"),
        ("errors: 0100", "errors:100"),
        ("certificate", "certificate:14"),
        ("robots", "robots"),
        ("page:/a:b$", "page:/a:b$"),
    ],
)
def test_a_condition_is_kept_in_its_usual_form(text: str, kept: str) -> None:
    assert str(parse_condition(text)) == kept
    assert parse_condition(kept) == parse_condition(text)


@each_case(
    "text",
    [
        *(
            "",
            "anything",
            "Ended",
            "ended:now",
            "issue:huge",
            "errors:-1",
            "errors:1e3",
            "errors:²",
        ),
        *("errors:99999999999999999999", "page", "page:(", "page:(a+)+$", "robots:x"),
        *("certificate:4000", "page:" + "x" * 3000),
    ],
)
def test_what_is_no_condition_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"[.…]$"):
        parse_condition(text)


def test_fields_are_those_of_pages_alone_and_by_any_of_their_names() -> None:
    assert parse_condition("page:x", ("Title 1", "status")).fields == ("status", "title")
    assert parse_condition("robots", ("title",)).fields == ()
    with pytest.raises(UsageError):
        parse_condition("page:x", ("nonsense",))


@pytest.mark.parametrize("ending", EndKind)
def test_the_end_of_a_crawl_is_told_once_a_run(ending: EndKind) -> None:
    why = said("The disk is full.")
    told = found("ended", facts(ending=ending, why=why))
    assert told is not None
    assert texts(told) == ("The disk is full.",)
    assert told.fingerprint != held("ended", facts(ending=ending, why=why, run="2")).fingerprint
    another = facts(ending=ending, why=said("The login failed."))
    assert told.fingerprint != held("ended", another).fingerprint
    others = ",".join(set(EndKind) - {ending})
    assert found(f"ended:{others}", facts(ending=ending)) is None


def issue(name: str, priority: str, urls: int, appeared: int | None) -> IssueCount:
    return IssueCount(1, Translatable(name), priority, urls, appeared)


def test_issues_that_were_there_before_are_not_told() -> None:
    known = facts(
        issues=(
            issue("H1: Missing", "high", 5, 0),
            issue("Page Titles: Missing", "high", 3, 2),
            issue("H2: Missing", "medium", 9, 9),
        )
    )
    assert texts(held("issue:high", known)) == ("Page Titles: Missing: +2",)
    assert held("issue:medium", known).count == 2


def test_issues_on_new_pages_are_told_apart() -> None:
    known = facts(issues=(IssueCount(1, Translatable("HTTP URLs"), "high", 20, 18, on_new=17),))
    assert texts(held("issue:high", known)) == ("HTTP URLs: +18 (on new pages: 17)",)


def test_without_a_crawl_before_issues_that_are_there_are_told_once() -> None:
    known = facts(issues=(issue("A", "high", 5, None), issue("B", "high", 0, None)))
    told = found("issue", known)
    assert told is not None
    assert texts(told) == ("A: 5",)
    assert found("issue", facts(issues=known.issues, run="2")) == told


def test_the_same_issue_that_appears_again_is_told_again() -> None:
    known = (issue("A", "high", 5, 1),)
    first, second = (found("issue", facts(issues=known, run=run)) for run in ("1", "2"))
    assert first is not None
    assert second is not None
    assert first.fingerprint != second.fingerprint


def test_errors_are_told_above_the_limit_and_again_when_they_change() -> None:
    known = facts(errors=10, client_errors=7, server_errors=2, no_response=1)
    assert found("errors:10", known) is None
    told = found("errors:9", known)
    assert told is not None
    assert str(told.sentence) == "Errors: 10 (4xx: 7, 5xx: 2, no response: 1)"
    again = facts(errors=10, client_errors=7, server_errors=2, no_response=1, run="2")
    assert found("errors:9", again) == told
    assert held("errors:9", facts(errors=11)).fingerprint != told.fingerprint


def pages(*each: PageDifference) -> CrawlFacts:
    return facts(pages=lambda: iter(each))


def test_pages_are_told_by_pattern_and_field() -> None:
    known = pages(
        PageDifference(f"{SITE}/price", PageChange.CHANGED, frozenset({"title", "word_count"})),
        PageDifference(f"{SITE}/price/old", PageChange.MISSING),
        PageDifference(f"{SITE}/about", PageChange.CHANGED, frozenset({"title"})),
    )
    assert texts(held("page:/price", known)) == (
        f"{SITE}/price (Title, Word count)",
        f"{SITE}/price/old (Missing)",
    )
    assert texts(held("page:/price", known, ("h1",))) == (f"{SITE}/price/old (Missing)",)
    assert found("page:/about", known, ("h1",)) is None
    assert found("page:/none", known) is None


def test_of_a_million_pages_ten_are_told_and_all_counted() -> None:
    def many() -> Iterable[PageDifference]:
        return (PageDifference(f"{SITE}/{number}", PageChange.NEW) for number in range(1_000_0))

    told = found("page:.", facts(pages=many))
    assert told is not None
    assert (len(told.items), told.count) == (MOST_ITEMS, 10_000)


def test_addresses_with_control_characters_stay_one_line() -> None:
    nasty = f"{SITE}/\r\nBcc: all@example.com\x1b[2J" + "x" * 5000
    told = found("page:.", pages(PageDifference(nasty, PageChange.NEW)))
    assert told is not None
    (item,) = texts(told)
    assert len(item) < 400
    assert not {"\r", "\n", "\x1b"} & set(item)


def robots(before: TextState | None, after: TextState | None) -> CrawlFacts:
    old = {} if before is None else {SITE: before}
    new = {} if after is None else {SITE: after}
    return facts(files=SiteFiles(new, {}), files_before=SiteFiles(old, {}))


@each_case(
    ("before", "after", "changes"),
    [
        (TextState(200, "a"), TextState(200, "b"), True),
        (TextState(200, "a"), TextState(200, "a"), False),
        (TextState(200, "a"), TextState(404), True),
        (TextState(404), TextState(200, "a"), True),
        (TextState(200, "a"), TextState(None), False),  # not known: nothing came
        (TextState(200, "a"), TextState(503), False),
        (TextState(503), TextState(200, "a"), False),
        (TextState(200, "a"), None, False),  # another host
        (None, TextState(200, "a"), False),
    ],
)
def test_a_robots_txt_has_changed_if_both_are_known(
    before: TextState | None, after: TextState | None, changes: bool
) -> None:
    assert (found("robots", robots(before, after)) is not None) == changes


@pytest.mark.parametrize(
    ("after", "words"),
    [(TextState(200, "b"), "its text has changed"), (TextState(404), "status 200 → 404")],
)
def test_what_changed_in_a_robots_txt_is_said_in_words(after: TextState, words: str) -> None:
    (item,) = texts(held("robots", robots(TextState(200, "a"), after)))
    assert item == f"{SITE}/robots.txt ({words})"


def test_a_page_with_other_issues_alone_says_so() -> None:
    page = PageDifference(f"{SITE}/a", PageChange.CHANGED, frozenset({"issues"}))
    assert texts(held("page:.", pages(page))) == (f"{SITE}/a (issues found or gone)",)


def test_without_a_crawl_before_no_file_has_changed() -> None:
    known = facts(files=SiteFiles({SITE: TextState(200, "a")}, {SITE: SitemapState(True, 1, "a")}))
    assert found("robots", known) is None
    assert found("sitemap", known) is None


MAP = f"{SITE}/sitemap.xml"


def sitemap(
    before: SitemapState | None, after: SitemapState | None, ending: EndKind
) -> ConditionFinding | None:
    old = {} if before is None else {MAP: before}
    new = {} if after is None else {MAP: after}
    return found(
        "sitemap",
        facts(ending=ending, files=SiteFiles({}, new), files_before=SiteFiles({}, old)),
    )


@each_case(
    ("before", "after", "changes"),
    [
        (SitemapState(True, 2, "a"), SitemapState(True, 2, "b"), True),
        (SitemapState(True, 2, "a"), SitemapState(True, 2, "a"), False),
        (SitemapState(True, 2, "a"), SitemapState(False), True),
        (SitemapState(True, 2, "a"), SitemapState(None), False),
        (SitemapState(True, 2, "a"), None, True),
        (None, SitemapState(True, 2, "a"), True),
        (None, SitemapState(False), False),
    ],
)
def test_a_sitemap_has_changed_by_its_urls_or_by_being_there(
    before: SitemapState | None, after: SitemapState | None, changes: bool
) -> None:
    assert (sitemap(before, after, EndKind.FINISHED) is not None) == changes


def test_what_an_unfinished_crawl_has_not_read_is_not_gone() -> None:
    assert sitemap(SitemapState(True, 2, "a"), None, EndKind.PAUSED) is None


def test_certificates_are_told_from_the_first_moment_on_and_once() -> None:
    shown = (certificate(14.1), certificate(13.9, f"{SITE}:8443"), certificate(-3, f"{SITE}:444"))
    told = found("certificate", facts(certificates=shown))
    assert told is not None
    assert texts(told) == (f"{SITE}:444 (2027-01-12)", f"{SITE}:8443 (2027-01-29)")
    later = decide(
        RuleCondition(ConditionKind.CERTIFICATE, "14"), facts(certificates=shown), NOW + 1
    )
    assert later == told
    assert found("certificate:3", facts(certificates=(certificate(3.1),))) is None
