"""The texts of links lead to the pages that they link to."""

import math
import sqlite3
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.link_kinds import LinkKind
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_query import (
    RELEVANCE,
    Query,
    Search,
    SearchAll,
    SearchAny,
    SearchFacet,
    SearchField,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
    terms_of,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Link
from gossamer.store.database import open_for_reading
from gossamer.store.reading import query_page_sets, search_ranking
from gossamer.store.reading.query_page_sets import LOOKED_UP
from gossamer.store.reading.reader import Reader
from gossamer.store.reading.score_order import ScoreOrder
from gossamer.store.reading.search_hit_table import TABLES, SearchHitTable
from gossamer.store.reading.search_ranking import BEST_FIRST, best_hits, rank_hits
from gossamer.store.searching import prefix_lists
from gossamer.store.searching.anchor_index import MOST_ANCHORS
from gossamer.store.searching.incremental_indexing import bring_up_to_date
from gossamer.store.searching.index_files import index_path
from gossamer.store.searching.search_index import SearchIndex
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


def to(path: str, text: str, kind: LinkKind = LinkKind.ANCHOR) -> tuple[str, Link]:
    return path, Link(0, kind, text)


def found(path: Path, words: str, **more: object) -> list[str]:
    """The paths of pages, best first."""
    with Reader(path) as reader:
        filter_ = Filter(search=Search(words, **more))  # type: ignore[arg-type]  # each gives what fits
        ids = reader.ids(View.ALL, filter_, Order(RELEVANCE))
        return [record.url.removeprefix(SITE) for record in reader.records(ids)]


@pytest.fixture
def crawled(tmp_path: Path) -> Crawled:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page(
            "/",
            to("/boots", "Warm footwear"),
            to("/hats", "鞋子和帽子"),
            to("/file", "Warm footwear as PDF"),
            to("/boots", "not an anchor", LinkKind.CANONICAL),
            text=b"Start",
        )
        crawled.page("/boots", to("/", "Home"), text=b"Leather boots for winter")
        crawled.page("/hats", to("/", "Home"), to("/boots", "Warm footwear"), text=b"Hats")
        crawled.page("/footwear", title="Footwear", text=b"All kinds")
    return crawled


def test_pages_are_found_by_the_texts_of_links_to_them(crawled: Crawled) -> None:
    assert found(crawled.path, "in:anchor footwear") == ["/boots"]
    assert found(crawled.path, 'anchor:"warm footwear"') == ["/boots"]
    assert found(crawled.path, "anchor:foot*") == ["/boots"]
    assert found(crawled.path, "anchor:和帽") == ["/hats"], "any part of a text without spaces"
    assert found(crawled.path, "anchor:boots") == [], "that is what the page says"
    assert found(crawled.path, "anchor:canonical OR text:warm") == []


def test_words_without_a_field_are_also_looked_for_in_links(crawled: Crawled) -> None:
    assert found(crawled.path, "footwear") == ["/footwear", "/boots"], "a title says more"
    assert found(crawled.path, "warm winter") == ["/boots"], "one in a link, one in the page"
    assert found(crawled.path, "warm -leather") == []
    assert found(crawled.path, "hats OR warm")[:2] == ["/hats", "/boots"]
    assert found(crawled.path, "text:leather anchor:footwear") == ["/boots"]
    assert sorted(found(crawled.path, "-anchor:footwear")) == ["/", "/footwear", "/hats"]


def test_a_page_that_is_found_by_a_link_or_its_address_shows_that(crawled: Crawled) -> None:
    def shown(words: str) -> dict[str, str]:
        with Reader(crawled.path) as reader:
            ids = reader.ids(View.ALL, Filter(search=Search(words)), Order(RELEVANCE))
            found = reader.excerpts(ids, Search(words))
            urls = {each.id: each.url.removeprefix(SITE) for each in reader.records(ids)}
        return {
            urls[url_id]: "|".join((each.text, *(each.text[a:b] for a, b in each.marks)))
            for url_id, each in found.items()
        }

    assert shown("in:anchor footwear") == {"/boots": "→ Warm footwear|footwear"}
    assert shown("footwear") == {
        "/boots": "→ Warm footwear|footwear",
        "/footwear": f"{SITE}/footwear|footwear",
    }
    assert shown("leather") == {"/boots": "Leather boots for winter|Leather"}


def test_what_a_page_does_not_mention_is_asked_of_the_page_alone(crawled: Crawled) -> None:
    assert "/boots" in found(crawled.path, "footwear", is_absent=True)
    assert "/boots" in found(crawled.path, "-footwear")
    assert found(crawled.path, "footwear", not_linking_to=f"{SITE}/hats") == ["/footwear"]
    search = Search("leather OR kinds OR hats OR start", not_linking_to=f"{SITE}/boots")
    with Reader(crawled.path) as reader:
        first = reader.first_ids(View.ALL, Filter(search=search), Order(RELEVANCE))
        assert first == reader.ids(View.ALL, Filter(search=search), Order(RELEVANCE))
        assert [each.url for each in reader.records(first or [])] == [f"{SITE}/footwear"]


def test_links_that_are_gone_are_not_found_and_those_that_came_are(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", to("/a", "old"), to("/b", "both"), text=b"one")
        crawled.page("/a", text=b"a")
        crawled.page("/b", to("/b", "both"), text=b"b")
        assert found(crawled.path, "old") == ["/a"]
        crawled.page("/", to("/a", "new"), text=b"two")
        assert found(crawled.path, "old") == []
        assert found(crawled.path, "anchor:new") == ["/a"]
        assert found(crawled.path, "both") == ["/b"], "another page has it still"
        crawled.page("/a", text=None)
        assert found(crawled.path, "new") == [], "it has no text any more"


def test_the_same_text_counts_once_and_a_page_has_so_many_at_most(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for page in range(3):
            links = (to("/0", f"word{number}") for number in range(MOST_ANCHORS + 5))
            crawled.page(f"/{page}", *links, text=b"x")
        assert found(crawled.path, "word1") == ["/0"]
        with closing(sqlite3.connect(crawled.path)) as project:
            index = index_path(project)
    with closing(sqlite3.connect(index)) as connection:
        assert connection.execute("SELECT texts FROM anchor_count").fetchall() == [(MOST_ANCHORS,)]
        (count,) = connection.execute("SELECT count(*) FROM anchor_of").fetchone()
    assert count == MOST_ANCHORS


PAGES = (
    ("red", ("blue", "green")),
    ("blue", ("red",)),
    ("green red", ()),
    ("", ("red blue", "green")),
    ("blue green", ("blue",)),
)
"""The text of each page, and the texts of the links to it."""
LANGUAGES = ("de", "en", "de", "en", "en")
SCORES = (0, 100, 30, 30, 7)
"""The Link Score of each page."""
terms = st.builds(
    SearchTerm,
    st.sampled_from(["red", "blue", "green", "other"]),
    field=st.sampled_from([None, None, SearchField.TEXT, SearchField.ANCHOR]),
) | st.builds(SearchTerm, st.sampled_from(["re", "blu"]), st.just(value=True))
narrowings = st.sampled_from(["200", "404"]).map(
    lambda status: SearchNarrowing(SearchFacet.STATUS, status)
) | st.sampled_from(["de", "en"]).map(
    lambda language: SearchNarrowing(SearchFacet.LANGUAGE, language)
)
queries = st.recursive(
    terms | terms | narrowings,
    lambda parts: st.one_of(
        st.builds(SearchNot, parts),
        st.lists(parts, min_size=2, max_size=3).map(lambda some: SearchAll(tuple(some))),
        st.lists(parts, min_size=2, max_size=3).map(lambda some: SearchAny(tuple(some))),
    ),
    max_leaves=6,
)


def occurrences(term: SearchTerm, text: str) -> int:
    words = text.split()
    if term.is_prefix:
        return sum(word.startswith(term.words) for word in words)
    return words.count(term.words)


def holds(number: int, query: Query, *, is_negated: bool = False) -> bool:
    """By brute force."""
    text, anchors = PAGES[number]
    match query:
        case SearchTerm(field=field):
            is_in_text = field is not SearchField.ANCHOR and occurrences(query, text) > 0
            asks_links = field is SearchField.ANCHOR or (field is None and not is_negated)
            return is_in_text or (asks_links and any(occurrences(query, each) for each in anchors))
        case SearchNarrowing(facet=SearchFacet.STATUS, value=status):
            return status == "200"
        case SearchNarrowing(value=language):
            return language == LANGUAGES[number]
        case SearchNot():
            return not holds(number, query.part, is_negated=True)
        case SearchAll():
            return all(holds(number, part, is_negated=is_negated) for part in query.parts)
        case SearchAny():
            return any(holds(number, part, is_negated=is_negated) for part in query.parts)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A connection to a project with PAGES, and its index."""
    path = tmp_path_factory.mktemp("anchors") / "a.gossamer"
    with Crawled(path, SETTINGS) as crawled:
        for number, (text, _) in enumerate(PAGES):
            links = [to(f"/p{number}", anchor) for anchor in PAGES[number][1]]
            crawled.page(f"/p{number}", *links, text=text.encode(), language=LANGUAGES[number])
    with closing(open_for_reading(path)) as connection:
        connection.execute("PRAGMA query_only=OFF")
        with closing(sqlite3.connect(path)) as scores, scores:
            scores.executemany(
                "INSERT INTO url_audit (id, link_score) SELECT id, ? FROM url WHERE url = ?",
                [(score, f"{SITE}/p{number}") for number, score in enumerate(SCORES)],
            )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(prefix_lists, "LEAST_PAGES", 1)
            patch.setattr(prefix_lists, "HEAVY", 1)
            patch.setattr(prefix_lists, "LEAST_SAMPLED", 1)
            patch.setattr(prefix_lists, "MOST_LISTS", 1_000)
            patch.setattr(prefix_lists, "is_sampled", lambda _place: True)
            index = bring_up_to_date(connection, lambda _: None)
            with SearchIndex(index) as writer:
                while writer.list_heaviest():
                    pass
        connection.execute("ATTACH ? AS search", (f"{index.as_uri()}?mode=rw",))
        for table in TABLES:
            connection.execute(table)
        yield connection


@pytest.mark.parametrize(
    ("looked_up", "are_listed"), [(0, False), (LOOKED_UP, False), (LOOKED_UP, True)]
)
@given(query=queries)
def test_any_query_finds_what_brute_force_finds(
    searched: sqlite3.Connection, looked_up: int, are_listed: bool, query: Query
) -> None:
    searched.execute(
        "UPDATE search.prefix_list"
        " SET prefix = iif(?, ltrim(prefix, '!'), '!' || ltrim(prefix, '!'))",
        (are_listed,),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(query_page_sets, "LOOKED_UP", looked_up)
        SearchHitTable(searched, uses_anchors=True).fill(query)
    urls = searched.execute("SELECT url FROM url JOIN temp.search_hit USING (id)")
    numbers = {int(url.rpartition("/p")[2]) for (url,) in urls}
    assert numbers == {number for number in range(len(PAGES)) if holds(number, query)}


def bm25(terms: list[SearchTerm], texts: list[str], lengths: list[int]) -> list[float]:
    """The rank of each text, as SQLite's documentation defines it: the least is the best."""
    average = sum(lengths) / len(lengths)
    ranks = [0.0] * len(texts)
    for term in terms:
        counts = [occurrences(term, text) for text in texts]
        having = sum(count > 0 for count in counts)
        rarity = math.log((len(texts) - having + 0.5) / (having + 0.5))
        for number, count in enumerate(counts):
            length = 1 - 0.75 + 0.75 * lengths[number] / average
            ranks[number] -= max(rarity, 1e-6) * count * 2.2 / (count + 1.2 * length)
    return ranks


EVERY = frozenset(range(len(PAGES)))


def ranks_of(
    query: Query, by_words: AbstractSet[int] = EVERY, *, of_many: bool = False
) -> list[float]:
    """The rank of each page, by brute force: by own words, the best link, and the Link Score.

    Of those not in `by_words` their own words do not count; prefixes do not if they are `of_many`.
    """
    asked = terms_of(query)
    own = [x for x in asked if x.field is not SearchField.ANCHOR and x.words != "re"]
    own = [x for x in own if not (of_many and x.is_prefix)]
    texts = [text for text, _ in PAGES]
    address = 5  # https, example, com and p0; and what each page has
    by_text = bm25(own, texts, [len(text.split()) + address for text in texts])
    anchors = sorted({anchor for _, some in PAGES for anchor in some})
    of_links = [x for x in asked if x.field in {None, SearchField.ANCHOR}]
    by_anchor = bm25(of_links, anchors, [len(anchor.split()) for anchor in anchors])
    links = dict(zip(anchors, by_anchor, strict=True))
    best = [min([0.0, *(links[each] for each in some)]) for _, some in PAGES]
    return [
        (by_text[number] * (number in by_words) + 0.5 * best[number]) * (1 + score / 50)
        for number, score in enumerate(SCORES)
    ]


@given(query=queries)
def test_the_best_come_first_as_by_brute_force_however_they_are_read(
    searched: sqlite3.Connection, query: Query
) -> None:
    urls = dict(searched.execute("SELECT id, url FROM url").fetchall())
    SearchHitTable(searched, uses_anchors=True).fill(query)
    rank_hits(searched, query, ScoreOrder(searched))
    rows = searched.execute(BEST_FIRST, (100,)).fetchall()
    ids = [url_id for url_id, _, _ in rows]
    assert [best_hits(searched, count) for count in (2, 100)] == [ids[:2], ids]
    ranks = ranks_of(query)
    expected = [ranks[int(urls[url_id].rpartition("/p")[2])] for url_id in ids]
    assert [rank for _, rank, _ in rows] == pytest.approx(expected, abs=1e-12)
    assert expected == pytest.approx(sorted(expected), abs=1e-12)


CHOSEN = 2


@given(query=queries)
def test_of_very_many_pages_those_with_the_highest_link_scores_are_ranked_by_their_words(
    searched: sqlite3.Connection, query: Query
) -> None:
    """All others only by what links to them say; prefixes rank no page by its words then."""
    urls = dict(searched.execute("SELECT id, url FROM url").fetchall())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_ranking, "MOST_RANKED", CHOSEN)
        patch.setattr(search_ranking, "CHOSEN", CHOSEN)
        patch.setattr(search_ranking, "RANKED", CHOSEN)
        order, firsts = ScoreOrder(searched), []
        for _ in range(2):  # sorted for this query alone, then for all of this project
            SearchHitTable(searched, uses_anchors=True).fill(query)
            rank_hits(searched, query, order)
            firsts.append(best_hits(searched, CHOSEN))
    rows = searched.execute(BEST_FIRST, (100,)).fetchall()
    hits = {url_id: int(urls[url_id].rpartition("/p")[2]) for url_id, _, _ in rows}
    assert set(hits.values()) == {each for each in range(len(PAGES)) if holds(each, query)}
    assert firsts == [list(hits)[:CHOSEN]] * 2
    if len(hits) <= CHOSEN:
        return
    by_score = sorted(hits, key=lambda url_id: (-SCORES[hits[url_id]], url_id))
    chosen = {hits[url_id] for url_id in by_score[:CHOSEN]}
    ranks = ranks_of(query, chosen, of_many=True)
    expected = [ranks[number] for number in hits.values()]
    assert [rank for _, rank, _ in rows] == pytest.approx(expected, abs=1e-12)
