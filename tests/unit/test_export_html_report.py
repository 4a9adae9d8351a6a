"""The report: right figures, one file that needs nothing else, and nothing in it that runs."""

import random
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html

from gossamer.audit.rules import page_titles
from gossamer.audit.site_audit import run_site_audit
from gossamer.export import report_data
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.formats import REPORT
from gossamer.export.report_charts import ChartShare, columns, donut
from gossamer.export.report_data import ReportData, gather
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.sheet import FormatOptions
from gossamer.export.url_views import PAGES
from gossamer.model.errors import UsageError
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, UrlState, Verdict
from gossamer.model.outcome_details import free_text
from gossamer.model.project_queries import View
from gossamer.model.redirect_types import ChainType
from gossamer.model.rendering import Rendering
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.translatable import Translatable
from gossamer.model.visit import Link
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import SITE, Crawled

HOSTILE = "</title><script>alert(1)</script><img src=x onerror='alert(1)'>\"&amp;"
WHOLE = ExportSelection(REPORT)


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "report.html"


def of(crawled: Crawled) -> ReportData:
    with Reader(crawled.path) as reader:
        return gather(reader.iterate(View.ALL), reader.chains(), reader)


def page(crawled: Crawled, out: Path) -> html.HtmlElement:
    export(crawled.path, WHOLE, out)
    return read(out)


def read(path: Path) -> html.HtmlElement:
    found = html.document_fromstring(path.read_text(encoding="utf-8"))
    assert isinstance(found, html.HtmlElement)
    return found


def test_figures(crawled: Crawled) -> None:
    crawled.page("/", "/gone", "/gone", "/slow", "mailto:me@example.com")
    crawled.page("/b", "/gone")
    crawled.redirect("/old", "/")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/slow", Outcome.TIMEOUT)
    crawled.known("/private", Outcome.BLOCKED_BY_ROBOTS)
    found = of(crawled)
    assert (found.urls, found.asked) == (7, 5)
    assert (found.pages, found.redirects, found.failures) == (2, 1, 2)
    assert found.status_classes == {2: 2, 3: 1, 4: 1, report_data.NO_RESPONSE: 1}
    assert found.verdicts[Verdict.BROKEN] == found.verdicts[Verdict.UNVERIFIED] == 1
    assert found.times.percentiles == {50: 2, 90: 7, 99: 7}
    assert found.content_types == {"text/html": 2, "": 1}
    gone, slow = found.errors
    assert [link.source_url for link in gone.links] == [f"{SITE}/", f"{SITE}/", f"{SITE}/b"]
    assert (gone.record.url, slow.record.url) == (f"{SITE}/gone", f"{SITE}/slow")


def test_what_was_cut_and_what_was_left_out_at_the_trap_limit_is_told(
    crawled: Crawled, out: Path
) -> None:
    crawled.page("/", "/c?m=1", "/c?m=2")
    whole = page(crawled, out).text_content()
    assert "not read to the end" not in whole
    assert "Warnings" not in whole
    both = (ResponseWarning.SIZE_LIMIT, ResponseWarning.LENGTH_TWICE)
    crawled.failed("/long", Outcome.PAGE, status=200, warnings=both)
    crawled.failed("/odd", Outcome.PAGE, status=200, warnings=both[1:])
    crawled.known("/c?m=<1>", Outcome.OVER_BUDGET)
    crawled.known("/c?m=2", Outcome.OVER_BUDGET)
    out.unlink()
    shown = page(crawled, out).text_content()
    assert "1not read to the end" in shown
    assert re.search(r"Warnings\W*Duplicate Content-Length\W*2\W*Cut at the size limit\W*1", shown)
    assert f"Trap limit: such as {SITE}/c?m=<1>" in shown


def test_chains_that_end_badly_stand_before_long_ones(crawled: Crawled) -> None:
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/3")
    crawled.redirect("/3", "/")
    crawled.redirect("/fine", "/")
    crawled.redirect("/loop", "/loop")
    crawled.page("/")
    found = of(crawled)
    assert [(kind, len(hops)) for kind, hops in found.chains] == [
        (ChainType.LOOP, 2),
        (ChainType.PERMANENT, 4),
    ]
    assert found.chain_types == {ChainType.PERMANENT: 2, ChainType.LOOP: 1}


def records(number: int) -> list[UrlRecord]:
    """Pages in an order of chance, each as slow and as large as its number."""
    urls = [
        UrlRecord(
            id=n,
            url=f"{SITE}/{n}",
            state=UrlState.DONE,
            outcome=Outcome.PAGE,
            depth=n % 40,
            hops=0,
            parent=None,
            status=200,
            elapsed_ms=n,
            size_bytes=n,
            raw_bytes=1,
        )
        for n in range(1, number + 1)
    ]
    random.Random(7).shuffle(urls)
    return urls


