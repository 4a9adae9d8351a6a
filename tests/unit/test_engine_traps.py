"""Budgets for sites without end, and the guard for sites that fail."""

from itertools import pairwise

import pytest

from gossamer.engine.guard import FEWEST, CrawlGuard
from gossamer.engine.traps import (
    DESCENT_BUDGETS,
    FAR_BUDGETS,
    FAR_CLICKS,
    SESSION_BUDGET,
    TrapBudgets,
    first_folder,
    pattern_of,
)
from gossamer.model.outcome import Outcome
from gossamer.model.page import PageFacts, Visit

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/calendar?month=2026-11", "/calendar?month=2031-02"),
        ("/calendar/2026/11/", "/calendar/2027/2/"),
        ("/shop?colour=red", "/shop?size=m&colour=blue&sort=up"),
        ("/a/b/", "/a/b/a/b/a/b/"),
        ("/x/x/x/x", "/x/x"),
        ("/v/3f2a91cc07/info", "/v/90ab77de41cc/info"),
        ("/d/6fa459ea-ee8a-3ca4-894e-db77e160355e", "/d/16fd2706-8baf-433b-82eb-8c7fada847da"),
    ],
)
def test_addresses_of_one_machine_have_one_pattern(one: str, other: str) -> None:
    assert pattern_of(SITE + one) == pattern_of(SITE + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/about", "/contact"),
        ("/list", "/list?page=2"),
        ("/blog/decade", "/blog/facade"),
        ("/de/page", "/en/page"),
        ("https://a.example.com/x", "https://b.example.com/x"),
    ],
)
def test_different_pages_have_different_patterns(one: str, other: str) -> None:
    def absolute(url: str) -> str:
        return url if "://" in url else SITE + url

    assert pattern_of(absolute(one)) != pattern_of(absolute(other))


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        (f"{SITE}/", f"{SITE}/"),
        (f"{SITE}//?q=1", f"{SITE}/?"),
        (f"{SITE}/a", f"{SITE}/a"),
        (f"{SITE}/a//12/a/7", f"{SITE}/a/0"),
        (f"{SITE}/a/b/c/", f"{SITE}/a/b/c"),
        ("https://example.com", "https://example.com"),
        ("mailto:one/2@example.com?subject=3", "mailto:one/2@example.com?"),
    ],
)
def test_patterns_are_the_keys_of_budgets_in_project_files(url: str, pattern: str) -> None:
    assert pattern_of(url) == pattern


def test_a_chain_of_its_own_kind_is_bounded() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/calendar?month={n}" for n in range(30)]
    refusals = [traps.refusal(url, source) for source, url in pairwise(urls)]
    assert refusals.count(None) == 10
    assert refusals[10:] == [Outcome.OVER_BUDGET] * 19
    assert traps.exhausted(urls[-1], urls[0])


def test_what_other_pages_link_to_is_never_refused() -> None:
    traps = TrapBudgets(10)
    refusals = {traps.refusal(f"{SITE}/p/{n}", f"{SITE}/shop/spring") for n in range(1000)}
    assert refusals == {None}


def test_a_tree_of_words_without_end_is_bounded_by_its_depth() -> None:
    traps = TrapBudgets(10)
    words = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"]
    admitted = 0
    source = SITE + "/"
    for start in range(50):
        path = "/".join(words[(start * 3 + n) % 8] + "x" * (start % 9) for n in range(15))
        url = f"{SITE}/woods/{path}"
        admitted += traps.refusal(url, source) is None
        source = url
    assert admitted == 10
    assert first_folder(f"{SITE}/woods/a/b?c=/d") == f"{SITE}/woods"


def test_a_tree_of_words_is_bounded_however_it_branches() -> None:
    traps = TrapBudgets(10)
    tree = [f"{SITE}/woods/"]
    for _ in range(8):
        tree = [
            f"{folder}{word}/"
            for folder in tree
            for word in ("oak", "elm", "ash", "fir")
            if traps.refusal(f"{folder}{word}/", folder) is None
        ]
    assert len(tree) < 10 * DESCENT_BUDGETS
    assert traps.exhausted(f"{SITE}/woods/a/b/c/d/e/f/", f"{SITE}/woods/a/b/c/d/e/")
    assert not traps.exhausted(f"{SITE}/woods/a/b/c/d/e/f/", f"{SITE}/map"), "found elsewhere"
    assert not traps.exhausted(f"{SITE}/woods/a/b/", f"{SITE}/woods/a/"), "not far down"
    assert not traps.exhausted(f"{SITE}/fields/a/b/c/d/e/f/", f"{SITE}/fields/a/b/c/d/e/")


