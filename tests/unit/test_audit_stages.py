"""What the stages of the site audit decide, definition by definition."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import StageRule
from gossamer.audit.stages.link_score_stage import scores
from gossamer.audit.stages.near_duplicate_stage import similar_pairs
from gossamer.extract.anchor_hashes import anchor_ids
from gossamer.extract.phrase_hashes import mix
from gossamer.extract.text_sketch import sketch_of
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag, Directive, MarkupFlag, RenderFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkTrait
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.rendering import (
    BlockedBy,
    PageResource,
    Rendering,
    RenderingDetails,
    ResourceType,
)
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.sketches import SKETCH_BYTES, share_of
from gossamer.model.visit import Link, Visit
from gossamer.store.auditing.number_arrays import first_of, second_of
from gossamer.store.reading.reader import Reader
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


def test_rules_say_whether_what_they_measure_is_a_url(crawled: Crawled) -> None:
    """Exports show a value as an address, or as a number."""
    crawled.page("/", image("/a.png", "x" * 101), "/a", following("/"), title="Same", h1="Same")
    crawled.page("/a", canonical("/gone"), bookmark("/", "#no"), amphtml("/gone"), title="Same")
    crawled.page("/b", following("/gone"), *versions(("/gone", "de"), ("/a", "en")), h1="Same")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.sitemap("/1.xml", "/b")
    crawled.sitemap("/2.xml", "/b")
    checked(crawled, "/a.png", "image/png", 200_000)
    audited(crawled, CrawlSettings(roots=(SITE,), crawl_depth_max=0))
    with closing(sqlite3.connect(crawled.path)) as connection:
        measured = dict(connection.execute("SELECT rule, value FROM issue WHERE value > 0"))
    decisions = {number: RULES[number].decision for number in measured}
    of_urls = {
        number
        for number, decision in decisions.items()
        if isinstance(decision, StageRule) and decision.names_url
    }
    numbers = {RULES[number].name for number in measured.keys() - of_urls}
    assert numbers == {
        "Over {limit} kB",
        "Pages With High Crawl Depth",
        "URLs in Multiple Sitemaps",
    }
    assert len(of_urls) >= 10


# ---------------------------------------------------------------- response codes


def test_answers_by_class_and_scope(crawled: Crawled) -> None:
    crawled.page("/", "/gone", "/broken", "/silent", "/blocked", f"{OTHER}/gone", f"{OTHER}/no")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/denied", Outcome.CLIENT_ERROR, status=403)
    crawled.failed("/broken", Outcome.SERVER_ERROR, status=500)
    crawled.failed("/silent", Outcome.TIMEOUT)
    crawled.failed("/scripts", Outcome.PAGE_NEEDS_SCRIPTS, status=200)
    crawled.known("/banned", Outcome.BLOCKED_BY_ROBOTS, parent="/")
    crawled.failed(f"{OTHER}/gone", Outcome.CLIENT_ERROR, status=410)
    crawled.failed(f"{OTHER}/no", Outcome.DNS_FAILURE)
    found = audited(crawled)
    assert found["Response Codes: Internal Client Error (4xx)"] == ["/gone", "/denied"]
    assert found["Response Codes: Internal Server Error (5xx)"] == ["/broken"]
    assert found["Response Codes: Internal No Response"] == ["/silent"]
    assert found["Response Codes: Internal Blocked by Robots.txt"] == ["/banned"]
    assert found["Response Codes: Internal Refused to Robots"] == ["/denied"]
    assert found["Response Codes: Internal Unverified"] == ["/scripts"]
    assert found["Response Codes: External Client Error (4xx)"] == [f"{OTHER}/gone"]
    assert found["Response Codes: External No Response"] == [f"{OTHER}/no"]


def test_blocked_resource_is_one_that_a_page_is_shown_with(crawled: Crawled) -> None:
    crawled.known("/style.css", Outcome.BLOCKED_BY_ROBOTS)
    crawled.known("/private", Outcome.BLOCKED_BY_ROBOTS)
    crawled.page("/", ("/style.css", Link(0, LinkKind.STYLESHEET)), "/private")
    found = audited(crawled)
    assert found["Response Codes: Internal Blocked Resource"] == ["/style.css"]
    assert found["Response Codes: Internal Blocked by Robots.txt"] == ["/style.css", "/private"]


def test_a_file_that_robots_txt_keeps_from_a_rendered_page_is_a_blocked_resource(
    crawled: Crawled,
) -> None:
    script, image, page = f"{OTHER}/ads.js", f"{OTHER}/a.png", f"{OTHER}/page"
    for url in (script, image, page):
        crawled.known(url, Outcome.OUT_OF_SCOPE)
    resources = [
        PageResource(script, ResourceType.SCRIPT, blocked_by=BlockedBy.ROBOTS),
        PageResource(image, ResourceType.IMAGE, blocked_by=BlockedBy.EXCLUDED),
        PageResource(page, ResourceType.DOCUMENT, blocked_by=BlockedBy.ROBOTS),
    ]
    rendering = Rendering(blocked_requests=3, details=RenderingDetails(resources))
    crawled.page(
        "/",
        (script, Link(0, LinkKind.SCRIPT)),
        (image, Link(0, LinkKind.IMAGE)),
        page,
        rendering=rendering,
        javascript=int(RenderFlag.BLOCKED_RESOURCES),
    )
    assert audited(crawled)["Response Codes: External Blocked Resource"] == [script]


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


@pytest.mark.parametrize(
    ("warning", "is_told"),
    [(ResponseWarning.SIZE_LIMIT, False), (ResponseWarning.HEADER_SPACE, True)],
)
def test_page_that_was_cut_may_have_links(
    crawled: Crawled, warning: ResponseWarning, *, is_told: bool
) -> None:
    facts = PageFacts(word_count=9)
    crawled.visited("/", Visit(Outcome.PAGE, 200, warnings=(warning,), facts=facts))
    assert ("Links: Pages Without Internal Outlinks" in audited(crawled)) is is_told


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
    with_comma = ("/comma", Link(0, LinkKind.ANCHOR, "c", "ugc,nofollow"))
    crawled.page("/", nofollow("/only"), nofollow("/mixed"), "/plain", with_comma)
    crawled.page("/comma")
    crawled.page("/plain", "/mixed")
    crawled.page("/only")
    crawled.page("/mixed")
    found = audited(crawled)
    assert found["Links: Internal Nofollow Inlinks Only"] == ["/only", "/comma"]
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


def test_file_that_a_link_header_canonicalises_is_not_indexable(crawled: Crawled) -> None:
    crawled.page("/a", "/a.pdf", canonical("/a.pdf"), canonical=f"{SITE}/a.pdf")
    file = Visit(Outcome.FILE, 200, content_type="application/pdf", canonical_header=f"{SITE}/b")
    crawled.visited("/a.pdf", file, [canonical("/b")])
    crawled.page("/b", canonical("/b"), canonical=f"{SITE}/b")
    own = replace(file, canonical_header=f"{SITE}/own.pdf")
    crawled.visited("/own.pdf", own, [canonical("/own.pdf")])
    into = replace(file, canonical_header=f"{SITE}/c")
    crawled.visited("/into.pdf", into, [canonical("/c")])
    crawled.page("/c", canonical("/d"), canonical=f"{SITE}/d")
    crawled.page("/d", canonical("/b"), canonical=f"{SITE}/b")
    crawled.sitemap("/1.xml", "/a.pdf", "/b", "/own.pdf")
    found = audited(crawled)
    assert found["Sitemaps: Non-Indexable URLs in Sitemap"] == ["/a.pdf"]
    assert found["Canonicals: Non-Indexable Canonical"] == ["/a", "/c"]
    assert found["Canonicals: Canonical Chain and Loop"] == ["/a", "/c"]
    with Reader(crawled.path) as reader:
        status = {each.url: each.indexability_status for each in reader.iterate(View.ALL)}
    assert status[f"{SITE}/a.pdf"] == Indexability.CANONICALISED
    assert status[f"{SITE}/own.pdf"] is None


def test_unlinked_canonical_is_told_of_the_target(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", canonical("/"))
    crawled.page("/a", canonical("/unlinked"), canonical("/unlinked"))
    crawled.page("/b", canonical("/a"))
    crawled.page("/unlinked", canonical("/unlinked"))
    assert audited(crawled)["Canonicals: Unlinked"] == ["/unlinked"]


def test_canonical_that_is_no_url_leads_nowhere(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", ("http://", Link(0, LinkKind.IMAGE, "", element="img")))
    crawled.page("/a", canonical("/b"))
    crawled.page("/b", canonical("http://"), alternate("/b", "de"))
    crawled.failed("http://", Outcome.MALFORMED_URL)
    found = audited(crawled)
    assert "Canonicals: Canonical Chain and Loop" not in found
    assert "Canonicals: Unlinked" not in found
    assert "Hreflang: Not Using Canonical" not in found
    assert not any("http://" in urls for urls in found.values())


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


def test_what_a_page_of_a_series_lacks_that_broke_off_is_not_known(crawled: Crawled) -> None:
    crawled.page("/", "/1", "/2")
    crawled.page("/1", "/2", following("/2"))
    crawled.page("/2", following("/3"), outcome=Outcome.PAGE_INCOMPLETE)
    crawled.page("/3", "/2", outcome=Outcome.PAGE_INCOMPLETE)
    found = {name for name in audited(crawled) if name.startswith("Pagination")}
    assert found == {"Pagination: Unlinked Pagination URLs"}


# ---------------------------------------------------------------- hreflang


def versions(*others: tuple[str, str]) -> list[tuple[str, Link]]:
    return [alternate(path, language) for path, language in others]


def test_versions_that_name_each_other_have_no_fault(crawled: Crawled) -> None:
    both = versions(("/en", "en-GB"), ("/de", "de"), ("/en", "x-default"))
    crawled.page("/en", "/de", *both)
    crawled.page("/de", "/en", *versions(("/en", "en-gb"), ("/de", "DE"), ("/en", "x-default")))
    found = [name for name in audited(crawled) if name.startswith("Hreflang")]
    assert found == ["Hreflang: Contains Hreflang"]


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


def test_an_entry_written_in_several_ways_is_several(crawled: Crawled) -> None:
    crawled.page("/en", "/de", *versions(("/en", "en"), ("/de", "de")))
    crawled.page("/de", "/en", *versions(("/en", "en"), ("/de", "de")))
    crawled.sitemap("/map.xml", "/en", *versions(("/de", "DE")), "/de", *versions(("/fr", "fr")))
    assert audited(crawled)["Hreflang: Multiple Entries"] == ["/en"]


def test_entries_of_two_sitemaps_are_one(crawled: Crawled) -> None:
    crawled.page("/en", "/de")
    crawled.page("/de", "/en")
    for path in ("/map.xml", "/more.xml"):
        crawled.sitemap(path, "/en", *versions(("/en", "en"), ("/de", "de")))
    assert "Hreflang: Multiple Entries" not in audited(crawled)


def test_annotations_in_a_sitemap_are_those_of_its_entries(crawled: Crawled) -> None:
    crawled.page("/", "/en", "/de", "/fr", *versions(("/", "x-default")))
    for path in ("/en", "/de", "/fr"):
        crawled.page(path, "/")
    english = versions(("/en", "en"), ("/de", "de"))
    german = versions(("/de", "de"), ("/fr", "fr"))
    crawled.sitemap("/map.xml", "/en", *english, "/de", *german, "/fr")
    found = audited(crawled)
    assert found["Hreflang: Missing Return Links"] == ["/en", "/de"]
    assert found["Hreflang: Missing X-Default"] == ["/en", "/de"]
    assert found["Hreflang: Missing"] == ["/fr"]
    assert "Hreflang: Missing Self Reference" not in found
    assert found["Hreflang: Contains Hreflang"] == ["/", "/en", "/de"]


def test_codes_in_a_sitemap_are_checked(crawled: Crawled) -> None:
    crawled.page("/", "/en", "/uk")
    crawled.page("/en", "/")
    crawled.page("/uk", "/")
    good, bad = versions(("/en", "en")), versions(("/uk", "en-UK"), ("/en", "en"))
    crawled.sitemap("/map.xml", "/en", *good, "/uk", *bad)
    found = audited(crawled)
    assert found["Hreflang: Incorrect Language & Region Codes"] == ["/uk"]


def test_annotations_in_a_sitemap_answer_those_of_pages(crawled: Crawled) -> None:
    crawled.page("/en", "/de", *versions(("/en", "en"), ("/de", "de")))
    crawled.page("/de", "/en")
    crawled.sitemap("/map.xml", "/de", *versions(("/de", "de"), ("/en", "en")))
    assert "Hreflang: Missing Return Links" not in audited(crawled)


def test_what_a_page_that_broke_off_lacks_is_not_known(crawled: Crawled) -> None:
    broken = Outcome.PAGE_INCOMPLETE
    crawled.page("/en", "/de", "/fr", *versions(("/en", "en"), ("/de", "de"), ("/en", "x-default")))
    crawled.page("/de", "/en", *versions(("/at", "de-AT")), outcome=broken)
    crawled.page("/at", *versions(("/at", "de-AT"), ("/de", "de"), ("/at", "x-default")))
    crawled.page("/fr", "/en", outcome=broken)
    names = {name for name, urls in audited(crawled).items() if name.startswith("Hreflang")}
    assert names == {"Hreflang: Contains Hreflang", "Hreflang: Unlinked Hreflang URLs"}


def test_site_without_hreflang_lacks_none(crawled: Crawled) -> None:
    crawled.page("/", ("/feed", Link(0, LinkKind.ALTERNATE, "", "alternate")))
    assert not any(name.startswith("Hreflang") for name in audited(crawled))


# ---------------------------------------------------------------- sitemaps


def test_what_sitemaps_name(crawled: Crawled) -> None:
    crawled.page("/", "/both", "/unlisted", "/gone")
    crawled.page("/both")
    crawled.page("/unlisted")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.sitemap("/map.xml", "/", "/both", "/both", "/gone", "/orphan", "/pair", "/lost")
    crawled.sitemap("/map2.xml", "/both")
    crawled.page("/orphan", "/pair", "/orphan")
    crawled.page("/pair", "/")
    crawled.failed("/lost", Outcome.CLIENT_ERROR, status=404)
    found = audited(crawled)
    listed = ["/", "/both", "/gone", "/lost", "/orphan", "/pair"]
    assert sorted(found["Sitemaps: URLs in Sitemap"]) == listed
    assert found["Sitemaps: URLs not in Sitemap"] == ["/unlisted"]
    assert found["Sitemaps: Orphan URLs"] == ["/orphan", "/lost"]
    assert found["Sitemaps: Non-Indexable URLs in Sitemap"] == ["/gone", "/lost"]
    assert found["Sitemaps: URLs in Multiple Sitemaps"] == ["/both"]


def test_site_without_sitemaps_leaves_nothing_out(crawled: Crawled) -> None:
    crawled.page("/", "/a")
    crawled.page("/a")
    assert "Sitemaps: URLs not in Sitemap" not in audited(crawled)


def test_sitemap_with_too_many_entries(crawled: Crawled) -> None:
    crawled.sitemap("/most.xml", *["/"] * 50_000)
    crawled.sitemap("/more.xml", *["/"] * 50_001)
    assert audited(crawled)["Sitemaps: XML Sitemap With Over 50k URLs"] == ["/more.xml"]


# ---------------------------------------------------------------- images and resources


def image(path: str, alt: str = "", traits: int = 0) -> tuple[str, Link]:
    return path, Link(0, LinkKind.IMAGE, alt, element="img", traits=traits)


def test_images_are_told_by_how_pages_show_them(crawled: Crawled) -> None:
    crawled.page(
        "/",
        image("/none.png", traits=LinkTrait.NO_ALT),
        image("/empty.png", traits=LinkTrait.EMPTY_ALT),
        image("/size.png", "Alt", LinkTrait.NO_SIZE),
        image("/100.png", "x" * 100),
        image("/101.png", "x" * 101),
    )
    crawled.page("/noindex", image("/hidden.png", traits=LinkTrait.NO_ALT), directives=NOINDEX)
    found = audited(crawled)
    assert found["Images: Missing Alt Attribute"] == ["/none.png"]
    assert found["Images: Missing Alt Text"] == ["/empty.png"]
    assert found["Images: Missing Size Attributes"] == ["/size.png"]
    assert found["Images: Alt Text Over 100 Characters"] == ["/101.png"]
    assert issue_values(crawled.path, "Images: Missing Alt Attribute") == {"/none.png": 1}


def checked(crawled: Crawled, path: str, content_type: str, size_bytes: int) -> None:
    visit = Visit(Outcome.CHECKED, 200, content_type=content_type, size_bytes=size_bytes)
    crawled.visited(path, visit)


def test_sizes_of_resources_are_told_above_their_thresholds(crawled: Crawled) -> None:
    script = Link(0, LinkKind.SCRIPT)
    crawled.page("/", image("/a.png"), image("/b.png"), ("/a.js", script), ("/b.js", script))
    checked(crawled, "/a.png", "image/png", 100 * 1024)
    checked(crawled, "/b.png", "image/png", 100 * 1024 + 1)
    checked(crawled, "/a.js", "text/javascript", 2 * 1024 * 1024)
    checked(crawled, "/b.js", "text/javascript", 2 * 1024 * 1024 + 1)
    found = audited(crawled)
    assert found["Images: Over 100 kB"] == ["/b.png"]
    assert found["Validation: Resource Over 2MB"] == ["/b.js"]


def test_other_limits_of_stages_are_applied_to_what_is_stored(crawled: Crawled) -> None:
    script = Link(0, LinkKind.SCRIPT)
    anchors = [f"/{number}" for number in range(3)]
    others = [f"{OTHER}/{number}" for number in range(2)]
    crawled.page("/", image("/a.png", "x" * 9), ("/a.js", script), *anchors, *others)
    crawled.page("/0", image("/b.png", "x" * 5), image("/a.png", "x"), "/")
    crawled.page("/1", "/2")
    crawled.failed("/2", Outcome.TIMEOUT)
    checked(crawled, "/a.png", "image/png", 5 * 1024)
    checked(crawled, "/a.js", "text/javascript", 2 * 1024 * 1024)
    limits = {
        "crawl_depth_max": (0, "Links: Pages With High Crawl Depth", ["/0", "/1"]),
        "internal_outlinks_max": (2, "Links: Pages With High Internal Outlinks", ["/"]),
        "external_outlinks_max": (1, "Links: Pages With High External Outlinks", ["/"]),
        "image_max_kib": (4, "Images: Over 100 kB", ["/a.png"]),
        "document_max_mib": (1, "Validation: Resource Over 2MB", ["/a.js"]),
        "alt_max_length": (4, "Images: Alt Text Over 100 Characters", ["/a.png", "/b.png"]),
    }
    audited(crawled)
    for name, (limit, rule, urls) in limits.items():
        settings = replace(CrawlSettings(roots=(SITE,)), **{name: limit})
        assert audited(crawled, settings)[rule] == urls
    assert issue_values(crawled.path, "Images: Alt Text Over 100 Characters") == {
        "/a.png": 1,
        "/b.png": crawled.id("/0"),
    }
    assert not {rule for _, rule, _ in limits.values()} & audited(crawled).keys()


def test_background_images_come_from_styles(crawled: Crawled) -> None:
    crawled.page("/", ("/back.png", Link(0, LinkKind.CSS)), ("/font.woff", Link(0, LinkKind.CSS)))
    checked(crawled, "/back.png", "image/png", 9)
    checked(crawled, "/font.woff", "font/woff", 9)
    assert audited(crawled)["Images: Background Images"] == ["/back.png"]


def test_http_urls_are_internal_ones_that_were_asked(crawled: Crawled) -> None:
    crawled.page("/", "http://example.com/old", "http://example.com/never", "http://other.example/")
    crawled.redirect("http://example.com/old", "/")
    assert audited(crawled)["Security: HTTP URLs"] == ["http://example.com/old"]


# ---------------------------------------------------------------- AMP

AMP = int(MarkupFlag.AMP)


def amphtml(path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.AMP, "", "amphtml")


def test_amp_pages(crawled: Crawled) -> None:
    crawled.page("/good", amphtml("/good.amp"))
    crawled.page("/good.amp", canonical("/good"), canonical=f"{SITE}/good", markup=AMP)
    crawled.page("/deaf")
    crawled.page("/deaf.amp", canonical("/deaf"), canonical=f"{SITE}/deaf", markup=AMP)
    crawled.page("/lost", amphtml("/lost.amp"), amphtml("/gone.amp"))
    crawled.page("/lost.amp", markup=AMP)
    crawled.failed("/gone.amp", Outcome.CLIENT_ERROR, status=404)
    crawled.page("/hidden", amphtml("/hidden.amp"), directives=NOINDEX)
    crawled.page("/hidden.amp", canonical("/hidden"), canonical=f"{SITE}/hidden", markup=AMP)
    found = audited(crawled)
    assert found["AMP: Non-200 Response"] == ["/lost"]
    assert found["AMP: Missing Non-AMP Return Link"] == ["/deaf.amp"]
    assert found["AMP: Missing Canonical to Non-AMP"] == ["/lost.amp"]
    assert found["AMP: Non-Indexable Canonical"] == ["/hidden.amp"]
    assert found["AMP: Indexable"] == ["/lost.amp"]
    assert found["AMP: Non-Indexable"] == ["/good.amp", "/deaf.amp", "/hidden.amp"]


# ---------------------------------------------------------------- bookmarks


def bookmark(path: str, fragment: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.ANCHOR, "text", fragment=fragment)


def ids(*names: str) -> bytes | None:
    return anchor_ids(names).hashes


@pytest.mark.parametrize(
    "fragment", ["#there", "#%C3%BCber", "#", "#top", "#TOP", "#:~:text=any", "#!/route", "#/route"]
)
def test_fragments_that_lead_somewhere(crawled: Crawled, fragment: str) -> None:
    crawled.page("/", bookmark("/a", fragment))
    crawled.page("/a", anchor_ids=ids("there", "über"))
    assert "URL: Broken Bookmark" not in audited(crawled)


@pytest.mark.parametrize("fragment", ["#gone", "#There", "#gone:~:text=any"])
def test_fragments_that_lead_nowhere(crawled: Crawled, fragment: str) -> None:
    crawled.page("/", bookmark("/a", fragment), bookmark("/a", "#there"))
    crawled.page("/a", anchor_ids=ids("there"))
    crawled.page("/noindex", bookmark("/a", fragment), directives=NOINDEX)
    assert audited(crawled)["URL: Broken Bookmark"] == ["/"]
    assert issue_values(crawled.path, "URL: Broken Bookmark") == {"/": crawled.id("/a")}


def test_bookmarks_within_a_page_and_to_pages_without_any(crawled: Crawled) -> None:
    crawled.page("/", bookmark("/", "#gone"), bookmark("/a", "#x"), anchor_ids=ids("a"))
    crawled.page("/a", bookmark("/a", "#x"), bookmark("/elsewhere", "#x"))
    crawled.page("/cut", bookmark("/cut", "#x"), content=int(ContentFlag.ANCHORS_CUT))
    assert audited(crawled)["URL: Broken Bookmark"] == ["/", "/a"]


def test_ids_that_were_never_written_so_end_no_audit(crawled: Crawled) -> None:
    crawled.page("/", bookmark("/a", "#x"))
    crawled.page("/a", anchor_ids=b"\1\2\3")
    assert audited(crawled)["URL: Broken Bookmark"] == ["/"]


# ---------------------------------------------------------------- near duplicates


_PHRASES = 512


def sketch(*changed: int) -> bytes:
    """That of a text of `_PHRASES` phrases, of which those in these places are others."""
    numbers = (place + _PHRASES if place in changed else place for place in range(_PHRASES))
    return sketch_of(mix(number + 1) >> 32 for number in numbers)


def text(number: int, *changed: int) -> dict[str, Any]:
    return {"sketch": sketch(*changed), "content_hash": bytes([number]) * 16}


def test_near_duplicates_share_as_much_as_the_threshold(crawled: Crawled) -> None:
    crawled.page("/", **text(1))
    crawled.page("/near", **text(2, *range(25)))
    crawled.page("/far", **text(3, *range(0, _PHRASES, 3)))
    crawled.page("/noindex", **text(4), directives=NOINDEX)
    found = audited(crawled)
    assert found["Content: Near Duplicates"] == ["/", "/near"]
    assert columns(crawled.path, "near_duplicates") == {"/": 1, "/near": 1}
    assert columns(crawled.path, "near_duplicate_match") == {"/": 91, "/near": 91}
    assert columns(crawled.path, "near_duplicate_id") == {"/": 2, "/near": 1}
    higher = CrawlSettings(roots=(SITE,), duplicate_min_percent=92)
    assert "Content: Near Duplicates" not in audited(crawled, higher)


def test_exact_duplicates_are_not_near_ones(crawled: Crawled) -> None:
    crawled.page("/1", **text(1))
    crawled.page("/2", **text(1))
    found = audited(crawled)
    assert found["Content: Exact Duplicates"] == ["/1", "/2"]
    assert "Content: Near Duplicates" not in found


def test_pages_with_the_same_text_and_other_content_are_near_duplicates(crawled: Crawled) -> None:
    crawled.page("/1", **text(1))
    crawled.page("/2", **text(1))
    crawled.page("/3", **text(2))
    crawled.page("/4", **text(3, 5, 6))
    found = audited(crawled)
    assert found["Content: Near Duplicates"] == ["/1", "/2", "/3", "/4"]
    assert columns(crawled.path, "near_duplicates") == {"/1": 2, "/2": 2, "/3": 3, "/4": 3}
    match = columns(crawled.path, "near_duplicate_match")
    assert match == {"/1": 100, "/2": 100, "/3": 100, "/4": 99}
    assert columns(crawled.path, "near_duplicate_id") == {"/1": 3, "/2": 3, "/3": 1, "/4": 1}


def test_the_near_duplicates_of_a_page_are_those_that_the_stage_has_counted(
    crawled: Crawled,
) -> None:
    crawled.page("/1", **text(1))
    crawled.page("/2", **text(1))
    crawled.page("/3", **text(2))
    crawled.page("/4", **text(3, 5, 6))
    crawled.page("/far", **text(4, *range(0, _PHRASES, 3)))
    crawled.page("/close-to-far", **text(5, *range(0, _PHRASES, 3), 1))
    audited(crawled)
    rule = next(n for n, each in RULES.items() if each.name == "Near Duplicates")
    match = columns(crawled.path, "near_duplicate_match")
    with Reader(crawled.path) as reader:
        assert reader.near_duplicates(rule, 1, 9) == [(3, 100), (4, 99)]
        assert reader.near_duplicates(rule, 4, 9) == [(1, 99), (2, 99), (3, 99)]
        assert reader.near_duplicates(rule, 4, 2) == [(1, 99), (2, 99)]
        assert reader.near_duplicates(rule, 5, 9) == [(6, match["/far"])]
        assert reader.near_duplicates(rule, 99, 9) == []


def test_bands_find_the_pairs_that_comparing_all_finds() -> None:
    random = np.random.default_rng(50)
    texts = random.integers(0, 2**32, (300, 400))
    for place in range(1, 300, 2):  # the second of two agrees with the first in much, or little
        kept = random.integers(0, 400)
        texts[place, :kept] = texts[place - 1, :kept]
    sketches = [sketch_of(each) for each in texts.tolist()]
    share = np.zeros((len(sketches), len(sketches)))
    for one, other in combinations(range(len(sketches)), 2):
        share[one, other] = share_of(sketches[one], sketches[other])
    columns = np.frombuffer(b"".join(sketches), np.uint8).reshape(-1, SKETCH_BYTES)
    for least in (0.5, 0.7, 0.9, 1.0):
        first, second = np.nonzero(share >= least)
        expected = set(zip(first.tolist(), second.tolist(), strict=True))
        pairs = similar_pairs(columns, least, lambda: None)
        found = set(zip(first_of(pairs).tolist(), second_of(pairs).tolist(), strict=True))
        assert found <= expected, least
        assert len(found) >= 0.97 * len(expected), least


# ---------------------------------------------------------------- link score


def test_link_score_is_highest_where_most_links_lead(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", "/c")
    for path in ("/a", "/b", "/c"):
        crawled.page(path, "/")
    crawled.page("/lonely", "/")
    audited(crawled)
    found = columns(crawled.path, "link_score")
    assert found["/"] == 100
    assert found["/lonely"] == 0
    assert 0 < found["/a"] < 100  # type: ignore[operator]  # a number
    assert found["/a"] == found["/b"] == found["/c"]


def test_redirects_and_canonicals_pass_the_score_on(crawled: Crawled) -> None:
    crawled.page("/", "/old", "/copy", "/plain")
    crawled.redirect("/old", "/new")
    crawled.page("/new", "/")
    crawled.page("/copy", canonical("/main"), "/plain", canonical=f"{SITE}/main")
    crawled.page("/main", "/")
    crawled.page("/plain", "/")
    audited(crawled)
    found = columns(crawled.path, "link_score")
    assert found["/new"] == found["/main"]
    assert found["/new"] > found["/plain"] - 5  # type: ignore[operator]  # numbers
    assert found["/new"] > 0  # type: ignore[operator]  # a number


def test_nofollow_links_give_no_score(crawled: Crawled) -> None:
    crawled.page("/", "/followed", nofollow("/nofollow"))
    crawled.page("/followed", "/")
    crawled.page("/nofollow", "/")
    crawled.page("/says", "/nofollow", directives=int(Directive.NOFOLLOW))
    audited(crawled)
    found = columns(crawled.path, "link_score")
    assert found["/nofollow"] == 0
    assert found["/followed"] > 0  # type: ignore[operator]  # a number


def test_ranks_are_those_of_the_power_method(crawled: Crawled) -> None:
    crawled.page("/1", "/2", "/3")
    crawled.page("/2", "/3")
    crawled.page("/3", "/1")
    audited(crawled)
    ranks = np.full(3, 1 / 3)
    links = np.array([[0, 0, 1], [0.5, 0, 0], [0.5, 1, 0]])
    for _ in range(100):
        ranks = 0.15 / 3 + 0.85 * links @ ranks
    expected = scores(ranks).tolist()
    assert list(columns(crawled.path, "link_score").values()) == expected
