"""Spelling and grammar in whole crawls: what is stored, reported, ignored later, sent away."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.audit.rules.content import GRAMMAR, SPELLING
from gossamer.audit.site_audit import run_site_audit
from gossamer.fetch.languagetool import MAX_FAILURES, GrammarServer
from gossamer.model.errors import UsageError
from gossamer.model.page_prose import PageProse, ProseRun
from gossamer.model.text_errors import LanguageMatch, decode_errors
from gossamer.store.reading.reader import Reader
from tests.fakes.dictionaries import write_dictionary
from tests.fakes.languagetool_server import LanguageToolServer
from tests.integration.crawling import closing, crawl_all, new_session, records, run, sessions
from tests.sites.responses import Response
from tests.sites.site import Site


def page(body: str, language: str = "en", head: str = "<title>First title</title>") -> Response:
    markup = f'<!doctype html><html lang="{language}"><head>{head}</head><body>{body}</body></html>'
    return Response(body=markup.encode())


@pytest.fixture
def dictionaries(tmp_path: Path) -> str:
    folder = tmp_path / "dictionaries"
    write_dictionary(folder, "en_XX")
    return str(folder)


def issues(path: Path, rule: int) -> int:
    with Reader(path) as reader:
        return reader.issue_counts().get(rule, 0)


def ignore(path: Path, **changes: object) -> None:
    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            await session.change(changes)

    run(main())
    run_site_audit(path)


@pytest.mark.parametrize("parser", ["selectolax", "beautifulsoup"])
def test_misspelt_words_are_found_reported_and_ignored_without_another_crawl(
    tmp_path: Path, dictionaries: str, parser: str
) -> None:
    path = tmp_path / "a.gossamer"
    with Site() as site:
        site.respond("/", page('<p>This is teh first page: teh eror. <a href="/b">text</a>'))
        site.respond("/b", page("<p>This text has errors.<code>xyzzy</code><nav>menyu</nav>"))
        crawl_all(
            path,
            site.url("/"),
            check_spelling=True,
            dictionary_folder=dictionaries,
            spelling_languages=("en_XX",),
            parser=parser,
        )
        requests = len(site.requests)
        found = records(path)
        root, other = found[site.url("/")], found[site.url("/b")]
        assert [each.text for each in decode_errors(root.text_errors)] == ["teh", "eror"]
        assert (root.spelling_errors, other.spelling_errors) == (3, 0)
        assert (root.dictionary, root.grammar_errors, other.text_errors) == ("en_XX", None, None)
        assert issues(path, SPELLING.number) == 1
        ignore(path, ignored_words=("teh",))
        assert records(path)[site.url("/")].spelling_errors == 1
        assert issues(path, SPELLING.number) == 1
        ignore(path, ignored_words=("teh", "EROR"))
        assert records(path)[site.url("/")].spelling_errors == 0
        assert issues(path, SPELLING.number) == 0
        ignore(path, ignored_words=())
        assert issues(path, SPELLING.number) == 1
        assert len(site.requests) == requests


def test_without_the_setting_nothing_is_checked(tmp_path: Path) -> None:
    with Site() as site:
        site.respond("/", page("<p>teh"))
        crawl_all(tmp_path / "a.gossamer", site.url("/"))
        record = records(tmp_path / "a.gossamer")[site.url("/")]
    assert (record.dictionary, record.spelling_errors, record.language_found) == (None, None, None)


def test_the_language_of_pages_is_found_and_compared(tmp_path: Path) -> None:
    german = "<p>Dies ist ein deutscher Text, der von nichts handelt und nirgends endet. " * 3
    with Site() as site:
        site.respond("/", page(german + '<a href="/de">x</a>'))
        site.respond("/de", page(german, "de-AT"))
        crawl_all(tmp_path / "a.gossamer", site.url("/"), find_language=True)
        found = records(tmp_path / "a.gossamer")
        wrong, right = found[site.url("/")], found[site.url("/de")]
    assert (wrong.language_found, wrong.language_match) == ("de", LanguageMatch.DIFFERENT)
    assert (right.language_found, right.language_match) == ("de", LanguageMatch.SAME)


def test_grammar_is_checked_by_the_server_that_the_settings_name(tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    with Site() as site, LanguageToolServer() as server:
        site.respond("/", page('<p>This is an test of teh the the text.<a href="/404">x</a>'))
        crawl_all(path, site.url("/"), languagetool=server.url)
        record = records(path)[site.url("/")]
        missing = records(path)[site.url("/404")]
    errors = decode_errors(record.text_errors)
    assert [(each.text, each.rule, each.suggestions) for each in errors] == [
        ("an", "EN_A_VS_AN", ["a"]),
        ("the the", "WORD_REPEAT", ["the"]),
    ]
    assert (record.grammar_errors, record.spelling_errors) == (2, None)
    assert missing.grammar_errors is None
    assert [form["text"] for form in server.forms] == [
        "First title\n\nThis is an test of teh the the text.x"
    ]
    assert issues(path, GRAMMAR.number) == 1
    ignore(path, ignored_grammar_rules=("EN_A_VS_AN",))
    assert records(path)[record.url].grammar_errors == 1
    ignore(path, ignored_grammar_rules=("EN_A_VS_AN", "WORD_REPEAT"))
    assert issues(path, GRAMMAR.number) == 0


def test_the_text_of_a_page_that_is_named_as_a_sitemap_is_checked_too(tmp_path: Path) -> None:
    with Site() as site, LanguageToolServer() as server:
        site.robots(f"Sitemap: {site.url('/map')}")
        site.respond("/", page("<p>First page."))
        site.respond("/map", page("<p>This is an test."))
        settings = {"languagetool": server.url, "use_sitemaps": True}
        crawl_all(tmp_path / "a.gossamer", site.url("/"), **settings)
        record = records(tmp_path / "a.gossamer")[site.url("/map")]
    assert record.grammar_errors == 1


FAULTS: dict[str, Callable[[Site], None]] = {
    "an error": lambda site: site.status("/v2/check", 500),
    "too many requests": lambda site: site.status("/v2/check", 429),
    "a redirect elsewhere": lambda site: site.redirect("/v2/check", "/elsewhere", status=307),
    "nothing but brackets": lambda site: site.file(
        "/v2/check", b'{"x":' + b"[" * 100_000, "application/json"
    ),
    "garbage": lambda site: site.file("/v2/check", b"<html>", "application/json"),
    "no HTTP": lambda site: site.raw("/v2/check", b"SSH-2.0\r\n\r\n"),
    "an end": lambda site: site.reset("/v2/check"),
    "an endless answer": lambda site: site.endless("/v2/check"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_fails_costs_only_the_grammar(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "a.gossamer"
    with Site() as site, Site() as server:
        FAULTS[fault](server)
        for n in range(8):
            site.respond(f"/{n or ''}", page(f'<p>This is an test.<a href="/{n + 1}">x</a>'))
        crawl_all(path, site.url("/"), languagetool=server.url("/"))
        found = records(path)
        assert {found[site.url(f"/{n or ''}")].status for n in range(8)} == {200}
        assert {record.grammar_errors for record in found.values()} == {None}
        assert len(server.requests) <= MAX_FAILURES, "then it is left alone"
        assert "/elsewhere" not in server.paths


def test_a_server_that_hangs_is_left_alone_after_some_time_and_asked_again_later() -> None:
    now = [0.0]
    prose = PageProse("en", [ProseRun("", "This is an test.")])

    async def main() -> None:
        with Site() as site, LanguageToolServer() as server:
            site.hang("/v2/check")
            async with GrammarServer(site.url("/"), patience_s=0.05, now=lambda: now[0]) as hung:
                for _ in range(MAX_FAILURES + 2):
                    assert await hung.check(prose) is None
                assert len(site.requests) == MAX_FAILURES
                now[0] = 61.0
                assert await hung.check(prose) is None
                assert len(site.requests) == MAX_FAILURES + 1
            async with GrammarServer(server.url) as works:
                answers = await asyncio.gather(*(works.check(prose) for _ in range(20)))
                assert {answer and answer.language for answer in answers} == {"en-US"}

    run(main())


def test_a_language_that_the_server_does_not_know_is_no_failure_of_it() -> None:
    async def main() -> None:
        with LanguageToolServer() as server:
            async with GrammarServer(server.url) as checker:
                klingon = PageProse("tlh", [ProseRun("", "nuqneH")])
                for _ in range(MAX_FAILURES + 1):
                    assert await checker.check(klingon) is None
                answer = await checker.check(PageProse("", [ProseRun("", "An test")]))
                assert answer is not None
            assert server.forms[-1]["language"] == "auto"
            assert server.forms[-1]["disabledCategories"] == "TYPOS"

    run(main())


def test_of_a_text_that_is_too_long_for_the_server_as_much_is_sent_as_it_takes() -> None:
    async def main() -> None:
        with LanguageToolServer(most_characters=100) as server:
            async with GrammarServer(server.url) as checker:
                long = PageProse("en", [ProseRun("", "This is an test." + " \U0001f600" * 100)])
                for _ in range(2):
                    answer = await checker.check(long)
                    assert answer is not None
                    assert [error.rule for error in answer.errors] == ["EN_A_VS_AN"]
        lengths = [len(form["text"].encode("utf-16-le")) // 2 for form in server.forms]
        assert lengths == [316, 100, 100], "the limit is remembered"

    run(main())


def test_a_server_that_takes_no_text_at_all_is_no_failure_of_it() -> None:
    async def main() -> None:
        with LanguageToolServer(most_characters=0) as server:
            async with GrammarServer(server.url) as checker:
                for _ in range(MAX_FAILURES + 1):
                    assert await checker.check(PageProse("en", [ProseRun("", "An test.")])) is None
        assert len(server.forms) == MAX_FAILURES + 1

    run(main())


def test_an_address_that_is_not_that_of_the_server_is_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        with LanguageToolServer() as server:
            async with GrammarServer(f"{server.url}/elsewhere") as checker:
                for _ in range(MAX_FAILURES + 1):
                    assert await checker.check(PageProse("en", [ProseRun("", "An test.")])) is None
        assert len(server.forms) == MAX_FAILURES

    run(main())
    (record,) = caplog.records
    assert "not at the root" in str(vars(record)["detail"])


@pytest.mark.parametrize("status", [403, 429])
def test_a_server_that_has_enough_is_left_alone_at_once(status: int) -> None:
    now = [0.0]

    async def main() -> None:
        with Site() as site:
            site.status("/v2/check", status)
            async with GrammarServer(site.url("/"), now=lambda: now[0]) as checker:
                prose = PageProse("en", [ProseRun("", "An test.")])
                for _ in range(3):
                    assert await checker.check(prose) is None
                assert len(site.requests) == 1
                now[0] = 61.0
                assert await checker.check(prose) is None
                assert len(site.requests) == 2

    run(main())


def test_a_check_that_is_cancelled_closes_its_connection() -> None:
    async def main() -> None:
        with Site() as site:
            site.hang("/v2/check")
            async with GrammarServer(site.url("/")) as checker:
                prose = PageProse("en", [ProseRun("", "This")])
                async with asyncio.TaskGroup() as group:
                    task = group.create_task(checker.check(prose), name="check")
                    await site.wait_for_requests(1)
                    task.cancel()
                assert task.cancelled()
                await site.wait_until(lambda: site.open_connections == 0)

    run(main())


def test_suggestions_come_from_a_process_of_their_own(tmp_path: Path, dictionaries: str) -> None:
    async def main() -> None:
        changes = {"check_spelling": True, "dictionary_folder": dictionaries}
        root = "http://127.0.0.1:1/"
        async with new_session(tmp_path / "a.gossamer", root, **changes) as session:
            assert "title" in await session.inspection.suggest("titel", "en_XX")
            assert await session.inspection.suggest("x" * 999, "en_XX") == []
            with pytest.raises(UsageError, match="no longer on this computer"):
                await session.inspection.suggest("titel", "xx_XX")

    run(main())