def test_session_ids_are_bounded_whoever_links() -> None:
    traps = TrapBudgets(1000)
    refusals = [
        traps.refusal(f"{SITE}/a?PHPSESSID={n}", f"{SITE}/b?PHPSESSID={n}") for n in range(100)
    ]
    assert refusals.count(None) == SESSION_BUDGET


@pytest.mark.parametrize("marker", ["(S(lit3py55t21z5v55vlm25s{}))", "(A({}))", "(X(1)S(abc{}))"])
def test_session_folders_are_bounded_for_each_page(marker: str) -> None:
    traps = TrapBudgets(1000)
    for page in ("list", "item/7"):
        urls = [f"{SITE}/shop/{marker.format(n)}/{page}" for n in range(100)]
        refusals = [traps.refusal(url, f"{SITE}/") for url in urls]
        assert refusals.count(None) == SESSION_BUDGET
    assert traps.refusal(f"{SITE}/shop/list", f"{SITE}/") is None
    assert traps.refusal(f"{SITE}/wiki/Mercury_(S(1))/x", f"{SITE}/") is None


def test_machines_of_several_patterns_are_bounded_by_how_far_they_lead() -> None:
    traps = TrapBudgets(10)

    def admitted(depth: int) -> int:
        days = [f"{SITE}/{n // 28}/month/{n % 28}" for n in range(500)]
        return sum(traps.refusal(url, f"{SITE}/2026-11", depth) is None for url in days)

    assert admitted(FAR_CLICKS - 1) == 500
    assert admitted(FAR_CLICKS) == 10 * FAR_BUDGETS
    assert traps.exhausted(f"{SITE}/7/month/7", f"{SITE}/", FAR_CLICKS)
    assert not traps.exhausted(f"{SITE}/7/month/7", f"{SITE}/", FAR_CLICKS - 1)
    words = [f"{SITE}/{'ab' * (n % 40)}x{'yz' * (n // 40)}" for n in range(500)]
    assert all(traps.refusal(url, f"{SITE}/", 200) is None for url in words), "a wiki is no machine"


def test_hosts_that_lead_to_hosts_without_end_are_bounded() -> None:
    traps = TrapBudgets(10)
    hosts = [f"http://{n:x}.example.com/" for n in range(500)]
    refusals = [traps.refusal(url, source, FAR_CLICKS) for source, url in pairwise(hosts)]
    assert refusals.count(None) == 10 * FAR_BUDGETS


@pytest.mark.parametrize("end", ["", "/"])
def test_folders_in_any_order_are_few(end: str) -> None:
    traps, known = TrapBudgets(10), dict[str, int]()
    words = ("red", "large", "cheap", "new", "wool")
    level = [f"{SITE}/shop{end}"]
    for _ in words:
        found = [
            (f"{url.rstrip('/')}/{word}{end}", url)
            for url in level
            for word in words
            if word not in url.split("/")
        ]
        level = []
        for url, source in found:
            if traps.refusal(url, source, 0, known.get) is None:
                known[url] = 1
                level.append(url)
    assert len(known) < 4 * 2**5, "of 325"
    assert {frozenset(url.rstrip("/").split("/")[4:]) for url in known} == {
        frozenset(word for place, word in enumerate(words) if chosen >> place & 1)
        for chosen in range(1, 32)
    }


def test_the_order_of_few_folders_is_nobody_s_business() -> None:
    traps, known = TrapBudgets(1), {f"{SITE}/compare/a/b": 1, f"{SITE}/x/a/b/c?d": 1}
    for _ in range(9):
        assert traps.refusal(f"{SITE}/compare/b/a", f"{SITE}/compare/b", 0, known.get) is None
        assert traps.refusal(f"{SITE}/x/b/c/a", f"{SITE}/map", 0, known.get) is None
    assert (
        traps.exhausted(f"{SITE}/x/a/c/b", f"{SITE}/x/a/c", 0, {f"{SITE}/x/a/b/c": 1}.get) is False
    )