def test_the_worst_are_kept_and_no_more(crawled: Crawled) -> None:
    with Reader(crawled.path) as reader:
        found = gather(records(5_000), [], reader)
    worst = list(range(5_000, 5_000 - report_data.WORST, -1))
    assert [record.id for record in found.slowest] == worst
    assert [record.id for record in found.largest] == worst
    assert max(found.depths) == report_data.LAST_DEPTH
    assert sum(found.times.bins) == found.depths.total() == 5_000
    assert found.times.percentiles == {50: 2_500, 90: 4_500, 99: 4_900}


def test_times_that_are_told_apart_are_few(crawled: Crawled) -> None:
    with Reader(crawled.path) as reader:
        found = gather(records(20_000), [], reader)
    assert found.times.percentiles[99] == 19_000


def test_nothing_in_the_report_runs_or_is_asked_for(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/gone?'><script>alert(1)</script>", f"javascript:{HOSTILE}", title=HOSTILE)
    crawled.failed("/gone?'><script>alert(1)</script>", Outcome.CLIENT_ERROR, status=404)
    crawled.failed(f"javascript:{HOSTILE}", Outcome.CONNECTION_LOST, detail=free_text(HOSTILE))
    found = page(crawled, out)
    assert not list(found.iter("script", "img", "link", "iframe", "object", "form", "base"))
    attributes = {name for element in found.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or name == "src"]
    hrefs = [href for href in found.xpath("//@href") if not href.startswith("#")]
    assert {href[:8] for href in hrefs} == {"https://"}
    (policy,) = found.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert "default-src 'none'" in policy
    assert HOSTILE in found.text_content()
    style = "".join(found.xpath("//style/text()"))
    assert "url(" not in style
    assert "@import" not in style


def test_the_report_has_no_characters_that_html_forbids(crawled: Crawled, out: Path) -> None:
    crawled.page("/", title="a\x85b\ufffec\ufdd0d\U0001ffffe 🦋")
    run_site_audit(crawled.path)
    assert "a\ufffdb\ufffdc\ufffdd\ufffde 🦋" in page(crawled, out).text_content()


def test_what_people_look_for_is_in_the_report(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/gone", title="Home")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/")
    crawled.known("/private", Outcome.BLOCKED_BY_ROBOTS)
    exported = export(crawled.path, WHOLE, out)
    assert (exported.rows, exported.files) == (5, (out,))
    found = read(out)
    assert found.findtext(".//h1") == "example.com"
    headings = [heading.text for heading in found.iter("h2")]
    assert headings == [
        "Responses by status",
        "Verdicts",
        "Clicks from the start",
        "Response times",
        "Content types",
        "Never requested, and why",
        "Issues",
        "Errors",
        "Redirect chains",
        "Slowest pages",
        "Largest pages",
    ]
    text = " ".join(found.text_content().split())
    assert Outcome.BLOCKED_BY_ROBOTS.sentence in text
    assert "“/gone”" in text
    assert found.xpath("count(//ol[@class='chain']/li)") == 3


def test_issues_are_listed_with_their_explanations(crawled: Crawled, out: Path) -> None:
    crawled.page("/", title="The same")
    crawled.page("/a", title="The same")
    assert "since the audit" in page(crawled, out).text_content()
    run_site_audit(crawled.path)
    found = page(crawled, out)
    assert "since the audit" not in found.text_content()
    (row,) = [
        each
        for each in found.iter("tr")
        if each.text_content().startswith("Page Titles: Duplicate")
    ]
    assert [cell.text_content() for cell in row] == [
        *("Page Titles: Duplicate", "Opportunity", "Medium", "2", "100.0 %"),
    ]
    (link,) = row.iterfind(".//a")
    explained = found.get_element_by_id(link.get("href").removeprefix("#"))
    text = " ".join(explained.text_content().split())
    assert page_titles.DUPLICATE.meaning in text
    assert page_titles.DUPLICATE.remedy in text
    assert explained.xpath("p/a/@href") == [page_titles.DUPLICATE.reference]
    urls = explained.findall(".//li")
    assert [url.findtext(".//bdi") for url in urls] == [f"{SITE}/", f"{SITE}/a"]
    assert "Title: The same" in urls[0].text_content()


def test_issues_stand_in_the_order_of_their_priority(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/gone", title="The same")
    crawled.page("/a", title="The same")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    run_site_audit(crawled.path)
    badges = page(crawled, out).xpath("//article//h3/span[contains(@class, 'badge')]/text()")
    assert badges == sorted(badges, key=["High", "Medium", "Low"].index)
    assert {"High", "Medium"} <= set(badges)


def test_of_an_issue_with_many_urls_the_first_are_shown(crawled: Crawled, out: Path) -> None:
    for number in range(report_data.EXAMPLES + 5):
        crawled.page(f"/{number}", title="The same")
    run_site_audit(crawled.path)
    explained = page(crawled, out).get_element_by_id("page-titles-duplicate")
    items = [item.text_content() for item in explained.iterfind(".//li")]
    assert len(items) == report_data.EXAMPLES + 1
    assert items[-1] == "and 5 more"


def test_every_sentence_is_said_in_the_language_of_the_report(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/gone", title="")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/gone")
    crawled.known("/private", Outcome.BLOCKED_BY_ROBOTS)
    run_site_audit(crawled.path)

    def shout(sentence: Translatable) -> str:
        return sentence.translated(lambda text: re.sub("[a-z]+(?![a-z]*})", "X", text))

    export(crawled.path, WHOLE, out, options=FormatOptions(say=shout))
    found = read(out)
    for element in found.xpath("//bdi | //style | //h1 | //header//dd | //p[@class='written']"):
        element.drop_tree()
    words = set(re.findall("[a-z]{4,}", found.find("body").text_content()))
    assert words <= {"text", "html", "bytes"}, "of a content type and a size"


def test_no_response_is_no_status_code_to_people(crawled: Crawled, out: Path) -> None:
    """To scripts it is 0, in the exports of the same issues."""
    crawled.page("/", ("/none", Link(0, LinkKind.CANONICAL)), "/none", canonical=f"{SITE}/none")
    crawled.failed("/none", Outcome.TIMEOUT)
    run_site_audit(crawled.path)
    found = page(crawled, out)
    for slug in ("response-codes-internal-no-response", "canonicals-non-indexable-canonical"):
        (listed,) = found.get_element_by_id(slug).iter("ul")
        assert f"{SITE}/none" in listed.text_content()
        assert "status code" not in listed.text_content().lower()


def test_what_is_known_of_another_url_is_said_in_the_language_of_the_report(
    crawled: Crawled, out: Path
) -> None:
    crawled.page("/", ("/gone", Link(0, LinkKind.CANONICAL)), canonical=f"{SITE}/gone")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    run_site_audit(crawled.path)
    words = {
        "{url} Status Code": "Statuscode: {url}",
        "{url} Indexability Status": "Grund: {url}",
        "Non-Indexable Canonical": "Kanonische URL",
        "Client Error": "Fehler des Clients",
    }

    def german(sentence: Translatable) -> str:
        return sentence.translated(lambda text: words.get(text, text))

    export(crawled.path, WHOLE, out, options=FormatOptions(say=german))
    explained = read(out).get_element_by_id("canonicals-non-indexable-canonical").text_content()
    assert (
        "Statuscode: Kanonische URL: 404 · Grund: Kanonische URL: Fehler des Clients" in explained
    )


def test_of_an_empty_project(crawled: Crawled, out: Path) -> None:
    found = page(crawled, out)
    assert "No errors" in found.text_content()
    assert found.xpath("count(//table[@class='list'])") == 0


def test_a_report_is_cancelled_between_two_urls(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/a", "/b")
    answers = iter([False, False, True])
    with pytest.raises(ExportCancelled):
        export(crawled.path, WHOLE, out, cancelled=lambda: next(answers))
    assert not list(out.parent.iterdir())


def test_a_report_is_no_table(crawled: Crawled, out: Path) -> None:
    for path, selection, sentence in (
        (out.with_suffix(".csv"), WHOLE, "end its file name with .html"),
        (out, ExportSelection(PAGES), "can only hold the view report"),
        (out, ExportSelection(REPORT, text="x"), "remove the filter"),
    ):
        with pytest.raises(UsageError, match=sentence):
            export(crawled.path, selection, path)


def test_charts_of_nothing_are_drawn() -> None:
    nothing = [ChartShare("none", 0, "ok")]
    assert "arc" not in donut(nothing, "t", "0", "answers")
    assert columns([], "t").startswith("<svg")


def test_columns_are_as_high_as_they_count() -> None:
    drawn = html.fragment_fromstring(
        columns([ChartShare("a", 10, "ok"), ChartShare("b", 5, "ok")], "t")
    )
    high, low = (float(rect.get("height")) for rect in drawn.iter("rect"))
    assert high == pytest.approx(2 * low, rel=0.01)


def test_screenshots_are_shown_with_their_addresses_the_first_ones_alone(
    crawled: Crawled, out: Path
) -> None:
    for number in range(report_data.SCREENSHOTS + 1):
        shown = Rendering(RenderOutcome.RENDERED, screenshot=b"\xff\xd8%d" % number)
        crawled.page(f"/{number}", rendering=shown)
    found = page(crawled, out)
    pictures = found.xpath("//figure/img/@src")
    assert len(pictures) == report_data.SCREENSHOTS
    assert b64decode(pictures[2].partition(",")[2]) == b"\xff\xd82"
    assert found.xpath("//figure//a/@href")[2] == f"{SITE}/2"
    assert "The first 12 of 13." in found.text_content()


def test_without_screenshots_there_is_no_section_for_them(crawled: Crawled, out: Path) -> None:
    crawled.page("/")
    assert "Screenshots" not in page(crawled, out).text_content()
