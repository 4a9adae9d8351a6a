"""The reports that people know from other crawlers: their exact columns, and what is in them."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_audit import run_site_audit
from gossamer.audit.site_rule import RuleGroup
from gossamer.cli.where_option import filter_of
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import export
from gossamer.export.issue_views import issue_view
from gossamer.export.url_cells import CELLS
from gossamer.export.view_catalogue import REPORTS, TABS, VIEWS
from gossamer.export.view_names import view_named
from gossamer.model.errors import UsageError
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag, Directive, MarkupFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkTrait
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter
from gossamer.model.rendering import RenderedImage, Rendering, RenderingDetails
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.visit import Link, Visit
from gossamer.store.reading.reader import Reader
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled

INTERNAL_ALL = """Address, Content Type, Status Code, Status, Indexability, Indexability Status,
Title 1, Title 1 Length, Title 1 Pixel Width, Meta Description 1, Meta Description 1 Length,
Meta Description 1 Pixel Width, Meta Keywords 1, Meta Keywords 1 Length, H1-1, H1-1 Length, H1-2,
H1-2 Length, H2-1, H2-1 Length, H2-2, H2-2 Length, Meta Robots 1, X-Robots-Tag 1, Meta Refresh 1,
Canonical Link Element 1, rel="next" 1, rel="prev" 1, HTTP rel="next" 1, HTTP rel="prev" 1,
amphtml Link Element, Size (bytes), Transferred (bytes), Total Transferred (bytes), CO2 (mg),
Carbon Rating, Word Count, Sentence Count, Average Words Per Sentence, Flesch Reading Ease Score,
Readability, Text Ratio, Crawl Depth, Folder Depth, Link Score, Inlinks, Unique Inlinks,
Unique JS Inlinks, % of Total, Outlinks, Unique Outlinks, Unique JS Outlinks, External Outlinks,
Unique External Outlinks, Unique External JS Outlinks, Closest Near Duplicate Match,
No. Near Duplicates, Spelling Errors, Grammar Errors, Hash, Response Time, Last Modified,
Redirect URL, Redirect Type, Cookies, Language, HTTP Version, Mobile Alternate Link,
URL Encoded Address, Crawl Timestamp"""
CHAINS = """Chain Type, Number of Redirects, Loop, Source, Temp Redirect in Chain, Address,
Final Address, Final Indexability, Final Indexability Status, Final Content, Final Status Code,
Final Status, Alt Text, Anchor Text, Link Path, Link Position""" + "".join(
    f", Content {n}, Status Code {n}, Status {n}, Redirect Type {n}, Redirect URL {n}"
    for n in range(1, 11)
)
LINKS = """Type, Source, Destination, Form Action Link, Indexability, Indexability Status,
hreflang, Size (Bytes), Alt Text, Length, Anchor, Status Code, Status, Follow, Target, Rel,
Path Type, Unlinked, Link Path, Link Position, Link Origin"""
OVERVIEW = """Issue Name, Issue Type, Issue Priority, URLs, % of Total, Description, How To Fix,
Help URL"""
HEADINGS = {
    "internal_all": INTERNAL_ALL,
    "all_redirects": CHAINS,
    "redirect_chains": CHAINS,
    "redirect_and_canonical_chains": CHAINS,
    "canonical_chains": CHAINS,
    "all_inlinks": LINKS,
    "all_outlinks": LINKS,
    "insecure_content": LINKS,
    "issue_inlinks:H1: Missing": LINKS,
    "issues_overview": OVERVIEW,
    "orphan_pages": "URL, Source",
    "canonicals": """Address, Indexability, Indexability Status, Canonical Link Element 1,
HTTP Canonical 1, Meta Robots 1, X-Robots-Tag 1, rel="next" 1, rel="prev" 1""",
    "pagination": """Address, Indexability, Indexability Status, rel="next" 1, rel="prev" 1,
HTTP rel="next" 1, HTTP rel="prev" 1, Canonical Link Element 1, HTTP Canonical 1, Meta Robots 1,
X-Robots-Tag 1""",
    "images": """Address, Content Type, Status Code, Status, Size (bytes), Transferred (bytes),
Inlinks, Unique Inlinks, IMG Inlinks, Dimensions, Response Time, Last Modified, Indexability,
Indexability Status""",
    "structured_data": """Address, Indexability, Indexability Status, Errors, Warnings,
