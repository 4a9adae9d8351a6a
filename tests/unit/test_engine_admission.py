"""What a visit changes, asked of values: new URLs, better ways, decisions, counts."""

import pytest
from msgspec.structs import replace

from gossamer.engine.url_tracker import UrlStage
from gossamer.model.discovery_rank import SITEMAP, UNLINKED, Rank, SitemapRole
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.folder_priority import FolderPriority, QueuePriority
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.visit import Link, PageLinks, Visit
from tests.cases import each_case
from tests.fakes.engine import EngineParts, page_with, redirect_to
from tests.fakes.web import ROOT, absolute

NOT_FOUND = Visit(Outcome.CLIENT_ERROR, status=404)


def crawled_root(*paths: str, **settings: object) -> EngineParts:
    """The root was admitted, a page with a link to each of these, and committed."""
    parts = EngineParts(**settings)
    parts.admission.root(f"{ROOT}/")
    parts.visit(page_with(*paths))
    parts.commit()
    return parts


def test_a_root_is_queued_once() -> None:
    parts = EngineParts()
    parts.admission.root(f"{ROOT}/")
    parts.admission.root(f"{ROOT}/")
    assert len(parts.frontier) == 1
    [row] = parts.commit().new
    assert (row.id, row.rank, row.parent, row.outcome) == (1, Rank(0), None, Outcome.PENDING)


def test_what_a_page_links_to_is_new_a_click_deeper_and_queued() -> None:
    parts = EngineParts()
    parts.admission.root(f"{ROOT}/")
    parts.visit(page_with("/a", "/b"))
    batch = parts.commit()
    found = [(row.url, row.rank, row.parent) for row in batch.new[1:]]
    assert found == [(absolute("/a"), Rank(1), 1), (absolute("/b"), Rank(1), 1)]
    [visit] = batch.visits
    assert (visit.id, visit.outcome, visit.links.targets) == (1, Outcome.PAGE, [2, 3])
    assert [parts.stage(path) for path in ("/a", "/b")] == [UrlStage.WAITING] * 2


def test_a_link_to_a_known_url_that_is_no_better_changes_nothing() -> None:
    parts = crawled_root("/a", "/b")
    parts.visit(page_with("/", "/b", "/a"))
    batch = parts.commit()
    assert (batch.new, batch.improved) == ([], [])
    assert batch.visits[0].links.targets == [1, 3, 2]


def test_a_shorter_way_improves_the_file_and_the_entry_in_the_queue() -> None:
    parts = EngineParts()
    parts.admission.root(f"{ROOT}/")
    root = parts.frontier.take(0.0)
    assert root is not None
    root.rank = Rank(4)
    parts.admit(root, page_with("/a", "/b"))
    parts.frontier.take(0.0)
    other = parts.frontier.take(0.0)
    assert other is not None
    other.rank = Rank(1)
    parts.admit(other, page_with("/a"))
    assert parts.commit().improved == [(2, Rank(2))]
    entry = parts.tracker.entry(2)
    assert entry is not None
    assert entry.rank == Rank(2)


def test_a_refused_link_is_known_and_not_queued() -> None:
    parts = crawled_root("http://other.test/", "mailto:a@b.test")
    assert len(parts.frontier) == 0
    outcomes = {url: row.outcome for url, row in parts.rows.items()}
    assert outcomes["http://other.test/"] is Outcome.OUT_OF_SCOPE
    assert outcomes["mailto:a@b.test"] is Outcome.UNSUPPORTED_SCHEME


def test_an_excluded_link_says_by_which_pattern() -> None:
    parts = crawled_root("/private/a", exclude=("/private/",))
    row = parts.rows[absolute("/private/a")]
    assert row.outcome is Outcome.EXCLUDED
    assert "/private/" in str(row.detail)


def test_a_link_into_a_held_folder_is_held() -> None:
    held = FolderPriority(absolute("/blog/"), QueuePriority.HELD)
    parts = crawled_root("/blog/a", "/b", turns=(held,))
    assert parts.rows[absolute("/blog/a")].outcome is Outcome.HELD
    assert len(parts.frontier) == 1


def test_a_link_into_a_preferred_folder_is_taken_first() -> None:
    first = FolderPriority(absolute("/blog/"), QueuePriority.FIRST)
    parts = crawled_root("/a", "/blog/b", turns=(first,))
    entry = parts.frontier.take(0.0)
    assert entry is not None
    assert entry.url == absolute("/blog/b")


def test_what_is_found_on_a_page_that_holds_its_links_is_held() -> None:
    parts = EngineParts()
    parts.admission.root(f"{ROOT}/")
    root = parts.frontier.take(0.0)
    assert root is not None
    root.holds_links = True
    parts.admit(root, page_with("/a"))
    assert parts.commit().new[1].outcome is Outcome.HELD


