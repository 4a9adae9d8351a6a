"""Budgets for sites without end, and the guard for sites that fail."""

from collections.abc import Iterable
from itertools import pairwise

import pytest

from gossamer.engine.failures.failure_guard import FEWEST, FailureGuard
from gossamer.engine.traps.repeated_content import SPREADING, LinkSource, Novelty
from gossamer.engine.traps.trap_budgets import (
    EARNED,
    EARNED_AT_LARGE,
    FAR_BUDGETS,
    FAR_CLICKS,
    LARGE_BUDGETS,
    SESSION_BUDGET,
    TrapBudgets,
)
from gossamer.engine.traps.url_patterns import folder_of, pattern_of
from gossamer.engine.url_tracker import Lane
from gossamer.extract.phrase_hashes import phrase_hashes_in
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.cases import each_case

SITE = "https://example.com"


@each_case(
    ("one", "other"),
    [
        ("/calendar?month=2026-11", "/calendar?month=2031-02"),
        ("/calendar/2026/11/", "/calendar/2027/2/"),
        ("/shop?colour=red", "/shop?size=m&colour=blue&sort=up"),
        ("/a/b/", "/a/b/a/b/a/b/"),
        ("/x/x/x/x", "/x/x"),
        ("/v/3f2a91cc07/info", "/v/90ab77de41cc/info"),
        ("/tag/red+wool", "/tag/blue+silk+new"),
        ("/tag/red,wool/list", "/tag/silk%2Cnew/list"),
        ("/d/6fa459ea-ee8a-3ca4-894e-db77e160355e", "/d/16fd2706-8baf-433b-82eb-8c7fada847da"),
    ],
)
def test_addresses_of_one_machine_have_one_pattern(one: str, other: str) -> None:
    assert pattern_of(SITE + one) == pattern_of(SITE + other)


