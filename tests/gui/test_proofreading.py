"""Errors of spelling and grammar in the window: listed, explained, ignored."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from gossamer.audit.rules.content import SPELLING
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.issues.rule_texts import RuleCommand
from gossamer.gui.proofreading.error_tables import ErrorTable
from gossamer.gui.proofreading.proofreading_window import ProofreadingWindow
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.tables.table_view import TableView
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import UsageError
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.text_errors import ErrorKind, ErrorSummary, TextError, encode_errors
from gossamer.model.visit import Visit
from gossamer.store.writing.writer import Writer
from tests.fakes.dictionaries import write_dictionary
from tests.gui.conftest import Play
from tests.gui.desk import BASE, Desk
from tests.gui.fakes import FakeSession
from tests.gui.stage import Stage, until

TEH = TextError(ErrorKind.SPELLING, "teh", 2, "this is teh text")
WROD = TextError(ErrorKind.SPELLING, "wrod", 5, "a wrod")
AN = TextError(ErrorKind.GRAMMAR, "an", 1, "an test", "EN_A_VS_AN", "Use 'a'.", ["a"])


def cells(view: TableView) -> list[list[str]]:
    model = view.model()
    return [
        [
            str(model.data(model.index(row, column), DISPLAY))
            for column in range(model.columnCount())
        ]
        for row in range(model.rowCount())
    ]


def crawled_with_errors(path: Path) -> None:
    """Write two pages with errors into a project, and one in a language without dictionary."""
    pages = (
        PageFacts(dictionary="en_US", word_count=9, text_errors=encode_errors([TEH, AN])),
        PageFacts(dictionary="en_US", word_count=9, text_errors=encode_errors([WROD, TEH])),
        PageFacts(dictionary="", word_count=9, language="pl"),
    )
    with Writer(path) as writer:
        for url_id, facts in enumerate(pages, 1):
            visit = Visit(Outcome.PAGE, 200, facts=facts)
            url = f"{BASE}/{url_id}"
            writer.commit(
                StoreBatch(
                    new=[UrlRow(url_id, url, Rank(0, 0), Outcome.PENDING, None, None)],
                    visits=[VisitRow(url_id, visit, Outcome.PAGE, 1, LinkRows())],
                )
            )


async def opened(stage: Stage) -> tuple[FakeSession, ProofreadingWindow]:
    """A crawl with errors, and their window."""
    session = await stage.start()
    crawled_with_errors(session.path)
    session.inspection.suggestions = ["the", "tech"]
    stage.trigger(WindowAction.PROOFREADING)
    (window,) = stage.window.findChildren(ProofreadingWindow)
    await until(lambda: window.errors.rows.rowCount() == 3)
    return session, window


def test_errors_of_the_site_are_listed_with_their_pages_and_suggestions(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session, window = await opened(stage)
        assert cells(window.errors) == [
            ["teh", "Spelling", "en_US", "2", "4"],
            ["wrod", "Spelling", "en_US", "1", "5"],
            ["an", "Grammar", "", "1", "1"],
        ]
        await until(lambda: window.locations.rows.rowCount() == 2)
        assert cells(window.locations)[0] == [f"{BASE}/1", "2", "this is teh text"]
        await until(lambda: window.advice.text() == "Suggestions: the, tech")
        assert session.inspection.asked[0] == ("teh", "en_US")
        window.errors.select_only(2)
        assert "Use 'a'." in window.heading.text()
        assert window.advice.text() == "Suggestions: a"
        assert window.ignore.text() == "Ignore this rule"

    play(scene)


def test_the_list_is_filtered_by_text_and_type_and_sorted(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        _, window = await opened(stage)
        window.errors.sort_header.set_keys(((4, True),))
        window.filter.setText("r")
        assert [row[0] for row in cells(window.errors)] == ["wrod"]
        window.filter.clear()
        assert [row[0] for row in cells(window.errors)] == ["wrod", "teh", "an"]
        window.kinds.setCurrentIndex(2)
        assert [row[0] for row in cells(window.errors)] == ["an"]
        window.filter.setText("x")
        assert cells(window.errors) == []
        assert window.ignore.isHidden()

    play(scene)


def test_a_chosen_error_stays_chosen_wherever_it_is_listed(qtbot: QtBot) -> None:
    table = ErrorTable()
    qtbot.addWidget(table)
    one, two, three = (
        ErrorSummary(TextError(ErrorKind.SPELLING, text), "en_US", pages, pages)
        for text, pages in (("onne", 3), ("twwo", 2), ("threee", 1))
    )
    table.show_errors([one, two, three])
    table.select_only(1)
    more = two._replace(error=TextError(ErrorKind.SPELLING, "twwo", 9), pages=9)
    table.show_errors([one, more, three])  # on more pages now, it comes first
    assert table.current == more
    table.set_filter("ee", None)
    assert table.current == three
    table.set_filter("", None)
    table.select_only(0)
    table.show_errors([one, three])  # the next one, after a word was ignored
    assert table.current == one


def test_words_and_rules_are_ignored_by_the_project(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session, window = await opened(stage)
        window.ignore.click()
        await until(lambda: session.changed == [{"ignored_words": ("teh",)}])
        window.errors.select_only(2)
        window.ignore.click()
        await until(lambda: len(session.changed) == 2)
        assert session.changed[1] == {"ignored_grammar_rules": ("EN_A_VS_AN",)}
        assert session.settings.ignored_words == ("teh",)

    play(scene)


def test_a_double_click_leads_to_the_page_and_its_errors_are_in_the_details(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session, window = await opened(stage)
        await until(lambda: window.locations.rows.rowCount() == 2)
        window.locations.select_only(1)
        window.locations.activated.emit(window.locations.currentIndex())
        details = stage.window.workspace.details
        assert details.url_id == 2
        details.tabs.bring_to_front(DetailViews.text_errors)
        await until(lambda: details.views.text_errors.rows.rowCount() == 2)
        details.views.text_errors.select_only(0)
        (ignore,) = (
            each for each in details.views.text_errors.actions() if each.text().startswith("Ignore")
        )
        ignore.trigger()
        await until(lambda: session.changed == [{"ignored_words": ("wrod",)}])

    play(scene)


def test_why_there_are_no_suggestions_is_said(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session, window = await opened(stage)
        await until(lambda: window.advice.text() == "Suggestions: the, tech")
        session.inspection.error = UsageError("The dictionary is gone.")
        window.errors.select_only(1)
        await until(lambda: window.advice.text() == "The dictionary is gone.")
        session.inspection.error, session.inspection.suggestions = None, []
        window.errors.select_only(0)
        await until(lambda: window.advice.text() == "No suggestions.")

    play(scene)


def test_only_the_word_looked_at_last_waits_for_suggestions(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session, window = await opened(stage)
        await until(lambda: window.advice.text() == "Suggestions: the, tech")
        session.inspection.gate.clear()
        window.errors.select_only(1)
        await until(lambda: len(session.inspection.asked) == 2)
        for row in (0, 1, 0):
            window.errors.select_only(row)
        session.inspection.gate.set()
        await until(lambda: window.advice.text() == "Suggestions: the, tech")
        assert [word for word, _ in session.inspection.asked] == ["teh", "wrod", "teh"]

    play(scene)


def test_what_was_not_checked_is_said_in_the_window_and_when_the_crawl_ends(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.settings = CrawlSettings(roots=session.settings.roots, check_spelling=True)
        crawled_with_errors(session.path)
        session.tell(state=CrawlState.FINISHED, revision=2)
        await until(lambda: "language pl" in stage.message("proofreading gaps"))
        stage.trigger(WindowAction.PROOFREADING)
        (window,) = stage.window.findChildren(ProofreadingWindow)
        await until(lambda: "language pl" in window.gaps.text())

    play(scene)


def test_a_crawl_that_checked_nothing_says_so_instead_of_an_empty_list(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.trigger(WindowAction.PROOFREADING)
        (window,) = stage.window.findChildren(ProofreadingWindow)
        await until(lambda: "neither spelling nor grammar" in window.errors.note.text())

    play(scene)


@pytest.mark.parametrize("has_errors", [True, False])
def test_the_details_list_the_errors_of_a_page(desk: Desk, *, has_errors: bool) -> None:
    errors = encode_errors([TEH, AN]) if has_errors else None
    desk.rows.change(1, text_errors=errors)
    desk.refresh()
    desk.details.select_url(1)
    desk.details.tabs.bring_to_front(DetailViews.text_errors)
    table = desk.details.views.text_errors
    if has_errors:
        desk.until(lambda: table.rows.rowCount() == 2)
        assert cells(table)[1] == ["an", "Grammar", "1", "an test", "a", "Use 'a'."]
    else:
        desk.until(lambda: "No spelling" in table.note.text())


def test_a_missing_dictionary_is_said_when_the_crawl_begins(play: Play, tmp_path: Path) -> None:
    write_dictionary(tmp_path / "dictionaries", "en_XX")

    async def scene(stage: Stage) -> None:
        settings = CrawlSettings(
            roots=("http://a.example/",),
            check_spelling=True,
            spelling_languages=("xx",),
            dictionary_folder=str(tmp_path / "dictionaries"),
        )
        stage.crawl.start(settings)
        await until(lambda: "xx" in stage.message("proofreading gaps"))

    play(scene)


def test_the_issue_leads_to_its_words(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        crawled_with_errors(session.path)
        issues = stage.window.workspace.table.issues
        issues.explanation.show_rule(SPELLING)
        assert "Show all errors" in issues.explanation.toPlainText()
        issues.explanation.anchorClicked.emit(QUrl(RuleCommand.TEXT_ERRORS))
        (window,) = stage.window.findChildren(ProofreadingWindow)
        await until(lambda: window.errors.rows.rowCount() == 3)

    play(scene)
