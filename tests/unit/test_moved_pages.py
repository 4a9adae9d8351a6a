"""Pages that have probably moved, and what two crawls know of robots.txt and sitemaps."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.comparison.path_rewrites import PathRewrites, Rewrite, RewriteTrial, rewrite_between
from gossamer.comparison.project_comparison import ComparisonOptions, compare
from gossamer.export.comparison_sheets import COMPARISON_TABLES, changes_sheet
from gossamer.export.comparison_site_files import difference_of, what_changed
from gossamer.model.comparison_results import ComparisonFilter, ComparisonSummary
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, facet_values
from gossamer.model.site_file_changes import SiteFileChange
from gossamer.model.store_batch import RobotsRow, StoreBatch
from gossamer.model.visit import Visit
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.crawled import SITE, Crawled

MakeCrawl: TypeAlias = Callable[..., Crawled]


@pytest.fixture
def crawl(tmp_path: Path, request: pytest.FixtureRequest) -> MakeCrawl:
    def make(name: str) -> Crawled:
        crawled = Crawled(tmp_path / f"{name}.gossamer")
        request.addfinalizer(crawled.writer.close)
        return crawled

    return make


def sketch(number: int) -> bytes:
    return bytes([number]) * 126 + b"\1\0"


def moved(
    before: Crawled, after: Crawled, options: ComparisonOptions | None = None
) -> tuple[dict[str, tuple[str, str]], ComparisonSummary]:
    """Where each page has gone, and what tells so; as the table of exports has it."""
    result = after.path.with_suffix(".comparison")
    summary = compare(before.path, after.path, result, options or ComparisonOptions())
    with ComparisonReader(result) as reader:
        sheet = COMPARISON_TABLES["moved"](reader)
        rows = list(sheet.rows)
        assert len(rows) == sheet.expected == summary.moved
        # The new page says where it was.
        for page in reader.iterate(ComparisonFilter(has_moved=True)):
            (new,) = [each for each in reader.iterate() if each.url == page.moved_url]
            assert new.moved_url is not None
    return {
        str(old).removeprefix(SITE): (str(new).removeprefix(SITE), str(why))
        for old, new, why in rows
    }, summary


def test_a_redirect_says_where_a_page_is_now(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    paths = ("/a", "/b", "/kept", "/loop")
    for crawled in (before, after):
        crawled.page("/", *paths)
    for path in (*paths, "/there"):
        before.page(path)
    for path, to in (("/a", "/hop"), ("/hop", "/new"), ("/b", "/new"), ("/loop", "/loop2")):
        after.redirect(path, to)
    after.redirect("/loop2", "/loop")
    after.redirect("/kept", "/there")  # which is no new page
    after.page("/new")
    after.page("/there")
    why = "Redirects there"
    assert moved(before, after)[0] == {"/a": ("/new", why), "/b": ("/new", why)}


def test_what_a_filter_leaves_out_has_moved_nowhere(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled in (before, after):
        crawled.page("/", "/a")
    before.page("/a")
    after.redirect("/a", "/new")
    after.page("/new")
    options = ComparisonOptions(filter_=Filter(facets=facet_values(status=[200])))
    found, summary = moved(before, after, options)
    assert (found, summary.moved, summary.new) == ({}, 0, 1)


def test_what_nothing_leads_to_any_more_may_redirect_too(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    before.page("/", "/old")
    before.page("/old")
    after.page("/", "/new")
    after.page("/new")
    visit = Visit(Outcome.NO_LONGER_LINKED, 301, location=f"{SITE}/new", fetched_at=1e9)
    after.visited("/old", visit)
    assert moved(before, after)[0] == {"/old": ("/new", "Redirects there")}


def test_texts_and_headings_tell_pages_that_have_moved_unless_two_are_alike(
    crawl: MakeCrawl,
) -> None:
    before, after = crawl("before"), crawl("after")
    for crawled, end in ((before, "1"), (after, "2")):
        crawled.page("/")
        crawled.page(f"/text{end}", title=f"T{end}", sketch=sketch(1), word_count=50)
        crawled.page(f"/short{end}", sketch=sketch(2), word_count=2)
        crawled.page(f"/headed{end}", title="Headed", h1="H")
        crawled.page(f"/untitled{end}", h1="Alone")
        # Two that are alike on one side, or stay where they are.
        crawled.page(f"/twice{end}", title="Twice", h1="X")
        crawled.page(f"/stays-elsewhere{end}", title="Stays", h1="S")
        crawled.page("/stays", title="Stays", h1="S")
    after.page("/twice3", title="Twice", h1="X")
    assert moved(before, after)[0] == {
        "/text1": ("/text2", "Same text"),
        "/headed1": ("/headed2", "Same title and H1"),
    }
    with ComparisonReader(after.path.with_suffix(".comparison")) as reader:
        rows = {row[0]: row[4] for row in changes_sheet(reader).rows if row[1] == "Missing"}
    assert rows[f"{SITE}/text1"] == f"Probably moved to {SITE}/text2 (Same text)."


def test_a_folder_that_has_moved_is_found_and_suggested(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    names = ("a", "b", "c", "sub/", "x?y=1")
    for crawled, folder in ((before, "/old"), (after, "/new/deep")):
        crawled.page("/")
        for name in names:
            crawled.page(f"{folder}/{name}")
    before.page("/old/gone")
    after.page("/new/deep/more")
    found, summary = moved(before, after)
    why = "Same location in a folder that has moved"
    assert found == {f"/old/{name}": (f"/new/deep/{name}", why) for name in names}
    (rewrite,) = summary.rewrites
    assert tuple(rewrite) == (f"{SITE}/old/", f"{SITE}/new/deep/", len(names))
    # What was suggested works: the same comparison, mapped so, finds no page moved.
    mapping = UrlMapping.parsed([f"{rewrite.before}={rewrite.after}"])
    found, summary = moved(before, after, ComparisonOptions(mapping))
    assert (found, summary.missing, summary.new) == ({}, 1, 1)


def test_a_folder_that_has_moved_between_two_copies_is_suggested_beside_their_mapping(
    crawl: MakeCrawl,
) -> None:
    staging = "https://staging.example"
    before, after = crawl("before"), crawl("after")
    for number in range(4):
        before.page(f"{staging}/kept/{number}")
        before.page(f"{staging}/old/{number}")
        after.page(f"/kept/{number}")
        after.page(f"/new/{number}")
    copies = UrlMapping.parsed([f"{staging}={SITE}"])
    (rewrite,) = moved(before, after, ComparisonOptions(copies))[1].rewrites
    assert tuple(rewrite) == (f"{staging}/old/", f"{SITE}/new/", 4)
    both = copies.with_prefix(rewrite.before, rewrite.after)
    _, summary = moved(before, after, ComparisonOptions(both))
    assert (summary.missing, summary.new) == (0, 0)


def test_of_two_folders_where_pages_may_be_none_is_chosen(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for number in range(4):
        before.page(f"/old/{number}")
        for folder in ("one", "two"):
            after.page(f"/{folder}/{number}")
    found, summary = moved(before, after)
    assert (found, summary.rewrites) == ({}, ())


def test_a_folder_in_which_most_pages_stayed_is_no_mapping(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for number in range(8):
        for crawled in (before, after):
            crawled.page(f"/stays-{number}")
    for number in range(4):
        before.page(f"/app-{number}")
        after.page(f"/apps/app-{number}")
    found, summary = moved(before, after)
    assert found.keys() == {f"/app-{number}" for number in range(4)}
    assert summary.rewrites == ()


def test_a_page_that_may_be_in_two_folders_is_in_neither(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    for number in range(4):
        before.page(f"/a/c{number}")
        after.page(f"/n/c{number}")
        before.page(f"/a/b/d{number}")
        after.page(f"/m/d{number}")
    before.page("/a/b/e")
    after.page("/n/b/e")
    after.page("/m/e")
    found, _ = moved(before, after)
    assert found.keys() == {f"/a/{name}{number}" for name in ("c", "b/d") for number in range(4)}


def test_another_site_is_suggested_as_a_mapping(crawl: MakeCrawl) -> None:
    staging = "https://staging.example"
    before, after = crawl("before"), crawl("after")
    for path in ("/", "/a", "/b/c", "/d"):
        before.page(f"{staging}{path}")
        after.page(path)
    assert [tuple(each) for each in moved(before, after)[1].rewrites] == [
        (f"{staging}/", f"{SITE}/", 4)
    ]


def test_a_trial_needs_several_pages_and_most_of_a_folder() -> None:
    rewrites = PathRewrites()
    for name in ("a", "b", "c"):
        rewrites.vote(f"{SITE}/old/{name}", f"{SITE}/new/{name}")
    rewrites.vote(f"{SITE}/p/q", f"{SITE}/r/q")
    (likely,) = rewrites.likely()
    assert likely == Rewrite(f"{SITE}/old/", f"{SITE}/new/")
    for hits, is_accepted in ((2, False), (3, True)):
        for tried in (3, 6, 7):
            trial = RewriteTrial([likely])
            for number in range(tried):
                assert list(trial.tries(f"{SITE}/old/{number}")) == [(0, f"{SITE}/new/{number}")]
            assert list(trial.tries(f"{SITE}/older/1?x=/old/")) == []
            for _ in range(hits):
                trial.note(0)
            assert bool(trial.accepted()) == (is_accepted and tried <= 2 * hits)


_names = st.lists(st.sampled_from(["", "a", "b", "c.html"]), min_size=1, max_size=4)


@given(_names, _names)
def test_a_rewrite_makes_one_address_of_the_other(one: list[str], other: list[str]) -> None:
    old, new = (f"{SITE}/{'/'.join(each)}" for each in (one, other))
    found = rewrite_between(old, new)
    if found is not None:
        assert old.startswith(found.before)
        assert found.after + old.removeprefix(found.before) == new
        assert found.before.endswith("/")
        assert found.after.endswith("/")


def files(before: Crawled, after: Crawled, mapping: str = "") -> list[SiteFileChange]:
    result = after.path.with_suffix(".comparison")
    options = ComparisonOptions(UrlMapping.parsed([mapping] if mapping else []))
    compare(before.path, after.path, result, options)
    with ComparisonReader(result) as reader:
        return reader.site_files()


def robots(crawled: Crawled, origin: str, status: int | None, text: str) -> None:
    row = RobotsRow(origin, status, text, None, 1e9)
    crawled.writer.commit(StoreBatch(robots=[row]))


def test_a_robots_txt_is_told_with_the_lines_that_differ_for_each_host(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    other = "https://other.example"
    for crawled, lines in ((before, "a\nb\nc\nd\ne"), (after, "a\nb\nX\nd\ne")):
        crawled.page("/")
        robots(crawled, SITE, 200, lines)
        robots(crawled, other, 200, "same")
    robots(after, "https://asked-now.example", 200, "x")
    (found,) = files(before, after)
    assert found.url == f"{SITE}/robots.txt"
    assert difference_of(found)[2:] == ["@@ -2,3 +2,3 @@", " b", "-c", "+X", " d"]
    assert str(what_changed(found)) == "Its text has changed."
    robots(after, other, 503, "")
    assert [str(what_changed(each)) for each in files(before, after)] == [
        "Its text has changed.",
        "Its status was 200, and is 503.",
    ]


def test_the_robots_txt_of_a_copy_is_compared_with_that_of_the_site(crawl: MakeCrawl) -> None:
    staging = "https://staging.example"
    before, after = crawl("before"), crawl("after")
    robots(before, staging, 200, "Disallow: /")
    robots(after, SITE, 200, "Allow: /")
    (found,) = files(before, after, f"{staging}/={SITE}/")
    assert (found.before_text, found.after_text) == ("Disallow: /", "Allow: /")


def test_sitemaps_that_came_went_or_name_others_are_told(crawl: MakeCrawl) -> None:
    before, after = crawl("before"), crawl("after")
    sitemaps: dict[str, tuple[tuple[str, ...] | None, tuple[str, ...] | None]] = {
        "/same.xml": (("/a", "/b"), ("/b", "/a")),
        "/other.xml": (("/a", "/b"), ("/a", "/c")),
        "/more.xml": (("/a",), ("/a", "/c")),
        "/gone.xml": (("/a",), None),
        "/new.xml": (None, ("/a",)),
    }
    for side, crawled in enumerate((before, after)):
        crawled.page("/")
        for path, named in sitemaps.items():
            names = named[side]
            if names is not None:
                crawled.listed(path)
                crawled.sitemap(path, *names)
    assert {
        each.url.removeprefix(SITE): str(what_changed(each)) for each in files(before, after)
    } == {
        "/other.xml": "It names as many URLs as before, but others.",
        "/more.xml": "URLs in it: 1 before, 2 after.",
        "/gone.xml": "It is gone; URLs in it before: 1.",
        "/new.xml": "It is new; URLs in it: 1.",
    }