Rich Result Errors, Rich Result Warnings, Rich Result Features, Total Types, Unique Types, Type-1,
Type-2, Type-3, Type-4, Type-5, Type-6, Type-7, Type-8, Type-9, Type-10, Structured Data Types,
JSON-LD, Microdata, RDFa, Parse Errors, Validation Errors, Validation Warnings""",
}


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


def rows(crawled: Crawled, name: str, filter_: Filter | None = None) -> list[dict[str, str]]:
    return list(csv.DictReader(lines(crawled, view_named(name), filter_), strict=True))


def lines(crawled: Crawled, view: ExportView, filter_: Filter | None = None) -> list[str]:
    out = crawled.path.with_suffix(".csv")
    export(crawled.path, ExportSelection(view, filter_=filter_ or Filter()), out)
    return out.read_text(encoding="utf-8").splitlines()


@each_case("name", HEADINGS)
def test_a_report_has_exactly_the_columns_that_scripts_look_for(
    crawled: Crawled, name: str
) -> None:
    wanted = HEADINGS[name].replace("\n", " ").split(", ")
    (header,) = csv.reader(lines(crawled, view_named(name)))
    assert header == wanted


def test_what_a_report_counts_is_a_number_also_where_nothing_has_it(crawled: Crawled) -> None:
    """In the view of pages, the same heading may be of texts: the names of cookies, say."""
    crawled.page("/")
    view, no_check = view_named("internal_all"), lambda: None
    assert view.build is not None
    with Reader(crawled.path) as reader:
        sheet = view.build(reader, ExportSelection(view), no_check)
        (row,) = sheet.rows
    assert row[sheet.columns.index("Cookies")] is None
    assert {"Cookies", "Outlinks", "Title 1 Pixel Width"} <= sheet.counts
    assert sheet.counts.isdisjoint({"Status", "Content Type", "Type-1", "Title 1"})


@each_case("view", REPORTS, ids=lambda view: view.name)
def test_a_report_on_an_empty_project_has_its_header(crawled: Crawled, view: ExportView) -> None:
    header, *_ = csv.reader(lines(crawled, view))
    assert len(header) >= 2
    assert len(set(header)) == len(header)


def test_every_report_is_named_as_its_file_and_listed_once() -> None:
    assert len(VIEWS) == len({view.name for view in VIEWS.values()})
    assert {view.name for view in REPORTS} < set(VIEWS)
    assert all(view.name.replace("_", "").isalnum() for view in REPORTS)


def test_internal_urls_are_those_of_the_site_with_what_is_absent_as_0(crawled: Crawled) -> None:
    crawled.page("/", "/a/b/", "https://other.example/", title="Home")
    crawled.page("/a/b/")
    crawled.redirect("/old", "/")
    crawled.failed("https://other.example/", Outcome.CHECKED, status=200)
    crawled.known("/forbidden", Outcome.BLOCKED_BY_ROBOTS)
    crawled.known("/too-deep", Outcome.TOO_DEEP)
    found = {row["Address"]: row for row in rows(crawled, "internal_all")}
    assert list(found) == [f"{SITE}{path}" for path in ("/", "/a/b/", "/old", "/forbidden")]
    home, page, old, forbidden = found.values()
    assert (home["Title 1"], home["Title 1 Length"], home["H1-1 Length"]) == ("Home", "4", "0")
    assert (home["Indexability"], page["Folder Depth"]) == ("Indexable", "2")
    assert (old["Redirect Type"], old["Redirect URL"]) == ("HTTP Redirect", f"{SITE}/")
    assert forbidden["Indexability Status"] == "Blocked by Robots.txt"
    assert page["% of Total"] == "50.0"


@pytest.mark.parametrize(
    "name",
    [
        "internal_all",
        "response_codes",
        "url_all",
        "issue:Response Codes: Internal Client Error (4xx)",
    ],
)
def test_reports_on_urls_keep_to_facets(crawled: Crawled, name: str) -> None:
    crawled.page("/", "/gone", "/lost")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=410)
    crawled.failed("/lost", Outcome.CLIENT_ERROR, status=404)
    run_site_audit(crawled.path)
    found = rows(crawled, name, filter_of(["status=404"]))
    assert [row["Address"] for row in found] == [f"{SITE}/lost"]


@pytest.fixture
def with_lost_image(crawled: Crawled) -> Crawled:
    image = ("/lost", Link(0, LinkKind.IMAGE, "A cat"))
    crawled.page("/", "/gone", "/lost", image)
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=410)
    crawled.failed("/lost", Outcome.CLIENT_ERROR, status=404)
    run_site_audit(crawled.path)
    return crawled


@each_case(
    "name",
    [
        *("links", "broken-links", "all_inlinks", "all_outlinks"),
        "issue_inlinks:Response Codes: Internal Client Error (4xx)",
    ],
)
def test_reports_on_links_keep_to_facets_of_their_targets(
    with_lost_image: Crawled, name: str
) -> None:
    found = rows(with_lost_image, name, filter_of(["status=404", "kind=image"]))
    assert [(row["Destination"], row["Type"]) for row in found] == [(f"{SITE}/lost", "Image")]


@pytest.mark.parametrize("name", ["pages", "all", "internal_all", "issue:H1: Missing"])
def test_views_of_urls_refuse_facets_of_links(crawled: Crawled, name: str) -> None:
    with pytest.raises(UsageError, match="kind is about links"):
        rows(crawled, name, filter_of(["kind=image"]))


def test_the_urls_of_an_issue_take_no_other_issue(crawled: Crawled) -> None:
    with pytest.raises(UsageError, match="remove the facet issue"):
        rows(crawled, "issue:H1: Missing", filter_of(["issue=H2: Missing"]))


@pytest.mark.parametrize("name", ["internal_all", "response_codes", "url_all"])
def test_without_an_answer_the_status_is_0_with_the_reason(crawled: Crawled, name: str) -> None:
    crawled.page("/", "/no", "/late", "/later")
    crawled.failed("/no", Outcome.BLOCKED_BY_ROBOTS)
    crawled.failed("/late", Outcome.TIMEOUT)
    found = {row["Address"]: (row["Status Code"], row["Status"]) for row in rows(crawled, name)}
    assert found == {
        f"{SITE}/": ("200", "OK"),
        f"{SITE}/no": ("0", "Blocked by Robots.txt"),
        f"{SITE}/late": ("0", "No Response"),
    }
    links = {row["Destination"]: row["Status Code"] for row in rows(crawled, "all_inlinks")}
    assert links[f"{SITE}/no"] == links[f"{SITE}/later"] == "0"


def test_a_tab_has_the_columns_and_urls_that_it_is_about(crawled: Crawled) -> None:
    crawled.page("/", "https://other.example/", title="Home")
    crawled.visited("/a.css", Visit(Outcome.FILE, 200, content_type="text/css"))
    crawled.failed("https://other.example/", Outcome.CHECKED, status=200)
    (title,) = rows(crawled, "page_titles_all")
    assert (title["Address"], title["Title 1 Length"]) == (f"{SITE}/", "4")
    assert list(title)[:3] == ["Address", "Occurrences", "Title 1"]
    assert [row["Address"] for row in rows(crawled, "internal_css")] == [f"{SITE}/a.css"]
    assert [row["Address"] for row in rows(crawled, "internal_html")] == [f"{SITE}/"]
    (other,) = rows(crawled, "external_all")
    assert (other["Address"], other["Inlinks"]) == ("https://other.example/", "1")


@each_case("view", TABS, ids=lambda view: view.name)
def test_every_column_of_a_tab_is_known(view: ExportView, crawled: Crawled) -> None:
    (header,) = csv.reader(lines(crawled, view))
    assert set(header) <= {*CELLS, "Spelling Errors", "Grammar Errors", "Occurrences"}


def test_links_that_only_rendering_finds_are_0(crawled: Crawled) -> None:
    crawled.page("/")
    (page,) = rows(crawled, "internal_all")
    heads = ("Unique JS Inlinks", "Unique JS Outlinks", "Unique External JS Outlinks")
    assert [page[head] for head in heads] == ["0", "0", "0"]


def test_a_redirect_chain_has_a_row_for_each_page_that_links_to_it(crawled: Crawled) -> None:
    crawled.page("/", "/1")
    crawled.page("/other", "/1", "/single")
    crawled.redirect("/1", "/2", status=302)
    crawled.redirect("/2", "/3")
    crawled.page("/3")
    crawled.redirect("/single", "/3")
    first, second = rows(crawled, "redirect_chains")
    assert (first["Source"], second["Source"]) == (f"{SITE}/", f"{SITE}/other")
    known = {
        "Chain Type": "HTTP Redirect",
        "Number of Redirects": "2",
        "Loop": "false",
        "Temp Redirect in Chain": "true",
        "Address": f"{SITE}/1",
        "Final Address": f"{SITE}/3",
        "Final Indexability": "Indexable",
        "Final Content": "text/html",
        "Final Status Code": "200",
        "Anchor Text": "/1",
        "Status Code 1": "302",
        "Redirect Type 1": "HTTP Redirect",
        "Redirect URL 1": f"{SITE}/2",
        "Status Code 2": "301",
        "Redirect URL 2": f"{SITE}/3",
        "Status Code 3": "200",
        "Redirect URL 3": "",
        "Status Code 4": "",
    }
    assert first == first | known


def test_the_end_of_a_chain_is_told_as_in_other_reports(crawled: Crawled) -> None:
    page = Visit(
        Outcome.PAGE,
        200,
        content_type="text/html",
        content_type_header="text/html; charset=utf-8",
        facts=PageFacts(word_count=3),
    )
    crawled.page("/", "/1", "/3", "/blocked")
    for start, middle, end in (("/1", "/2", "/blocked"), ("/3", "/4", "/page")):
        crawled.redirect(start, middle)
        crawled.redirect(middle, end)
    crawled.decided("/blocked", Outcome.BLOCKED_BY_ROBOTS)
    crawled.visited("/page", page)
    blocked, found = rows(crawled, "redirect_chains")
    heads = ("Content", "Status Code", "Status")
    assert [blocked[f"Final {each}"] for each in heads] == ["", "0", "Blocked by Robots.txt"]
    assert [blocked[f"{each} 3"] for each in heads] == ["", "0", "Blocked by Robots.txt"]
    assert [found[f"Final {each}"] for each in heads] == ["text/html; charset=utf-8", "200", "OK"]
    links = {row["Destination"]: row for row in rows(crawled, "all_inlinks")}
    blocked = links[f"{SITE}/blocked"]
    assert (blocked["Status Code"], blocked["Status"]) == ("0", "Blocked by Robots.txt")


def test_versions_without_a_response_have_the_status_0_with_the_reason(crawled: Crawled) -> None:
    crawled.page("/", _alternate("de", "/de"), markup=int(MarkupFlag.HREFLANG))
    crawled.failed("/de", Outcome.TIMEOUT)
    (row,) = rows(crawled, "hreflang_all")
    assert (row["Hreflang Status Code"], row["Hreflang Status"]) == ("0", "No Response")


def test_a_loop_is_told_once_from_its_first_url(crawled: Crawled) -> None:
    crawled.redirect("/a", "/b", outcome=Outcome.REDIRECT_LOOP)
    crawled.redirect("/b", "/a", outcome=Outcome.REDIRECT_LOOP)
    (row,) = rows(crawled, "redirect_chains")
    assert (row["Loop"], row["Address"], row["Source"]) == ("true", f"{SITE}/a", "")


def test_a_chain_is_told_from_each_of_its_urls_that_pages_link_to(crawled: Crawled) -> None:
    crawled.page("/", "/1", "/2", "/3")
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/3")
    crawled.redirect("/3", "/4")
    crawled.page("/4")
    found = [(row["Address"], row["Number of Redirects"]) for row in rows(crawled, "all_redirects")]
    assert found == [(f"{SITE}/1", "3"), (f"{SITE}/2", "2"), (f"{SITE}/3", "1")]
    chains = [row["Address"] for row in rows(crawled, "redirect_chains")]
    assert chains == [f"{SITE}/1", f"{SITE}/2"]


def test_loops_are_told_from_the_urls_that_pages_link_to(crawled: Crawled) -> None:
    crawled.page("/", "/in", "/a", "/self")
    crawled.redirect("/in", "/a", outcome=Outcome.REDIRECT_LOOP)
    crawled.redirect("/a", "/b", outcome=Outcome.REDIRECT_LOOP)
    crawled.redirect("/b", "/a", outcome=Outcome.REDIRECT_LOOP)
    crawled.redirect("/self", "/self", outcome=Outcome.REDIRECT_LOOP)
    found = [
        (row["Address"].removeprefix(SITE), row["Number of Redirects"], row["Loop"])
        for row in rows(crawled, "redirect_chains")
    ]
    assert found == [("/in", "3", "true"), ("/a", "2", "true"), ("/self", "1", "true")]


def test_canonicals_and_redirects_make_chains_together(crawled: Crawled) -> None:
    crawled.page("/a", canonical=f"{SITE}/b")
    crawled.page("/b", canonical=f"{SITE}/c")
    crawled.redirect("/c", "/d")
    crawled.page("/d", canonical=f"{SITE}/d")
    (canonicals,) = rows(crawled, "canonical_chains")
    assert canonicals["Chain Type"] == "Canonical"
    assert (canonicals["Number of Redirects"], canonicals["Final Address"]) == ("2", f"{SITE}/c")
    (both,) = rows(crawled, "redirect_and_canonical_chains")
    assert both["Chain Type"] == "Canonical & HTTP Redirect"
    assert (both["Number of Redirects"], both["Final Address"]) == ("3", f"{SITE}/d")
    assert rows(crawled, "redirect_chains") == []


def test_link_headers_lead_on_in_chains_of_canonicals(crawled: Crawled) -> None:
    crawled.page("/a", canonical=f"{SITE}/a.pdf")
    crawled.visited("/a.pdf", Visit(Outcome.FILE, 200, canonical_header=f"{SITE}/b"))
    crawled.page("/b", canonical=f"{SITE}/b", canonical_header=f"{SITE}/c")
    crawled.page("/c", canonical=f"{SITE}/c", canonical_header=f"{SITE}/c")
    for report in ("canonical_chains", "redirect_and_canonical_chains"):
        (found,) = rows(crawled, report)
        assert (found["Number of Redirects"], found["Final Address"]) == ("3", f"{SITE}/c")


def test_a_size_that_nobody_knows_is_empty_and_not_0(crawled: Crawled) -> None:
    crawled.page("/", "/a.pdf", "/b.pdf")
    crawled.visited("/a.pdf", Visit(Outcome.CHECKED, 200, content_type="application/pdf"))
    empty = Visit(Outcome.CHECKED, 200, content_type="application/pdf", size_bytes=0)
    crawled.visited("/b.pdf", empty)
    sizes = {row["Address"]: row["Size (bytes)"] for row in rows(crawled, "internal_all")}
    assert (sizes[f"{SITE}/a.pdf"], sizes[f"{SITE}/b.pdf"]) == ("", "0")
    links = {row["Destination"]: row["Size (Bytes)"] for row in rows(crawled, "all_inlinks")}
    assert (links[f"{SITE}/a.pdf"], links[f"{SITE}/b.pdf"]) == ("", "0")


def test_links_say_what_is_known_of_their_targets(crawled: Crawled) -> None:
    image = ("/i.png", Link(0, LinkKind.IMAGE, "A cat"))
    language = ("/de", Link(0, LinkKind.ALTERNATE, "de"))
    crawled.page("/", "/gone", image, language)
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    gone, cat, german = rows(crawled, "all_inlinks")
    assert (gone["Type"], gone["Anchor"], gone["Status"]) == ("Hyperlink", "/gone", "Not Found")
    assert gone["Indexability Status"] == "Client Error"
    assert (cat["Alt Text"], cat["Length"], cat["Anchor"]) == ("A cat", "5", "")
    assert (german["hreflang"], german["Unlinked"], gone["Unlinked"]) == ("de", "true", "false")


def test_links_that_are_images_have_an_alt_text_and_no_anchor(crawled: Crawled) -> None:
    image = Link(0, LinkKind.ANCHOR, "A cat", traits=LinkTrait.IMAGE_TEXT, window="main")
    crawled.page("/", ("/cat", image), "/dog")
    for name in ("all_inlinks", "all_outlinks", "links"):
        cat, dog = rows(crawled, name)
        assert (cat["Type"], cat["Alt Text"], cat["Anchor"]) == ("Hyperlink", "A cat", "")
        assert (dog["Alt Text"], dog["Anchor"], cat["Target"]) == ("", "/dog", "main")


def test_no_link_of_a_page_that_says_nofollow_is_followed(crawled: Crawled) -> None:
    plain = ("/a", Link(0, LinkKind.ANCHOR, "a", rel="ugc"))
    image = ("/i.png", Link(0, LinkKind.IMAGE, "i"))
    own = ("/b", Link(0, LinkKind.ANCHOR, "b", rel="nofollow ugc"))
    crawled.page("/", plain, own)
    crawled.page("/nofollow", plain, image, directives=int(Directive.NOFOLLOW))
    crawled.page("/none", plain, directives=int(Directive.NONE | Directive.NOARCHIVE))
    for name in ("all_inlinks", "all_outlinks", "links"):
        found = [
            (row["Source"].removeprefix(SITE), row["Follow"], row["Rel"])
            for row in rows(crawled, name)
        ]
        assert sorted(found) == [
            ("/", "false", "nofollow ugc"),
            ("/", "true", "ugc"),
            ("/nofollow", "false", "ugc"),
            ("/nofollow", "true", ""),
            ("/none", "false", "ugc"),
        ]


def test_an_overview_lists_the_issues_that_there_are_by_priority(crawled: Crawled) -> None:
    noindex = int(Directive.NOINDEX)
    crawled.page("/", "/b", title="The same", directives=noindex | int(Directive.NOARCHIVE))
    crawled.page("/a", title="The same")
    crawled.page("/b", title="The same")
    crawled.failed("/c", Outcome.CLIENT_ERROR, status=404)
    run_site_audit(crawled.path)
    found = {row["Issue Name"]: row for row in rows(crawled, "issues_overview")}
    error = found["Response Codes: Internal Client Error (4xx)"]
    assert (error["Issue Type"], error["Issue Priority"]) == ("Issue", "High")
    assert (error["URLs"], error["% of Total"]) == ("1", "25.0")
    duplicate = found["Page Titles: Duplicate"]
    assert (duplicate["URLs"], duplicate["% of Total"]) == ("2", "100.0")
    assert duplicate["How To Fix"]
    priorities = [row["Issue Priority"] for row in found.values()]
    assert priorities == sorted(priorities, key=["High", "Medium", "Low", ""].index)
    assert all(int(row["URLs"]) > 0 for row in found.values())


def test_the_urls_of_an_issue_come_with_what_broke_the_rule(crawled: Crawled) -> None:
    title = "An exceedingly long title that no search result can show as a whole"
    german = ("/de", Link(0, LinkKind.ALTERNATE, "de"))
    crawled.page("/", "/de", german, title=title, markup=int(MarkupFlag.HREFLANG))
    crawled.page("/de", "/", title="Ein Titel")
    run_site_audit(crawled.path)
    header, *_ = csv.reader(lines(crawled, view_named("issue:page titles: duplicate")))
    assert header[0] == "Address"
    (missing,) = rows(crawled, "issue:Hreflang: Missing Return Links")
    assert (missing["Address"], missing["URL Without Return Link"]) == (f"{SITE}/", f"{SITE}/de")
    assert missing["URL Without Return Link Status Code"] == "200"
    (annotation,) = rows(crawled, "hreflang_missing_return")
    assert (annotation["hreflang"], annotation["Hreflang URL"]) == ("de", f"{SITE}/de")
    assert annotation["Return hreflang"] == ""
    (inlink,) = rows(crawled, "issue_inlinks:Hreflang: Missing Return Links")
    assert (inlink["Source"], inlink["Destination"]) == (f"{SITE}/de", f"{SITE}/")


def test_cells_of_an_issue_are_those_of_the_other_reports(crawled: Crawled) -> None:
    """What responds with nothing has status code 0, and outlinks are internal hyperlinks."""
    crawled.page("/", "/none", "/frames")
    crawled.failed("/none", Outcome.TIMEOUT)
    crawled.page("/frames", ("/framed", Link(0, LinkKind.FRAME)), "mailto:me@a.example")
    crawled.page("/framed")
    run_site_audit(crawled.path)
    everything = {row["Address"]: row for row in rows(crawled, "internal_all")}
    issues = ("Response Codes: Internal No Response", "Links: Pages Without Internal Outlinks")
    for row in (row for issue in issues for row in rows(crawled, f"issue:{issue}")):
        known = everything[row["Address"]]
        shared = row.keys() & known.keys()
        assert {each: row[each] for each in shared} == {each: known[each] for each in shared}
    (none,) = rows(crawled, f"issue:{issues[0]}")
    assert none["Status Code"] == "0"
    assert {row["Outlinks"] for row in rows(crawled, f"issue:{issues[1]}")} == {"0"}


def test_the_other_url_of_an_issue_has_status_code_0_if_it_did_not_respond(
    crawled: Crawled,
) -> None:
    crawled.page("/", "/de", _alternate("de", "/de"), markup=int(MarkupFlag.HREFLANG))
    crawled.failed("/de", Outcome.TIMEOUT)
    run_site_audit(crawled.path)
    (row,) = rows(crawled, "issue:Hreflang: Non-200 Hreflang URLs")
    assert row["Non-200 Hreflang URL Status Code"] == "0"


def _alternate(language: str, path: str) -> tuple[str, Link]:
    return path, Link(0, LinkKind.ALTERNATE, language)


def test_a_page_is_named_by_a_language_that_it_does_not_call_itself(crawled: Crawled) -> None:
    flag = int(MarkupFlag.HREFLANG)
    own = (_alternate("en", "/"), _alternate("de", "/de"), _alternate("x-default", "/"))
    other = (_alternate("en-GB", "/"), _alternate("de", "/de"), _alternate("x-default", "/"))
    crawled.page("/", "/de", *own, markup=flag)
    crawled.page("/de", "/", *other, markup=flag)
    run_site_audit(crawled.path)
    (row,) = rows(crawled, "hreflang_inconsistent")
    assert (row["Address"], row["Hreflang URL"]) == (f"{SITE}/", f"{SITE}/de")
    assert row["Return hreflang"] == "en-GB, x-default"


def test_annotations_of_sitemaps_are_those_of_their_entries(crawled: Crawled) -> None:
    own = (_alternate("en", "/"), _alternate("de", "/de"))
    crawled.page("/", "/de", "/fr", "/none", *own, markup=int(MarkupFlag.HREFLANG))
    for path in ("/de", "/fr", "/none"):
        crawled.page(path, "/")
    entry = Link(0, LinkKind.SITEMAP)
    german = (_alternate("en", "/"), _alternate("de", "/de"), _alternate("fr", "/fr"))
    french = (_alternate("de", "/none"), _alternate("fr", "/fr"))
    crawled.sitemap("/sitemap.xml", ("/de", entry), *german, ("/fr", entry), *french)
    crawled.sitemap("/more.xml", ("/none", entry), ("/none", entry))
    run_site_audit(crawled.path)
    found = rows(crawled, "hreflang_all")
    languages = {row["Address"]: "" for row in found}
    for row in found:
        languages[row["Address"]] += row["hreflang"] + " "
    assert languages == {f"{SITE}/": "en de ", f"{SITE}/de": "en de fr ", f"{SITE}/fr": "de fr "}
    missing = rows(crawled, "hreflang_missing_return")
    unanswered = {(row["Address"], row["Hreflang URL"]) for row in missing}
    assert unanswered == {(f"{SITE}/de", f"{SITE}/fr"), (f"{SITE}/fr", f"{SITE}/none")}


def _addresses(crawled: Crawled, view: str) -> list[tuple[str, str]]:
    return [(row["hreflang"], row["Hreflang URL"]) for row in rows(crawled, view)]


def test_annotations_of_what_was_not_read_or_not_asked_have_no_fault(crawled: Crawled) -> None:
    """The reports list the annotations that the rules mean, not all of the pages they list."""
    other = "https://other.example/nl"
    languages = ("en /", "de /de", "fr /fr", "es /es", "it /it", "pt /gone", f"nl {other}")
    named = [_alternate(*each.split()) for each in languages]
    crawled.page("/", "/de", "/es", "/it", "/gone", *named, markup=int(MarkupFlag.HREFLANG))
    crawled.page("/de", "/")
    checked = Visit(Outcome.CHECKED, 200, content_type="text/html", fetched_at=1e9)
    crawled.visited("/fr", checked)
    crawled.page("/es", "/", outcome=Outcome.REDIRECT)
    crawled.page("/it", "/", outcome=Outcome.PAGE_INCOMPLETE)
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.decided(other, Outcome.OUT_OF_SCOPE)
    run_site_audit(crawled.path)
    assert _addresses(crawled, "hreflang_missing_return") == [("de", f"{SITE}/de")]
    assert _addresses(crawled, "hreflang_non_200") == [("pt", f"{SITE}/gone")]


def test_an_annotation_is_of_an_unlinked_url_as_the_rule_has_it(crawled: Crawled) -> None:
    """Neither the root, nor what a redirect leads to, nor what is not of this site."""
    other = "https://other.example/nl"
    named = [
        _alternate(language, path)
        for language, path in (("en", "/"), ("de", "/de"), ("fr", "/fr"), ("it", "/it"))
    ]
    crawled.page("/", "/old", *named, _alternate("nl", other), markup=int(MarkupFlag.HREFLANG))
    crawled.page("/de", "/de", _alternate("en", "/"), markup=int(MarkupFlag.HREFLANG))
    crawled.page("/fr")
    crawled.redirect("/old", "/it")
    crawled.page("/it")
    crawled.decided(other, Outcome.OUT_OF_SCOPE)
    run_site_audit(crawled.path)
    assert _addresses(crawled, "hreflang_unlinked") == [("de", f"{SITE}/de"), ("fr", f"{SITE}/fr")]


def test_a_language_is_the_same_however_it_is_written(crawled: Crawled) -> None:
    flag = int(MarkupFlag.HREFLANG)
    own = (_alternate("en-GB", "/"), _alternate("de", "/de"), _alternate("fr", "/fr"))
    crawled.page("/", "/de", "/fr", *own, markup=flag)
    crawled.page("/de", "/", _alternate("en_gb", "/"), markup=flag)
    crawled.page("/fr", "/", _alternate("en", "/"), markup=flag)
    run_site_audit(crawled.path)
    assert _addresses(crawled, "hreflang_inconsistent") == [("fr", f"{SITE}/fr")]


def test_only_pages_make_return_links_that_are_noindex(crawled: Crawled) -> None:
    own = (_alternate("en", "/"), _alternate("de", "/de"), _alternate("fr", "/fr.pdf"))
    crawled.page("/", "/de", "/fr.pdf", *own, markup=int(MarkupFlag.HREFLANG))
    crawled.page("/de", "/", directives=int(Directive.NOINDEX))
    file = Visit(Outcome.FILE, 200, robots_header="noindex", fetched_at=1e9)
    crawled.visited("/fr.pdf", file)
    run_site_audit(crawled.path)
    assert _addresses(crawled, "hreflang_noindex") == [("de", f"{SITE}/de")]


def test_images_tell_how_many_pages_show_them_and_how_large_they_are(crawled: Crawled) -> None:
    logo, icon = f"{SITE}/logo.png", f"{SITE}/icon.png"
    shown = [RenderedImage(logo, 200, 80, 100, 40), RenderedImage(f"{SITE}/none.png", 1, 1)]
    image = Link(0, LinkKind.IMAGE, "")
    crawled.page(
        "/",
        *(("/logo.png", image), ("/logo.png", Link(1, LinkKind.IMAGE, "")), "/logo.png"),
        ("/icon.png", Link(3, LinkKind.ICON, "")),
        rendering=Rendering(details=RenderingDetails(images=shown)),
    )
    crawled.page("/a", ("/logo.png", image))
    for path in ("/logo.png", "/icon.png"):
        crawled.visited(path, Visit(Outcome.FILE, 200, "OK", content_type="image/png"))
    found = {row["Address"]: row for row in rows(crawled, "images")}
    columns = ("Inlinks", "IMG Inlinks", "Dimensions")
    assert {url: tuple(row[each] for each in columns) for url, row in found.items()} == {
        logo: ("4", "3", "200x80"),
        icon: ("1", "0", ""),
    }


def test_structured_data_is_told_in_numbers_and_types(crawled: Crawled) -> None:
    flags = (
        ContentFlag.JSON_LD | ContentFlag.STRUCTURED_DATA_ERROR | ContentFlag.RICH_RESULT_WARNING
    )
    crawled.page(
        "/",
        content=int(flags),
        structured_types='Product, Offer, "odd" type',
        structured_type_count=5,
    )
    crawled.page("/none", content=0)
    some, none = rows(crawled, "structured_data")
    assert [some[f"Type-{n}"] for n in range(1, 5)] == ["Product", "Offer", '"odd" type', ""]
    assert (none["Total Types"], none["Unique Types"], none["Type-1"]) == ("0", "0", "")
    assert (some["Total Types"], some["Unique Types"]) == ("5", "3")
    numbers = ("Errors", "Warnings", "Rich Result Errors", "Rich Result Warnings")
    assert [some[each] for each in numbers] == ["1", "0", "0", "1"]
    assert [none[each] for each in numbers] == ["0"] * 4


@pytest.mark.parametrize("group", RuleGroup)
def test_each_column_of_an_issue_has_a_heading_of_its_own(
    crawled: Crawled, group: RuleGroup
) -> None:
    for rule in RULES.values():
        if rule.group is group:
            (header,) = csv.reader(lines(crawled, issue_view(rule, DEFAULTS))[:1])
            assert all(header), rule.slug
            assert len(set(header)) == len(header), rule.slug


def test_an_issue_without_urls_is_a_header_alone(crawled: Crawled) -> None:
    crawled.page("/")
    assert len(lines(crawled, view_named("issue:AMP: Non-200 Response"))) == 1


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("issue:Page Title: Mising", "Page Titles: Missing"),
        ("issue_inlinks:H1: Mising", "H1: Missing"),
        ("internal_al", "internal_all"),
        ("redirect_chain", "redirect_chains"),
    ],
)
def test_an_unknown_name_is_answered_with_similar_ones(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=near):
        view_named(name)


def test_headers_and_cookies_are_counted_by_url(crawled: Crawled) -> None:
    crawled.page("/", "/a")
    crawled.page("/a")
    found = {row["Header"]: row for row in rows(crawled, "http_headers")}
    assert found["content-type"]["URLs"] == "2"
    assert rows(crawled, "cookie_summary") == []