def test_a_redirect_reaches_its_target_at_no_greater_depth() -> None:
    parts = crawled_root("/a")
    parts.visit(redirect_to("/b"))
    batch = parts.commit()
    assert batch.visits[0].outcome is Outcome.REDIRECT
    assert batch.new[0].rank == Rank(1, hops=1)
    assert bytes(batch.visits[0].links.links.kinds) == bytes([LinkKind.REDIRECT])


def test_a_redirect_beyond_the_limit_is_recorded_as_such() -> None:
    parts = crawled_root("/a", max_redirects=0)
    parts.visit(redirect_to("/b"))
    batch = parts.commit()
    assert batch.visits[0].outcome is Outcome.REDIRECT_LIMIT
    assert batch.new[0].outcome is Outcome.BEYOND_REDIRECT_LIMIT


def test_a_redirect_out_of_scope_says_so() -> None:
    parts = crawled_root("/a")
    parts.visit(redirect_to("http://other.test/"))
    assert parts.commit().visits[0].outcome is Outcome.REDIRECT_OUT_OF_SCOPE


def test_a_redirect_to_itself_with_new_cookies_is_asked_again_once() -> None:
    parts = crawled_root("/a")
    parts.visit(redirect_to("/a", told=0, ahead=5))
    assert parts.stage("/a") is UrlStage.WAITING
    assert parts.commit().visits == [], "the answer does not count"
    parts.visit(redirect_to("/a", told=5, ahead=9))
    assert [row.outcome for row in parts.commit().visits] == [Outcome.REDIRECT]
    assert parts.stage("/a") is UrlStage.ON_FILE


def test_a_redirect_that_leads_back_with_new_cookies_takes_back_the_first_answer() -> None:
    parts = crawled_root("/a")
    parts.visit(redirect_to("/welcome", told=0, ahead=0))
    assert parts.stage("/a") is UrlStage.VISITED
    assert parts.counters.statuses[302] == 1
    parts.visit(redirect_to("/a", told=0, ahead=5))
    assert parts.stage("/a") is UrlStage.WAITING
    assert [row.id for row in parts.commit().visits] == [3], "that of /welcome alone"
    assert parts.counters.statuses[302] == 1


def test_a_sitemap_that_was_read_is_noted_in_its_rank() -> None:
    parts = EngineParts()
    parts.admission.sitemap(f"{ROOT}/sitemap.xml")
    entry = parts.visit(Visit(Outcome.FILE, status=200))
    assert parts.commit().improved == [(entry.id, Rank(UNLINKED, listed=SitemapRole.READ))]


def test_a_sitemap_looked_for_in_vain_at_its_usual_place_is_no_error() -> None:
    parts = EngineParts()
    parts.admission.sitemap(f"{ROOT}/sitemap.xml")
    entry = parts.visit(NOT_FOUND)
    batch = parts.commit()
    assert batch.visits == []
    assert batch.decided == [(entry.id, Outcome.NO_SITEMAP, None)]


def test_a_sitemap_that_somebody_named_and_is_not_there_is_broken() -> None:
    parts = EngineParts()
    parts.admission.sitemap(f"{ROOT}/named.xml")
    parts.visit(NOT_FOUND)
    assert parts.commit().visits[0].outcome is Outcome.CLIENT_ERROR


@each_case(
    ("url", "outcome"),
    [
        (f"{ROOT}/map.xml", Outcome.PENDING_SITEMAP),
        ("http://other.test/map.xml", Outcome.PENDING_SITEMAP),
        (f"{ROOT}/private/map.xml", Outcome.EXCLUDED),
        ("http://other.test/private/map.xml", Outcome.EXCLUDED),
        (f"{ROOT}/{'a' * 9_000}", Outcome.URL_TOO_LONG),
        ("ftp://site.test/map.xml", Outcome.UNSUPPORTED_SCHEME),
        ("mailto:a@b.test", Outcome.UNSUPPORTED_SCHEME),
    ],
)
def test_a_sitemap_is_read_on_any_host_unless_something_else_refuses_it(
    url: str, outcome: Outcome
) -> None:
    for external in (False, True):
        parts = EngineParts(exclude=("/private/",), include=("/only/",), check_external=external)
        parts.admission.sitemap(url)
        [row] = parts.commit().new
        assert (row.url, row.outcome) == (url, outcome)
        assert bool(row.detail) == (outcome is Outcome.EXCLUDED)
        assert len(parts.frontier) == (outcome is Outcome.PENDING_SITEMAP)
        assert parts.policy.outcome_of(row) is outcome, "as when it is excluded or included later"