@each_case(
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


@each_case(
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


@each_case(
    ("path", "folder"),
    [("/", "/"), ("/a", "/"), ("/a?b=/c/", "/"), ("/a/", "/a/"), ("/a/b/c?d", "/a/"), ("//", "//")],
)
def test_a_folder_is_the_first_of_a_path(path: str, folder: str) -> None:
    assert folder_of(SITE + path) == (SITE + folder if folder != "//" else f"{SITE}//")


def barren(url: str, depth: int = 1) -> LinkSource:
    """A page that says nothing new, and looks like no other."""
    return LinkSource(f"{SITE}{url}" if url.startswith("/") else url, depth)


def alike(url: str, number: int = 0) -> LinkSource:
    """A page that looks just like another."""
    return LinkSource(f"{SITE}{url}", 1, number, is_alike=True)


def yields(traps: TrapBudgets, url: str, says: str, parent: int = 0) -> None:
    """A page with something new that leads nowhere, found on the page with the id `parent`."""
    traps.finish(traps.visited(f"{SITE}{url}", 2, page(says), 1_000_000, parent))


def spreading(traps: TrapBudgets, generations: int) -> LinkSource:
    """The last of so many pages, each with something new, that lead to new pages alone."""
    sources = [
        traps.visited(f"{SITE}/w/{letters(n)}", n, page(f"A tale of {letters(77 * n)}"), n + 1, n)
        for n in range(generations)
    ]
    for source in sources:
        traps.note_targets(source, 8, 0)
        traps.finish(source)
    return sources[-1]


def page(says: str, title: str | None = None) -> Visit:
    facts = PageFacts(title=title, word_count=len(says.split()), phrases=phrase_hashes_in([says]))
    return Visit(Outcome.PAGE, status=200, facts=facts)


def letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def is_to_reopen(traps: TrapBudgets) -> bool:
    return traps.has_repaid


def admitted(traps: TrapBudgets, urls: Iterable[str], source: LinkSource) -> int:
    return sum(traps.refusal(url, source) is None for url in urls)


def test_a_chain_of_its_own_kind_is_bounded() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/calendar?month={n}" for n in range(30)]
    refusals = [traps.refusal(url, barren(source)) for source, url in pairwise(urls)]
    assert refusals[:10] == [None] * 10
    assert refusals[10:] == [f"{SITE}/calendar?"] * 19
    assert traps.exhausted(urls[-1], barren(urls[0]))


def test_what_stands_on_pages_that_say_something_new_is_free() -> None:
    traps = TrapBudgets(1)
    for n in range(100):
        source = traps.visited(f"{SITE}/wiki?title={n}", 50, page(f"All about {letters(n)}"))
        assert source.is_new
        assert traps.refusal(f"{SITE}/wiki?title={n + 1}", source) is None
    assert traps.take_changes() == {}


def test_what_other_pages_link_to_is_never_refused() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/p/{n}" for n in range(1000)]
    assert admitted(traps, urls, barren("/shop/spring")) == 1000


def test_a_page_that_says_something_new_pays_for_ten_of_its_kind() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/calendar?month={n}" for n in range(100)]
    assert admitted(traps, urls, barren("/calendar?month=0")) == 10
    traps.visited(urls[3], 1, page("A concert of brass"))
    assert admitted(traps, urls, barren("/calendar?month=1")) == EARNED
    for _ in range(5):
        traps.visited(urls[4], 1, page("A concert of brass"))  # it was said before
    assert admitted(traps, urls, barren("/calendar?month=2")) == 0


def test_a_list_that_leads_to_pages_of_another_kind_is_no_trap() -> None:
    traps = TrapBudgets(2)
    for n in range(500):
        source = barren(f"/list?page={n}")
        assert traps.refusal(f"{SITE}/list?page={n + 1}", source) is None
        assert traps.refusal(f"{SITE}/story-{n}", source) is None
        traps.finish(source)


def test_a_list_that_leads_to_what_is_known_or_left_out_is_one() -> None:
    traps = TrapBudgets(2)
    source = alike("/list?page=0")
    exhausted = [f"{SITE}/day/{n}" for n in range(2 * LARGE_BUDGETS)]
    assert admitted(traps, exhausted, source) == len(exhausted)
    for n in range(10):
        older = traps.refusal(f"{SITE}/list?page={n + 1}", barren(f"/list?page={n}"))
        assert older == (f"{SITE}/list?" if n >= 2 else None)
        source = alike(f"/list?page={n}", 1)
        assert traps.refusal(f"{SITE}/day/late-{n}", source) == "folders"
        traps.note_targets(source, 1, 0)
        traps.finish(source)


@pytest.mark.parametrize("depth", [2, FAR_CLICKS - 1, 5000])
def test_what_a_list_leads_to_pays_for_the_list_too(depth: int) -> None:
    traps = TrapBudgets(2)
    for n in range(500):
        source = LinkSource(f"{SITE}/list?page={n}", depth, n + 1, n, is_alike=True)
        traps.note_targets(source, 2, 0)
        assert traps.refusal(f"{SITE}/list?page={n + 1}", source) is None, n
        assert traps.refusal(f"{SITE}/story/{n}", source) is None, n
        traps.finish(source)
        yields(traps, f"/story/{n}", f"A story of {letters(n)}", n + 1)


def test_folders_of_similar_pages_are_bounded_whatever_their_words() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/woods/{letters(n)}/{letters(7 * n)}" for n in range(500)]
    assert admitted(traps, urls, alike("/woods/a")) == 10 * LARGE_BUDGETS
    assert admitted(traps, urls, barren("/woods/a")) == 500, "a page that looks like no other"


def test_folders_without_end_are_bounded_where_nothing_new_is_found() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/{letters(n)}/{letters(7 * n)}" for n in range(500)]
    assert admitted(traps, urls, alike("/z/z")) == 10 * LARGE_BUDGETS
    yields(traps, "/shop/", "Everything for the garden")
    assert admitted(traps, urls, alike("/shop/list")) == EARNED, "the shop's own"


def test_a_home_page_with_content_does_not_vouch_for_its_siblings() -> None:
    traps = TrapBudgets(10)
    yields(traps, "/", "Everything for the garden")
    spread = [f"{SITE}/{letters(n)}/{letters(7 * n)}" for n in range(500)]
    assert admitted(traps, spread, alike("/woods")) == 10 * LARGE_BUDGETS + EARNED


def test_a_maze_of_lists_of_words_is_one_kind() -> None:
    for mark in ("+", ",", ";", "|", "%20", "%2C"):
        traps = TrapBudgets(10)
        words = [f"{SITE}/tag/{letters(n)}{mark}{letters(9 * n)}" for n in range(50)]
        assert admitted(traps, words, barren(words[0])) == 10


def test_session_ids_are_bounded_whoever_links() -> None:
    for source in (barren("/"), LinkSource(SITE, is_new=True)):
        traps = TrapBudgets(1000)
        urls = [f"{SITE}/a?PHPSESSID={n}" for n in range(100)]
        assert admitted(traps, urls, source) == SESSION_BUDGET


@pytest.mark.parametrize("marker", ["(S(lit3py55t21z5v55vlm25s{}))", "(A({}))", "(X(1)S(abc{}))"])
def test_session_folders_are_bounded_for_each_page(marker: str) -> None:
    traps = TrapBudgets(1000)
    for name in ("list", "item/7"):
        urls = [f"{SITE}/shop/{marker.format(n)}/{name}" for n in range(100)]
        assert admitted(traps, urls, barren("/")) == SESSION_BUDGET
    assert traps.refusal(f"{SITE}/shop/list", barren("/")) is None
    assert traps.refusal(f"{SITE}/wiki/Mercury_(S(1))/x", barren("/")) is None


def test_machines_of_several_patterns_are_bounded_by_how_far_they_lead() -> None:
    traps = TrapBudgets(10)
    days = [f"{SITE}/{n // 28}/month/{n % 28}" for n in range(500)]
    assert admitted(traps, days, barren("/2026-11", FAR_CLICKS - 2)) == 500
    assert admitted(traps, days, barren("/2026-11", FAR_CLICKS - 1)) == 10 * FAR_BUDGETS
    words = [f"{SITE}/{'ab' * (n % 40)}x{'yz' * (n // 40)}" for n in range(500)]
    assert admitted(traps, words, barren("/", 200)) == 500, "a wiki is no machine"
    listed = [f"{SITE}/y/{n}" for n in range(500)]
    assert admitted(traps, listed, barren("/", UNLINKED)) == 500, "found in a sitemap"


def test_hosts_without_end_are_bounded_where_nothing_new_is_found() -> None:
    traps = TrapBudgets(10)
    hosts = [f"http://{letters(n)}.example.com/" for n in range(500)]
    refusals = [traps.refusal(url, barren(source)) for source, url in pairwise(hosts)]
    assert refusals == [None] * 10 + ["hosts"] * 489
    traps.visited(hosts[3], 1, page("A person and a garden"))
    assert admitted(traps, hosts[:300], barren(hosts[400])) == EARNED_AT_LARGE + 1, (
        "and the host itself"
    )


@pytest.mark.parametrize("spread", [0, SPREADING - 1])
def test_what_was_left_out_costs_no_host_once_its_host_has_said_something_new(spread: int) -> None:
    traps = TrapBudgets(10)
    url, *others = (f"http://{letters(n)}.example.com/{letters(n)}" for n in range(500))
    source = LinkSource(f"{SITE}/list", id=1, is_new=False, spread=spread)
    traps.remember_source(source)
    assert admitted(traps, others, source) == 10
    traps.visited(url, 1, page("A person and a garden"))
    traps.reopen()
    left_out = [f"{url}/{letters(n)}" for n in range(500)]
    granted = sum(traps.grants("hosts", each, source.url, source.id) for each in left_out)
    assert granted == (10 * LARGE_BUDGETS if spread else 500), "pages that spread cost at large"
    assert sum(traps.grants("hosts", each, source.url, 1) for each in others) == EARNED_AT_LARGE


def test_hosts_that_a_person_named_are_no_trap_whatever_they_say() -> None:
    traps = TrapBudgets(10, root_hosts=["a.example", "www.b.example", "c.example:8080"])
    named = ["http://www.a.example/", "https://a.example/", "http://b.example/"]
    for url in (*named, "http://c.example:8080/"):
        assert admitted(traps, [f"{url}{letters(n)}" for n in range(100)], barren("/")) == 100
    others = [f"http://c.example/{letters(n)}" for n in range(100)]
    assert admitted(traps, others, barren("/")) == 10, "another port is another server"


@pytest.mark.parametrize("end", ["", "/"])
def test_folders_in_any_order_are_few(end: str) -> None:
    traps, known = TrapBudgets(10), set[str]()
    words = ("red", "large", "cheap", "new", "wool")
    level = [f"{SITE}/shop{end}"]
    for _ in words:
        found = [
            (f"{url.rstrip('/')}/{word}{end}", url)
            for url in level
            for word in words
            if word not in url.split("/")
        ]
        level = [url for url, source in found if traps.refusal(url, barren(source)) is None]
        known.update(level)
    assert len(known) < 2**5 + 25 + 10, "of 325"
    assert {frozenset(url.rstrip("/").split("/")[4:]) for url in known} == {
        frozenset(word for place, word in enumerate(words) if chosen >> place & 1)
        for chosen in range(1, 32)
    }


def test_a_few_folders_in_any_order_are_not_bounded() -> None:
    traps = TrapBudgets(1)
    for order in ("a/b", "b/a"):
        url = f"{SITE}/compare/{order}"
        assert traps.refusal(url, barren(url.rpartition("/")[0])) is None
    for order in ("x/a/b/c", "x/c/b/a", "x/b/a/c"):
        assert traps.refusal(f"{SITE}/{order}", barren("/map")) is None


def test_what_a_page_says_is_new_once_whatever_its_numbers_and_its_address() -> None:
    traps = TrapBudgets(10)
    assert traps.visited(f"{SITE}/a", 1, page("Shoes of red leather")).is_new

    def is_alike(path: str, title: str) -> bool:
        source = traps.visited(f"{SITE}{path}", 1, page("Shoes of red leather", title))
        assert not source.is_new
        traps.note_targets(source, 1, 0)
        return source.is_alike

    assert not is_alike("/b", "Shoes")
    assert is_alike("/c", "Shoes")
    assert not is_alike("/d", "Red shoes")
    assert is_alike("/blue", "Blue shoes")
    assert is_alike("/7", "Shoes 8")


def test_files_and_ways_out_pay_too() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/d/{n}" for n in range(100)]
    file = Visit(Outcome.FILE, status=200, content_type="application/pdf", size_bytes=7)
    way_out = Visit(Outcome.REDIRECT_OUT_OF_SCOPE, status=302, location="http://far.example/")
    for visit in (file, way_out):
        admitted(traps, urls, barren(urls[0]))
        assert [traps.visited(urls[0], 1, visit).is_new for _ in range(2)] == [True, False]
        assert admitted(traps, urls, barren(urls[0])) == EARNED


def test_all_folders_and_hosts_without_anything_new_share_one_budget() -> None:
    traps = TrapBudgets(10)
    found = 0
    for n in range(100):
        place = f"http://{letters(n)}.example.com/{letters(n)}"
        source = LinkSource(f"{place}/x", 1, is_alike=True)
        found += admitted(traps, [f"{place}/{letters(k)}" for k in range(20)], source)
    assert found == 10 * LARGE_BUDGETS
    assert traps.exhausted(f"{SITE}/shop/shoes", alike("/shop/list"))
    yields(traps, "/shop/boots", "Boots of red leather")
    assert not traps.exhausted(f"{SITE}/shop/shoes", alike("/shop/list"))


def test_a_productive_folder_no_longer_counts_towards_the_shared_budget() -> None:
    traps = TrapBudgets(10)
    shop = [f"{SITE}/shop/{letters(n)}" for n in range(30)]
    assert admitted(traps, shop, alike("/shop/list")) == 30
    yields(traps, "/shop/boots", "Boots of red leather")
    woods = [f"{SITE}/woods/{letters(n)}" for n in range(100)]
    assert admitted(traps, woods, alike("/woods/a")) == 10 * LARGE_BUDGETS


def test_a_page_that_leads_nowhere_pays_for_itself_though_it_looks_like_others() -> None:
    traps = TrapBudgets(2)
    for n in range(500):
        photo = f"{SITE}/photo/{n}"
        assert traps.refusal(photo, alike("/photos")) is None
        traps.finish(LinkSource(photo, 2, is_alike=True))


def test_pages_that_spread_are_doubtful_after_some_generations_whatever_they_say() -> None:
    traps = TrapBudgets(10)
    urls = [f"{SITE}/w/{letters(n)}" for n in range(100, 300)]
    assert admitted(traps, urls, spreading(traps, SPREADING - 1)) == 200
    traps = TrapBudgets(10)
    last = spreading(traps, SPREADING)
    assert last.is_new
    assert {traps.lane(n) for n in range(SPREADING + 1)} == {Lane.USUAL}, "little is doubtful yet"
    assert admitted(traps, urls, last) == 10 * LARGE_BUDGETS
    lanes = [traps.lane(n) for n in range(SPREADING + 1)]
    assert lanes == [Lane.USUAL, Lane.USUAL, Lane.SPREADING, Lane.SPREADING]
    yields(traps, "/blog/a", "An article about brass")
    assert admitted(traps, [f"{SITE}/blog/{letters(n)}" for n in range(100)], last) == EARNED, (
        "its own"
    )


@pytest.mark.parametrize(("new", "tied", "spread"), [(8, 0, 4), (8, 2, 2), (1, 0, 3), (0, 0, 3)])
def test_pages_that_link_to_known_pages_do_not_count_as_spreading(
    new: int, tied: int, spread: int
) -> None:
    traps = TrapBudgets(10)
    spreading(traps, SPREADING)
    source = traps.visited(f"{SITE}/w/z", 9, page("The end of it"), 99, SPREADING)
    traps.note_targets(source, new, tied)
    assert source.spread == spread
    assert source.spreads == (spread > SPREADING)


def test_what_a_page_led_to_vouches_for_its_kind() -> None:
    traps = TrapBudgets(10)
    source = alike("/list?page=1", 1)
    traps.note_targets(source, 3, 0)
    assert traps.lane(1) is Lane.USUAL
    admitted(traps, [f"{SITE}/page/{letters(n)}" for n in range(10)], alike("/list?page=0"))
    assert traps.lane(1) is Lane.ALIKE
    yields(traps, "/story/a", "A story of brass", 1)
    assert traps.lane(1) is Lane.USUAL
    others = [f"{SITE}/story/{letters(n)}" for n in range(2, 500)]
    room = EARNED_AT_LARGE + 10 * (LARGE_BUDGETS - 1) + 2 * EARNED
    assert admitted(traps, others, alike("/list?page=2")) == room, "of both folders, and all"
    assert traps.lane(1) is Lane.ALIKE


def test_a_redirect_does_not_hide_where_something_was_found() -> None:
    traps = TrapBudgets(10)
    last = spreading(traps, SPREADING)
    admitted(traps, [f"{SITE}/w/{letters(n)}" for n in range(100, 110)], last)
    redirect = Visit(Outcome.REDIRECT, status=302, location=f"{SITE}/w/next")
    traps.finish(traps.visited(f"{SITE}/go", 4, redirect, 50, SPREADING))
    assert traps.lane(50) is Lane.SPREADING


def test_asking_for_a_budget_does_not_spend_it() -> None:
    traps, asked = TrapBudgets(1), TrapBudgets(1)
    base = f"{SITE}/shop/red/large"
    orders = [f"{base}/{words}" for words in ("new/wool", "wool/new", "wool/new/x", "x/wool/new")]
    for url in orders:
        assert not asked.exhausted(url, barren(base))
    for subject in (traps, asked):
        assert admitted(subject, orders, barren(base)) == len(orders) - 1
    assert asked.take_changes() == traps.take_changes()
    for url in (f"{base}/new/wool/y", f"{base}/y/wool/new"):
        assert asked.exhausted(url, barren(base)) == traps.exhausted(url, barren(base))
    assert asked.take_changes() == {}


def test_what_was_left_out_is_granted_as_far_as_there_is_room() -> None:
    traps = TrapBudgets(EARNED)
    urls = [f"{SITE}/c?m={n}" for n in range(100)]
    key = f"{SITE}/c?"
    admitted(traps, urls, barren(urls[0]))
    assert not is_to_reopen(traps)
    for n in range(3):
        traps.visited(urls[n], 1, page(f"Something new for {letters(n)}"))
    assert is_to_reopen(traps)
    traps.reopen()
    assert sum(traps.grants(key, url, urls[0]) for url in urls[10:]) == 3 * EARNED
    assert not is_to_reopen(traps), "until it is paid back again"
    traps.visited(urls[3], 1, page("Something new at last"))
    assert is_to_reopen(traps)


def test_what_was_left_out_is_granted_in_so_many_sessions_only() -> None:
    traps = TrapBudgets(100)
    urls = [f"{SITE}/a/list?sid={n}" for n in range(100)]
    assert sum(traps.grants("folders", url, f"{SITE}/b") for url in urls) == SESSION_BUDGET


def test_what_all_folders_left_out_is_granted_by_the_folder_that_yields() -> None:
    traps = TrapBudgets(10)
    for words in ("shop", "woods"):
        admitted(traps, [f"{SITE}/{words}/{letters(n)}" for n in range(100)], alike(f"/{words}/a"))
    assert not is_to_reopen(traps)
    yields(traps, "/shop/boots", "Boots of red leather")
    assert is_to_reopen(traps)
    traps.reopen()
    assert traps.grants("folders", f"{SITE}/shop/shoes", f"{SITE}/shop/a")
    assert traps.grants("folders", f"{SITE}/woods/oak", f"{SITE}/woods/a"), "what the shop spent"


def test_a_budget_that_is_forgotten_is_not_paid_back() -> None:
    traps = TrapBudgets(EARNED, max_kinds=3)
    urls = [f"{SITE}/c?m={n}" for n in range(30)]
    admitted(traps, urls, barren(urls[0]))
    for kind in "defg":
        traps.refusal(f"{SITE}/{kind}?m=1", barren(f"{SITE}/{kind}?m=2"))
    assert not traps.exhausted(urls[-1], barren(urls[0])), "it is forgotten"
    traps.visited(urls[0], 1, page("Something new"))
    assert not is_to_reopen(traps)


def test_spent_budgets_are_reported_once_and_restored() -> None:
    traps, urls = TrapBudgets(20), [f"{SITE}/calendar?month={n}" for n in range(16)]
    for source, url in pairwise(urls):
        traps.refusal(url, barren(source))
    spent = traps.take_changes()
    assert spent == {f"{SITE}/calendar?": 15}
    assert traps.take_changes() == {}
    later = TrapBudgets(15)
    later.restore(spent)
    assert not later.visited(urls[3], 1, page("said before, for all that is known")).is_new
    assert later.refusal(urls[0], barren(urls[1]))
    assert later.set_budget(16)
    assert later.refusal(urls[0], barren(urls[1])) is None


def test_the_largest_restored_budgets_are_evicted_last() -> None:
    first, second = f"{SITE}/a?n=1", f"{SITE}/a?n=2"
    budgets = TrapBudgets(10, max_kinds=3)
    budgets.restore({pattern_of(first): 10, f"{SITE}/b?": 5, f"{SITE}/c?": 1})
    assert budgets.refusal(f"{SITE}/d?n=1", barren(f"{SITE}/d?n=2")) is None
    assert budgets.refusal(first, barren(second))


def test_phrases_of_thousands_of_pages_are_kept_in_bounded_memory() -> None:
    novelty = Novelty()
    pages = [[(n * 16 + k) * 2_654_435_761 % 2**32 for k in range(16)] for n in range(20_000)]
    assert sum(map(novelty.is_new, pages)) == len(pages)
    assert not any(map(novelty.is_new, pages[-8000:]))
    boilerplate = pages[-1]
    assert novelty.is_new([*boilerplate[:14], 1, 2]), "an eighth of it is new"
    assert not novelty.is_new([*boilerplate[:15], 3])
    assert not novelty.is_new([])


def test_the_guard_trips_once_when_nearly_everything_fails() -> None:
    guard = FailureGuard()
    lost = Visit(Outcome.CONNECTION_LOST)
    sentences = [guard.note(lost) for _ in range(FEWEST)]
    assert sentences[:-1] == [None] * (FEWEST - 1)
    assert sentences[-1] is not None
    assert Outcome.CONNECTION_LOST.sentence in str(sentences[-1])
    assert guard.note(lost) is None


def test_an_answer_that_is_fine_does_not_trip_the_guard_the_next_failure_does() -> None:
    guard = FailureGuard()
    lost = Visit(Outcome.CONNECTION_LOST)
    assert not any(guard.note(lost) for _ in range(FEWEST - 1))
    assert guard.note(Visit(Outcome.PAGE, status=200)) is None
    assert guard.note(lost) is not None


def test_dead_links_and_single_failures_do_not_trip_the_guard() -> None:
    guard = FailureGuard()
    dead = Visit(Outcome.CLIENT_ERROR, status=404)
    assert not any(guard.note(dead) for _ in range(200))
    page = Visit(Outcome.PAGE, status=200)
    busy = Visit(Outcome.CLIENT_ERROR, status=429)
    answers = [page if n % 5 == 0 else busy for n in range(300)]
    assert not any(guard.note(answer) for answer in answers)


def test_a_site_that_fails_in_many_ways_does_not_trip_the_guard() -> None:
    guard = FailureGuard()
    ways = (
        Visit(Outcome.CONNECTION_LOST),
        Visit(Outcome.TIMEOUT),
        Visit(Outcome.SERVER_ERROR, status=500),
        Visit(Outcome.CLIENT_ERROR, status=403),
    )
    assert not any(guard.note(ways[n % 4]) for n in range(400))


def test_being_refused_trips_the_guard_and_names_the_status() -> None:
    guard = FailureGuard()
    sentences = [guard.note(Visit(Outcome.CLIENT_ERROR, status=429)) for _ in range(FEWEST)]
    assert "status 429." in str(sentences[-1])
