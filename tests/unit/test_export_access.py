"""Exports about crawlers: who may fetch the site, its llms.txt, and answers for made-up URLs."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.audit.url_access import host_llms_txt, url_access
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_names import view_named
from gossamer.model.fields.page_flags import Directive
from gossamer.model.known_crawlers import KNOWN_CRAWLERS
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.store_batch import RobotsRow, StoreBatch
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import SITE, Crawled

ROBOTS = "User-agent: GPTBot\nDisallow: /\n"
LLMS = "# Example\n\n## Pages\n\n- [Gone](/gone)\n- [Draft](/draft)\n- [Unknown](/unknown)\n"


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/gone", "/draft")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.page("/draft", directives=int(Directive.NOINDEX), robots="noindex")
        batch = StoreBatch(robots=[RobotsRow(SITE, 200, ROBOTS, None, 1e9)])
        batch.site_checks = [
            SiteCheckRow(
                *(SITE, SiteCheck.LLMS_TXT, f"{SITE}/llms.txt", Outcome.FILE, 200),
                final_url=f"{SITE}/llms.txt",
                text=LLMS,
                size_bytes=len(LLMS),
            ),
            SiteCheckRow(
                *(SITE, SiteCheck.MADE_UP_URL, f"{SITE}/none", Outcome.PAGE, 200),
                final_url=f"{SITE}/none",
                title="Nothing",
            ),
        ]
        crawled.writer.commit(batch)
        yield crawled


def rows(crawled: Crawled, tmp_path: Path, view: str) -> list[dict[str, str]]:
    out = tmp_path / f"{view}.csv"
    export(crawled.path, ExportSelection(view_named(view)), out)
    with out.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_crawler_has_a_row_for_the_site(crawled: Crawled, tmp_path: Path) -> None:
    found = {row["Crawler"]: row for row in rows(crawled, tmp_path, "crawler_access")}
    assert found.keys() == {each.name for each in KNOWN_CRAWLERS}
    gpt, google = found["GPTBot"], found["Googlebot"]
    assert (gpt["Robots.txt"], gpt["Robots.txt Line"], gpt["Result"]) == (
        *("Disallowed", "2: Disallow: /", "Disallowed"),
    )
    assert (google["Address"], google["Result"]) == (f"{SITE}/", "Allowed")


def test_links_of_llms_txt_are_told_with_what_became_of_them(
    crawled: Crawled, tmp_path: Path
) -> None:
    found = {row["Link Text"]: row for row in rows(crawled, tmp_path, "llms_txt")}
    assert (found["Gone"]["Broken"], found["Gone"]["Link Status Code"]) == ("true", "404")
    assert found["Draft"]["Indexability Status"] == "noindex"
    assert found["Unknown"]["Link Status Code"] == ""
    assert {row["Follows Proposal"] for row in found.values()} == {"true"}
    with Reader(crawled.path) as reader:
        llms = host_llms_txt(reader, SITE)
    assert llms is not None
    assert (llms.broken, llms.not_indexable) == (1, 1)


def test_answers_for_made_up_urls_are_told_with_what_they_mean(
    crawled: Crawled, tmp_path: Path
) -> None:
    (row,) = rows(crawled, tmp_path, "made_up_urls")
    assert (row["Made-Up URL"], row["Status Code"]) == (f"{SITE}/none", "200")
    assert row["Finding"].startswith("example.com returns a page with status 200")


@pytest.mark.parametrize(
    ("facts", "google", "bing"),
    [
        ({"crawler_robots": "googlebot: noindex"}, "googlebot: noindex", ""),
        (
            {"robots": "noindex", "crawler_robots": "googlebot: none; bingbot: index"},
            *("googlebot: none", "robots: noindex"),
        ),
        (  # a crawl as Googlebot, whose own directives are among those of `robots`
            {"robots": "all, noindex", "crawler_robots": "robots: all; googlebot: noindex"},
            *("googlebot: noindex", ""),
        ),
        ({"robots": "noindex", "crawler_robots": "robots: ; googlebot: noindex"},
            "googlebot: noindex", ""),
    ],
)  # fmt: skip
def test_what_single_crawlers_are_told_concerns_them_alone(
    crawled: Crawled, facts: dict[str, Any], google: str, bing: str
) -> None:
    crawled.page("/named", **facts)
    with Reader(crawled.path) as reader:
        found = {each.crawler.name: each for each in url_access(reader, f"{SITE}/named") or ()}
    assert [found[name].directive for name in ("Googlebot", "Googlebot-Image")] == [google] * 2
    assert found["Bingbot"].directive == bing


def test_a_page_that_forbids_its_use_is_told_by_crawler(crawled: Crawled) -> None:
    with Reader(crawled.path) as reader:
        found = {each.crawler.name: each for each in url_access(reader, f"{SITE}/draft") or ()}
        elsewhere = url_access(reader, "https://other.example/")
    google = found["Googlebot"]
    assert (google.may_fetch, google.may_use, google.directive) == (True, False, "robots: noindex")
    assert elsewhere is None


def test_certificates_say_when_they_end_and_whether_they_were_accepted(
    crawled: Crawled, tmp_path: Path
) -> None:
    ends = 1_893_456_000.0  # at the beginning of 2030
    flaw = DetailCode.CERTIFICATE_EXPIRED()
    about = (1e9, 0.0, ends, "Example, www.example.com", "R3", ("a.example", "b.example"), "ab")
    shown = [ServerCertificate(SITE, *about), ServerCertificate(f"{SITE}:8443", *about, flaw)]
    crawled.writer.commit(StoreBatch(certificates=shown))
    good, bad = rows(crawled, tmp_path, "certificates")
    assert (good["Valid Until"], good["Host Names"]) == (
        "2030-01-01T00:00:00Z",
        "a.example, b.example",
    )
    assert (good["Accepted"], good["Detail"]) == ("true", "")
    assert (bad["Accepted"], bad["Detail"]) == ("false", str(flaw))