@each_case(
    ("url", "outcome"),
    [
        ("http://other.test/map.xml", Outcome.PENDING_SITEMAP),
        (f"{ROOT}/map.xml", Outcome.PENDING_SITEMAP),
        (f"{ROOT}/private/map.xml", Outcome.EXCLUDED),
        ("http://other.test/private/map.xml", Outcome.EXCLUDED),
    ],
)
def test_a_named_sitemap_is_read_on_any_host_although_a_page_links_to_it_first(
    url: str, outcome: Outcome
) -> None:
    for external, is_resumed in ((False, False), (True, False), (False, True)):
        parts = crawled_root(
            url, exclude=("/private/",), include=("/only/",), check_external=external
        )
        known = parts.rows[url]
        row = replace(known, rank=known.rank.merged(SITEMAP))
        if is_resumed:
            parts.known.found({url: row})
            parts.admission.sitemap(url, row)
        else:
            parts.admission.sitemap(url)
            parts.commit(row)
        assert len(parts.frontier) == (outcome is Outcome.PENDING_SITEMAP)
        if len(parts.frontier):
            entry = parts.visit(Visit(Outcome.FILE, status=200))
            assert (entry.url, entry.outcome) == (url, outcome)
            assert [row.outcome for row in parts.commit().visits] == [Outcome.FILE]


@each_case("is_committed", [False, True])
def test_a_sitemap_of_another_host_is_read_although_an_index_lists_it_before_it_is_named(
    *, is_committed: bool
) -> None:
    url = "http://other.test/map.xml"
    links = PageLinks.of([Link(0, LinkKind.SITEMAP_INDEX)])
    parts = EngineParts()
    parts.admission.sitemap(absolute("/index.xml"))
    parts.visit(Visit(Outcome.FILE, status=200, targets=[url], links=links))
    if is_committed:
        assert parts.commit().new[-1].outcome is Outcome.OUT_OF_SCOPE
    parts.admission.sitemap(url)
    parts.commit()
    assert parts.commit().decided == [(2, Outcome.PENDING_SITEMAP, None)] * (not is_committed)
    entry = parts.frontier.take(0.0)
    assert entry is not None
    assert (entry.url, entry.outcome) == (url, Outcome.PENDING_SITEMAP)


def test_a_page_that_turns_out_to_be_a_sitemap_while_it_is_in_flight_is_read_as_one() -> None:
    parts = crawled_root("/map")
    entry = parts.frontier.take(0.0)
    assert entry is not None
    parts.admission.sitemap(absolute("/map"))
    parts.admit(entry, page_with())
    batch = parts.commit()
    assert batch.visits == []
    assert batch.decided == [(entry.id, Outcome.PENDING_SITEMAP, None)]
    assert parts.stage("/map") is UrlStage.WAITING


def test_a_queued_page_that_turns_out_to_be_a_sitemap_waits_as_one() -> None:
    parts = crawled_root("/map")
    parts.admission.sitemap(absolute("/map"))
    entry = parts.frontier.take(0.0)
    assert entry is not None
    assert entry.outcome is Outcome.PENDING_SITEMAP


def test_outcomes_and_statuses_are_counted() -> None:
    parts = crawled_root("/a", "/b")
    parts.visit(NOT_FOUND)
    outcomes = {outcome: n for outcome, n in parts.counters.outcomes.items() if n}
    assert outcomes == {Outcome.PAGE: 1, Outcome.CLIENT_ERROR: 1, Outcome.PENDING: 1}
    assert parts.counters.statuses == {200: 1, 404: 1}
    assert parts.counters.received_bytes == 10


# What the commit of a better rank changes


def too_deep() -> tuple[EngineParts, UrlRow]:
    parts = crawled_root("/a", max_depth=1)
    parts.visit(page_with("/b"))
    parts.commit()
    return parts, parts.rows[absolute("/b")]


def test_what_was_too_deep_is_queued_when_a_shorter_way_is_committed() -> None:
    parts, row = too_deep()
    assert row.outcome is Outcome.TOO_DEEP
    parts.commit(UrlRow(row.id, row.url, Rank(1), row.outcome, row.parent))
    assert parts.stage("/b") is UrlStage.WAITING
    assert parts.commit().decided == [(row.id, Outcome.PENDING, None)]


def test_what_was_too_deep_stays_so_by_a_way_that_is_no_shorter() -> None:
    parts, row = too_deep()
    parts.commit(UrlRow(row.id, row.url, Rank(2), row.outcome, row.parent))
    assert parts.stage("/b") is UrlStage.ON_FILE
    assert parts.commit().decided == []


def test_an_improvement_of_a_visit_that_is_not_committed_is_owed_to_its_links() -> None:
    parts = crawled_root("/a")
    parts.visit(page_with("/b"))
    row = parts.rows[absolute("/a")]
    parts.reconsideration.committed(StoreBatch(), [row])
    assert parts.commit().owed == [row.id]


@pytest.mark.parametrize("path", ["/a", "/b"])
def test_an_answer_that_stands_is_not_undone_by_a_better_way(path: str) -> None:
    parts = crawled_root("/a", "/b")
    parts.visit(page_with())
    parts.visit(page_with())
    parts.commit()
    row = parts.rows[absolute(path)]
    parts.commit(UrlRow(row.id, row.url, Rank(0), Outcome.PAGE, row.parent))
    assert parts.stage(path) is UrlStage.ON_FILE
