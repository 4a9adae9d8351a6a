"""What the stages of the site audit decide, definition by definition."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.page_flags import Directive
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.visit import Link
from tests.fakes.audited import audited, columns, issue_values
from tests.fakes.crawled import SITE, Crawled

OTHER = "https://other.example"
NOINDEX = int(Directive.NOINDEX)


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


def canonical(path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.CANONICAL)


def alternate(path: str, language: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.ALTERNATE, language, "alternate")


def following(path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.PAGINATION, "", "next")


def preceding(path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.PAGINATION, "", "prev")


def nofollow(path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.ANCHOR, path, "nofollow")


def listed(path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.SITEMAP)


# ---------------------------------------------------------------- response codes


def test_answers_by_class_and_scope(crawled: Crawled) -> None:
    crawled.page("/", "/gone", "/broken", "/silent", "/blocked", f"{OTHER}/gone", f"{OTHER}/no")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/denied", Outcome.CLIENT_ERROR, status=403)
    crawled.failed("/broken", Outcome.SERVER_ERROR, status=500)
    crawled.failed("/silent", Outcome.TIMEOUT)
    crawled.known("/banned", Outcome.BLOCKED_BY_ROBOTS, parent="/")
    crawled.failed(f"{OTHER}/gone", Outcome.CLIENT_ERROR, status=410)
    crawled.failed(f"{OTHER}/no", Outcome.DNS_FAILURE)
    found = audited(crawled)
    assert found["Response Codes: Internal Client Error (4xx)"] == ["/gone", "/denied"]
    assert found["Response Codes: Internal Server Error (5xx)"] == ["/broken"]
    assert found["Response Codes: Internal No Response"] == ["/silent"]
    assert found["Response Codes: Internal Blocked by Robots.txt"] == ["/banned"]
    assert found["Response Codes: Internal Refused to Robots"] == ["/denied"]
    assert found["Response Codes: Internal Unverified"] == ["/broken", "/silent"]
    assert found["Response Codes: External Client Error (4xx)"] == [f"{OTHER}/gone"]
    assert found["Response Codes: External No Response"] == [f"{OTHER}/no"]


def test_blocked_resource_is_one_that_a_page_is_shown_with(crawled: Crawled) -> None:
    crawled.known("/style.css", Outcome.BLOCKED_BY_ROBOTS)
    crawled.known("/private", Outcome.BLOCKED_BY_ROBOTS)
    crawled.page("/", ("/style.css", Link(0, LinkKind.STYLESHEET)), "/private")
    found = audited(crawled)
    assert found["Response Codes: Internal Blocked Resource"] == ["/style.css"]
    assert found["Response Codes: Internal Blocked by Robots.txt"] == ["/style.css", "/private"]


def test_redirect_chain_lists_its_first_address(crawled: Crawled) -> None:
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/3")
    crawled.redirect("/3", "/end")
    crawled.page("/end")
    crawled.redirect("/single", "/end")
    found = audited(crawled)
    assert found["Response Codes: Internal Redirect Chain"] == ["/1"]
    assert found["Response Codes: Internal Redirection (3xx)"] == ["/1", "/2", "/3", "/single"]
    assert "Response Codes: Internal Redirect Loop" not in found


def test_redirect_loop_lists_every_member_and_is_no_chain(crawled: Crawled) -> None:
    crawled.redirect("/a", "/b")
    crawled.redirect("/b", "/c")
    crawled.redirect("/c", "/a")
    crawled.redirect("/into", "/a")
    crawled.redirect("/self", "/self")
    found = audited(crawled)
    assert found["Response Codes: Internal Redirect Loop"] == ["/a", "/b", "/c", "/self"]
    assert "Response Codes: Internal Redirect Chain" not in found


# ---------------------------------------------------------------- duplicates


def test_duplicates_are_those_of_indexable_pages_and_case_counts(crawled: Crawled) -> None:
    crawled.page("/", title="Same", h1="One", description="Text")
    crawled.page("/a", title="Same", h1="one", description="", description_2="Text")
    crawled.page("/b", title="same", h1="One")
    crawled.page("/noindex", title="Same", directives=NOINDEX)
    crawled.page("/canonicalised", title="Same", canonical=f"{SITE}/")
    found = audited(crawled)
    assert found["Page Titles: Duplicate"] == ["/", "/a"]
    assert found["H1: Duplicate"] == ["/", "/b"]
    assert found["Meta Description: Duplicate"] == ["/", "/a"]
    assert issue_values(crawled.path, "Page Titles: Duplicate") == {
        "/": crawled.id("/a"),
        "/a": crawled.id("/"),
    }


def test_empty_titles_are_no_duplicates(crawled: Crawled) -> None:
    crawled.page("/", title="", h1=None)
    crawled.page("/a", title="")
    assert "Page Titles: Duplicate" not in audited(crawled)


def test_meta_keywords_are_compared_only_if_the_settings_want_it(crawled: Crawled) -> None:
    crawled.page("/", keywords="shoes")
    crawled.page("/a", keywords="shoes")
    wanted = replace(DEFAULTS, audit_meta_keywords=True)
    name = "Meta Keywords: Duplicate"
    assert name not in audited(crawled)
    assert audited(crawled, wanted)[name] == ["/", "/a"]
    assert name not in audited(crawled, DEFAULTS)


def test_duplicate_names_the_first_page_and_the_first_one_the_next(crawled: Crawled) -> None:
    for number in range(4):
        crawled.page(f"/{number}", title="Same", content_hash=bytes([number % 2]) * 16)
    audited(crawled)
    assert columns(crawled.path, "duplicate_id") == {"/0": 3, "/1": 4, "/2": 1, "/3": 2}


# ---------------------------------------------------------------- links


def test_pages_without_links_to_other_pages(crawled: Crawled) -> None:
    crawled.page("/", "/end", "/self")
    crawled.page("/end", f"{OTHER}/")
    crawled.page("/self", "/self")
    assert audited(crawled)["Links: Pages Without Internal Outlinks"] == ["/end", "/self"]


def test_pages_that_only_non_indexable_pages_link(crawled: Crawled) -> None:
    crawled.page("/", "/hidden", "/both")
    crawled.page("/hidden", "/only", "/both", directives=NOINDEX)
    crawled.page("/only", "/only")
    crawled.page("/both")
    assert audited(crawled)["Links: Non-Indexable Page Inlinks Only"] == ["/only"]


def test_crawl_depth_is_high_above_its_threshold(crawled: Crawled) -> None:
    for depth in range(6):
        crawled.page(f"/{depth}", f"/{depth + 1}")
    crawled.page("/6")
    assert audited(crawled)["Links: Pages With High Crawl Depth"] == ["/5", "/6"]


def test_outlinks_are_counted_by_distinct_targets(crawled: Crawled) -> None:
    crawled.page("/", *(f"{OTHER}/{n % 100}" for n in range(150)))
    crawled.page("/more", *(f"{OTHER}/{n}" for n in range(101)), "/", "/")
    found = audited(crawled)
    assert found["Links: Pages With High External Outlinks"] == ["/more"]
    assert columns(crawled.path, "external_outlinks") == {"/": 150, "/more": 101}
    assert columns(crawled.path, "unique_external_outlinks") == {"/": 100, "/more": 101}
    assert columns(crawled.path, "internal_outlinks") == {"/": 0, "/more": 2}
    assert columns(crawled.path, "unique_outlinks") == {"/": 0, "/more": 1}


def test_nofollow_inlinks(crawled: Crawled) -> None:
    crawled.page("/", nofollow("/only"), nofollow("/mixed"), "/plain")
    crawled.page("/plain", "/mixed")
    crawled.page("/only")
    crawled.page("/mixed")
    found = audited(crawled)
    assert found["Links: Internal Nofollow Inlinks Only"] == ["/only"]
    assert found["Links: Follow & Nofollow Internal Inlinks To Page"] == ["/mixed"]


# ---------------------------------------------------------------- canonicals


def test_canonical_that_is_not_indexable_is_told_of_the_page_that_names_it(
    crawled: Crawled,
) -> None:
    crawled.page("/", "/a", "/b", "/c", "/gone", "/noindex", "/canonicalised")
    crawled.page("/a", canonical("/gone"), canonical=f"{SITE}/gone")
    crawled.page("/b", canonical("/noindex"), canonical=f"{SITE}/noindex")
    crawled.page("/c", canonical("/canonicalised"), canonical=f"{SITE}/canonicalised")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.page("/noindex", directives=NOINDEX)
    crawled.page("/canonicalised", canonical("/"), canonical=f"{SITE}/")
    crawled.page("/self", canonical("/self"), canonical=f"{SITE}/self", directives=NOINDEX)
    found = audited(crawled)
    assert found["Canonicals: Non-Indexable Canonical"] == ["/a", "/b", "/c"]
    assert found["Canonicals: Canonical Chain and Loop"] == ["/c"]


def test_unlinked_canonical_is_told_of_the_target(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", canonical("/"))
    crawled.page("/a", canonical("/unlinked"), canonical("/unlinked"))
    crawled.page("/b", canonical("/a"))
    crawled.page("/unlinked", canonical("/unlinked"))
    assert audited(crawled)["Canonicals: Unlinked"] == ["/unlinked"]


def test_canonical_loop_lists_every_member(crawled: Crawled) -> None:
    crawled.page("/a", canonical("/b"))
    crawled.page("/b", canonical("/a"))
    crawled.page("/into", canonical("/a"))
    assert audited(crawled)["Canonicals: Canonical Chain and Loop"] == ["/a", "/b"]


# ---------------------------------------------------------------- pagination


def test_series_in_order_has_no_fault(crawled: Crawled) -> None:
    crawled.page("/1", "/2", following("/2"))
    crawled.page("/2", "/1", "/3", preceding("/1"), following("/3"))
    crawled.page("/3", "/2", preceding("/2"))
    assert not any(name.startswith("Pagination") for name in audited(crawled))


def test_faults_of_series(crawled: Crawled) -> None:
    crawled.page("/1", following("/2"), "/gone")
    crawled.page("/2", "/1", "/gone", following("/gone"))
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    found = audited(crawled)
    assert found["Pagination: Pagination URL Not In Anchor Tag"] == ["/1"]
    assert found["Pagination: Non-200 Pagination URLs"] == ["/2"]
    assert found["Pagination: Unlinked Pagination URLs"] == ["/2"]
    assert found["Pagination: Sequence Error"] == ["/1"]
    assert "Pagination: Pagination Loop" not in found


def test_pagination_loop_lists_every_member(crawled: Crawled) -> None:
    crawled.page("/1", following("/2"))
    crawled.page("/2", following("/3"))
    crawled.page("/3", following("/2"))
    assert audited(crawled)["Pagination: Pagination Loop"] == ["/2", "/3"]


# ---------------------------------------------------------------- hreflang


def versions(*others: tuple[str, str]) -> list[tuple[str, Link]]:
    return [alternate(path, language) for path, language in others]


def test_versions_that_name_each_other_have_no_fault(crawled: Crawled) -> None:
    both = versions(("/en", "en-GB"), ("/de", "de"), ("/en", "x-default"))
    crawled.page("/en", "/de", *both)
    crawled.page("/de", "/en", *versions(("/en", "en-gb"), ("/de", "DE"), ("/en", "x-default")))
    assert [name for name in audited(crawled) if name.startswith("Hreflang")] == []


def test_page_that_is_not_named_in_return(crawled: Crawled) -> None:
    crawled.page("/", "/en", "/de", "/fr", "/gone")
    crawled.page("/en", *versions(("/en", "en"), ("/de", "de"), ("/gone", "fr"), ("/new", "it")))
    crawled.page("/de", *versions(("/de", "de")))
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    found = audited(crawled)
    assert found["Hreflang: Missing Return Links"] == ["/en"]
    assert found["Hreflang: Non-200 Hreflang URLs"] == ["/en"]
    assert found["Hreflang: Unlinked Hreflang URLs"] == ["/en"]
    assert found["Hreflang: Missing"] == ["/"]
    assert found["Hreflang: Missing X-Default"] == ["/en", "/de"]
    assert issue_values(crawled.path, "Hreflang: Missing Return Links") == {
        "/en": crawled.id("/de")
    }


def test_page_that_is_named_in_return_by_another_language(crawled: Crawled) -> None:
    crawled.page("/en", *versions(("/en", "en"), ("/de", "de")))
    crawled.page("/de", *versions(("/en", "en-US"), ("/de", "de")))
    found = audited(crawled)
    assert found["Hreflang: Inconsistent Language & Region Return Links"] == ["/en"]


def test_versions_that_are_not_indexable(crawled: Crawled) -> None:
    group = versions(("/en", "en"), ("/no", "de"), ("/other", "fr"))
    crawled.page("/en", *group)
    crawled.page("/no", *group, directives=NOINDEX)
    crawled.page("/other", *group, canonical("/x"), canonical=f"{SITE}/x")
    found = audited(crawled)
    assert found["Hreflang: Noindex Return Links"] == ["/en"]
    assert found["Hreflang: Non-Canonical Return Links"] == ["/en"]
    assert found["Hreflang: Not Using Canonical"] == ["/other"]


def test_entries_of_one_page(crawled: Crawled) -> None:
    crawled.page("/en", *versions(("/en", "en"), ("/de", "de"), ("/at", "de")))
    crawled.page("/de", *versions(("/en", "en"), ("/en", "en"), ("/en", "x-default")))
    found = audited(crawled)
    assert found["Hreflang: Multiple Entries"] == ["/en"]
    assert found["Hreflang: Missing Self Reference"] == ["/de"]


def test_site_without_hreflang_lacks_none(crawled: Crawled) -> None:
    crawled.page("/", ("/feed", Link(0, LinkKind.ALTERNATE, "", "alternate")))
    assert not any(name.startswith("Hreflang") for name in audited(crawled))


# ---------------------------------------------------------------- sitemaps


def test_what_sitemaps_name(crawled: Crawled) -> None:
    crawled.page("/", "/both", "/unlisted", "/gone")
    crawled.page("/both")
    crawled.page("/unlisted")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.sitemap("/map.xml", "/", "/both", "/both", "/gone", "/orphan", "/pair")
    crawled.sitemap("/map2.xml", "/both")
    crawled.page("/orphan", "/pair", "/orphan")
    crawled.page("/pair", "/")
    found = audited(crawled)
    listed = ["/", "/both", "/gone", "/orphan", "/pair"]
    assert sorted(found["Sitemaps: URLs in Sitemap"]) == listed
    assert found["Sitemaps: URLs not in Sitemap"] == ["/unlisted"]
    assert found["Sitemaps: Orphan URLs"] == ["/orphan"]
    assert found["Sitemaps: Non-Indexable URLs in Sitemap"] == ["/gone"]
    assert found["Sitemaps: URLs in Multiple Sitemaps"] == ["/both"]


def test_site_without_sitemaps_leaves_nothing_out(crawled: Crawled) -> None:
    crawled.page("/", "/a")
    crawled.page("/a")
    assert "Sitemaps: URLs not in Sitemap" not in audited(crawled)


@pytest.mark.parametrize(("entries", "is_over"), [(50_000, False), (50_001, True)])
def test_sitemap_with_too_many_entries(crawled: Crawled, entries: int, *, is_over: bool) -> None:
    crawled.sitemap("/map.xml", *(f"/{number}" for number in range(entries)))
    assert ("Sitemaps: XML Sitemap With Over 50k URLs" in audited(crawled)) is is_over
