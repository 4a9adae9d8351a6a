"""A crawl with custom definitions whose processes are all killed, and which goes on."""

import sys
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from gossamer.export.custom_columns import CUSTOM_EXTRACTION
from gossamer.export.export_selection import ExportSelection
from gossamer.export.view_sheets import sheet
from gossamer.model.custom_definitions import CustomExtraction, CustomResult, CustomSearch
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project as projects
from gossamer.store.reading.reader import Reader
from tests.fakes.recount import miscounts
from tests.integration.crawling import asked, assert_gone, kill_together, resume_all
from tests.integration.shells import shell
from tests.patience import PATIENCE_S
from tests.sites import Response, Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")

PAGES = 150
BEFORE = 20
"""Pages that are stored, at least, when the processes are killed."""
WORD = CustomSearch("Word", "hello")
HEADING = CustomExtraction("Heading", "h1")
NUMBER = CustomExtraction("Number", "b")


def killed_crawl(site: Site, path: Path) -> set[str]:
    """Crawl some pages, and kill shell, crawl host, page worker and pattern process at once.

    The URLs of the pages that are stored by then.
    """

    def answer(path: str) -> Response | None:
        number = int(path[1:] or 0) if path[1:].isdigit() or path == "/" else PAGES
        if number >= PAGES:
            return None
        links = f"<a href=/{2 * number + 1}>x</a><a href=/{2 * number + 2}>y</a>"
        body = f"<h1>Page {number}</h1> Hello, hello <b>{number}</b> {links}"
        return Response(body=body.encode(), delay_s=0.05)

    site.generate(answer)
    settings = CrawlSettings(
        roots=(site.url("/"),),
        workers=2,
        processes=1,
        max_similar=10 * PAGES,
        use_sitemaps=False,
        custom_searches=(WORD,),
        custom_extractions=(HEADING,),
    )
    projects.create(path, settings)
    with shell(path) as process:
        site.block_until(lambda: len(asked(path)) >= BEFORE, PATIENCE_S)
        family = psutil.Process(process.pid).children(recursive=True)
        kill_together([psutil.Process(process.pid), *family])
    assert len(family) >= 3
    assert_gone(family)
    site.block_until(lambda: site.open_connections == 0)
    return {url for url, record in asked(path).items() if record.word_count is not None}


def pages_of(path: Path) -> dict[str, UrlRecord]:
    return {url: each for url, each in asked(path).items() if each.word_count is not None}


def number_of(url: str) -> str:
    return url.rpartition("/")[2] or "0"


def expected(url: str, *extractions: CustomExtraction) -> dict[int, CustomResult]:
    number = number_of(url)
    said = {HEADING: f"Page {number}", NUMBER: number}
    found = {WORD.number: CustomResult(WORD.number, [2])}
    return found | {each.number: CustomResult(each.number, [said[each]]) for each in extractions}


def results(record: UrlRecord) -> dict[int, CustomResult]:
    return {} if record.custom is None else record.custom.results


def test_a_killed_crawl_goes_on_with_its_definitions(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    before = killed_crawl(site, path)
    assert BEFORE <= len(before) < PAGES
    found = pages_of(path)
    assert {url: results(found[url]) for url in before} == {
        url: expected(url, HEADING) for url in before
    }
    resume_all(path)
    found = pages_of(path)
    assert len(found) == PAGES
    assert {url: results(each) for url, each in found.items()} == {
        url: expected(url, HEADING) for url in found
    }
    assert miscounts(path) == []


def test_a_killed_crawl_goes_on_with_other_definitions_for_the_pages_that_are_left(
    site: Site, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"
    before = killed_crawl(site, path)
    settings = projects.stored_settings(path)
    projects.store_settings(path, replace(settings, custom_extractions=(NUMBER,)))
    resume_all(path)
    assert miscounts(path) == []
    with Reader(path) as reader:
        made = sheet(reader, ExportSelection(CUSTOM_EXTRACTION), lambda: None)
        cells = {str(row[0]): row[-1] for row in made.rows}
    assert made.columns[-1] == "Number 1"
    assert cells.keys() == pages_of(path).keys()
    assert {url for url, cell in cells.items() if cell is None} == before
    assert all(cell in {None, number_of(url)} for url, cell in cells.items())
    # The search that stayed has counts of all pages; what was removed is there if it comes back.
    projects.store_settings(path, replace(settings, custom_extractions=(NUMBER, HEADING)))
    assert {url: results(each) for url, each in pages_of(path).items()} == {
        url: expected(url, HEADING if url in before else NUMBER) for url in cells
    }
