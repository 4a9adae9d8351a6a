"""Custom searches and extractions in real crawls: slow patterns, both parsers, resume, a trial."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.custom_definitions import (
    CustomExtraction,
    CustomFailure,
    CustomResult,
    CustomSearch,
    ExtractionMethod,
)
from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.secrets import OriginSecrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.request_settings import Parser
from gossamer.page_worker.pattern_process import MAX_TIMEOUTS, PatternProcess
from gossamer.session.page_inspection import try_definitions
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_all, run
from tests.sites import Response, Site

HEADING = CustomExtraction("Heading", "h1")
LINKS = CustomExtraction("Links", "//a/@href", method=ExtractionMethod.XPATH, all_matches=True)
SLOW = CustomSearch("Slow", "(a+)+$", regex=True)
HUGE = CustomExtraction("Huge", "//*[contains(., //*)]", method=ExtractionMethod.XPATH)
WORD = CustomSearch("Word", "hello")
PAGE = b"<h1>Hello</h1><a href=/b>b</a>"
TRAP = b"<h1>Hello</h1>" + b"a" * 5000 + b"!"


def results(process: PatternProcess, *bodies: bytes) -> list[dict[int, CustomResult]]:
    async def main() -> list[dict[int, CustomResult]]:
        try:
            found = [await process.results(body, None) for body in bodies]
        finally:
            await process.close()
        return [{each.number: each for each in page} for page in found]

    return run(main())


@pytest.mark.parametrize("parser", list(Parser))
def test_a_crawl_stores_what_its_definitions_give(
    site: Site, tmp_path: Path, parser: Parser
) -> None:
    site.respond("/", Response(body=PAGE))
    site.respond("/b", Response(body=b"<p>none"))
    path = tmp_path / "a.gossamer"

    crawl_all(
        path,
        site.url("/"),
        parser=parser,
        custom_searches=(WORD,),
        custom_extractions=(HEADING, LINKS),
    )
    with Reader(path) as reader:
        first, second = (each.custom for each in reader.iterate(View.PAGES))
    assert first is not None
    assert second is not None
    assert [first.results[each.number].values for each in (WORD, HEADING, LINKS)] == [
        [1],
        ["Hello"],
        ["/b"],
    ]
    assert [second.results[each.number].values for each in (WORD, HEADING, LINKS)] == [[0], [], []]


def test_a_pattern_that_hangs_times_out_alone_and_is_switched_off_at_last() -> None:
    settings = CrawlSettings(
        roots=("a.test",), custom_searches=(SLOW, WORD), custom_extractions=(HEADING,)
    )
    process = PatternProcess(settings, pattern_s=0.5)
    *traps, after, plain = results(process, *[TRAP] * MAX_TIMEOUTS, TRAP, PAGE)
    for page in (*traps, after, plain):
        assert page[WORD.number].values == [1]
        assert page[HEADING.number].values == ["Hello"]
    assert {page[SLOW.number].failure for page in traps} == {CustomFailure.TIMED_OUT}
    assert after[SLOW.number].failure is CustomFailure.SWITCHED_OFF
    assert plain[SLOW.number].failure is CustomFailure.SWITCHED_OFF


def test_an_xpath_over_all_of_a_large_page_times_out_and_the_next_page_does_not() -> None:
    settings = CrawlSettings(roots=("a.test",), custom_extractions=(HUGE, HEADING))
    large = b"<h1>Hello</h1>" + b"<p>x y z</p>" * 20_000
    first, second = results(PatternProcess(settings, pattern_s=1.0), large, PAGE)
    assert first[HUGE.number].failure is CustomFailure.TIMED_OUT
    assert first[HEADING.number].values == ["Hello"]
    assert second[HUGE.number].failure is None


def test_pages_are_tried_with_their_redirects_and_times(site: Site) -> None:
    site.redirect("/", "/page")
    site.respond("/page", Response(body=PAGE))
    site.respond("/gone", Response(body=PAGE, status=404))
    settings = CrawlSettings(roots=(), custom_searches=(WORD,))
    none = OriginSecrets()
    trial = run(try_definitions(settings, none, site.url("/")))
    assert trial.url == site.url("/page")
    assert trial.results == [CustomResult(WORD.number, [1])]
    assert set(trial.elapsed_ms) == {WORD.number}
    gone = run(try_definitions(settings, none, site.url("/gone")))
    assert (gone.outcome, gone.status, gone.results) == (Outcome.CLIENT_ERROR, 404, [])
    with pytest.raises(UsageError):
        run(try_definitions(settings, none, "not a site"))
    wrong = replace(settings, custom_searches=(replace(WORD, pattern="(", regex=True),))
    with pytest.raises(UsageError, match="regular expression of"):
        run(try_definitions(wrong, none, site.url("/")))