def test_pages_that_all_look_alike_lead_on_only_for_a_while() -> None:
    traps = TrapBudgets(10)
    same = PageFacts(title="Welcome", h1="Welcome", word_count=40)
    verdicts = [traps.looks_made_up(f"{SITE}/{n * 7919:x}", same) for n in range(150)]
    assert verdicts == [False] * 100 + [True] * 50
    assert not traps.looks_made_up("https://other.example/", same)
    assert not traps.looks_made_up(f"{SITE}/file", None)


def test_pages_that_differ_in_anything_lead_on_for_ever() -> None:
    traps = TrapBudgets(10)
    pages = [PageFacts(title="Wiki", h1="Page", word_count=n) for n in range(1000)]
    pages += [PageFacts(title=f"Page {n}", word_count=40) for n in range(1000)]
    assert not any(traps.looks_made_up(f"{SITE}/{n}", page) for n, page in enumerate(pages))


def test_what_is_spent_is_told_once_and_taken_up_again() -> None:
    traps, urls = TrapBudgets(20), [f"{SITE}/calendar?month={n}" for n in range(16)]
    for source, url in pairwise(urls):
        traps.refusal(url, source)
        traps.looks_made_up(url, PageFacts(title="Month"))
    spent = traps.changed()
    assert sorted(spent.values()) == [15, 15]
    assert traps.changed() == {}
    later = TrapBudgets(15)
    later.restore({key: 10 * number if "alike" in key else number for key, number in spent.items()})
    assert later.refusal(urls[0], urls[1]) is Outcome.OVER_BUDGET
    assert later.looks_made_up(urls[0], PageFacts(title="Month"))


def test_of_what_is_taken_up_again_the_largest_is_forgotten_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gossamer.engine.traps.MAX_PATTERNS", 3)
    first, second = f"{SITE}/a?n=1", f"{SITE}/a?n=2"
    budgets = TrapBudgets(10)
    budgets.restore({pattern_of(first): 10, f"{SITE}/b?": 5, f"{SITE}/c?": 1})
    assert budgets.refusal(f"{SITE}/d?n=1", f"{SITE}/d?n=2") is None
    assert budgets.refusal(first, second) is Outcome.OVER_BUDGET


def test_the_guard_speaks_up_once_when_nearly_all_fails() -> None:
    guard = CrawlGuard()
    lost = Visit(Outcome.CONNECTION_LOST)
    sentences = [guard.note(lost) for _ in range(FEWEST)]
    assert sentences[:-1] == [None] * (FEWEST - 1)
    assert sentences[-1] is not None
    assert Outcome.CONNECTION_LOST.sentence in str(sentences[-1])
    assert guard.note(lost) is None


def test_an_answer_that_is_fine_does_not_trip_the_guard_the_next_failure_does() -> None:
    guard = CrawlGuard()
    lost = Visit(Outcome.CONNECTION_LOST)
    assert not any(guard.note(lost) for _ in range(FEWEST - 1))
    assert guard.note(Visit(Outcome.PAGE, status=200)) is None
    assert guard.note(lost) is not None


def test_dead_links_and_single_failures_do_not_trip_the_guard() -> None:
    guard = CrawlGuard()
    dead = Visit(Outcome.CLIENT_ERROR, status=404)
    assert not any(guard.note(dead) for _ in range(200))
    page = Visit(Outcome.PAGE, status=200)
    busy = Visit(Outcome.CLIENT_ERROR, status=429)
    answers = [page if n % 5 == 0 else busy for n in range(300)]
    assert not any(guard.note(answer) for answer in answers)


def test_a_site_that_fails_in_many_ways_does_not_trip_the_guard() -> None:
    guard = CrawlGuard()
    ways = (
        Visit(Outcome.CONNECTION_LOST),
        Visit(Outcome.TIMEOUT),
        Visit(Outcome.SERVER_ERROR, status=500),
        Visit(Outcome.CLIENT_ERROR, status=403),
    )
    assert not any(guard.note(ways[n % 4]) for n in range(400))


def test_being_refused_trips_the_guard_and_names_the_status() -> None:
    guard = CrawlGuard()
    sentences = [guard.note(Visit(Outcome.CLIENT_ERROR, status=429)) for _ in range(FEWEST)]
    assert "status 429." in str(sentences[-1])
