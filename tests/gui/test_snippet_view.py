"""The preview of a search result: what is typed is measured and cut as search engines do."""

import csv
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from gossamer.gui.details.snippet_view import DESKTOP, MOBILE, SnippetView, cut_to
from gossamer.gui.look.theme import SPACE_XS
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_width import DESCRIPTION_PIXELS, TITLE_PIXELS, pixel_width
from tests.fakes.project_rows import FakeRows
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until

LONG = "word " * 40


@pytest.fixture
def view(qtbot: QtBot) -> SnippetView:
    rows = FakeRows()
    rows.add(
        "https://example.com/docs/a",
        Outcome.PAGE,
        status=200,
        title="A title of middling length for a page",
        description="Too short to say much",
    )
    view = SnippetView()
    qtbot.addWidget(view)
    view.resize(1000, 300)
    view.show()
    view.show_record(rows.urls[1])
    return view


def test_title_and_description_are_shown_with_their_length_and_width(view: SnippetView) -> None:
    title = "A title of middling length for a page"
    assert view.headline.text() == view.title.text() == title
    assert view.title_measure.text() == (
        f"{len(title)} characters · {pixel_width(title, TITLE_PIXELS)} of 561 px · fits"
    )
    assert view.description_measure.text().endswith("short")
    assert view.address.text() == "https://example.com › docs › a"


def test_what_is_typed_is_measured_at_once_and_can_be_reset(view: SnippetView) -> None:
    assert not view.reset_button.isEnabled()
    view.title.setText(LONG)
    assert view.title_measure.text().endswith("too long")
    assert view.headline.text().endswith("…")
    assert pixel_width(view.headline.text(), TITLE_PIXELS) <= 561
    view.title.clear()
    assert view.title_measure.text().endswith("missing")
    view.reset_button.click()
    assert view.title.text() == "A title of middling length for a page"


@pytest.mark.styled
def test_the_buttons_stand_apart(view: SnippetView) -> None:
    view.title.setText(LONG)
    assert view.export_button.isVisible()
    assert view.export_button.x() - view.reset_button.geometry().right() > SPACE_XS


def test_thresholds_of_the_crawl_decide_what_fits(view: SnippetView) -> None:
    view.use_settings(CrawlSettings(roots=(), title_max_length=10))
    assert view.title_measure.text().endswith("too long")


def test_a_phone_has_less_width_and_more_lines(view: SnippetView) -> None:
    view.title.setText(LONG)
    on_desktop = view.headline.text()
    view.use_device(MOBILE)
    assert view.card.width() == MOBILE.width
    assert view.headline.text() != on_desktop
    view.use_device(DESKTOP)
    assert view.headline.text() == on_desktop


def test_white_space_counts_as_search_engines_read_it(view: SnippetView) -> None:
    view.title.setText(" Two   words ")
    assert view.title_measure.text().startswith("9 characters · ")
    assert view.headline.text() == "Two words"
    assert view.edited()[0].title == "Two words"


@pytest.mark.styled
def test_a_phone_shows_as_many_lines_as_it_has_however_they_break(view: SnippetView) -> None:
    view.title.setText("Cabinet of Curiosities · The Gossamer Museum and a long WWWW addition")
    view.description.setPlainText("incomprehensibilities " * 20)
    view.use_device(MOBILE)
    room = MOBILE.width - 2 * 16
    for label, lines in ((view.headline, 2), (view.text, 3)):
        assert label.heightForWidth(room) < label.fontMetrics().lineSpacing() * (lines + 1)
        assert label.text().endswith(" …")


def test_the_same_page_keeps_what_was_typed(view: SnippetView) -> None:
    rows = FakeRows()
    rows.add("https://example.com/b", Outcome.PAGE, status=200, title="B")
    view.show_record(rows.urls[1])
    view.title.setText("Mine")
    rows.change(1, inlinks=5)
    view.show_record(rows.urls[1])
    assert view.title.text() == "Mine"


def test_a_text_is_cut_between_words_or_within_one_that_is_too_long() -> None:
    assert cut_to("short", DESCRIPTION_PIXELS, 500) == "short"
    cut = cut_to(LONG, DESCRIPTION_PIXELS, 200)
    assert cut.endswith("word …")
    assert cut_to("x" * 200, DESCRIPTION_PIXELS, 100).endswith("x …")
    assert pixel_width(cut_to("x" * 200, DESCRIPTION_PIXELS, 100), DESCRIPTION_PIXELS) <= 100


def test_edits_are_kept_for_each_page_until_another_project_is_shown(view: SnippetView) -> None:
    rows = FakeRows()
    for name in ("a", "b"):
        rows.add(f"https://example.com/{name}", Outcome.PAGE, status=200, title=f"Title {name}")
    view.show_record(rows.urls[1])
    assert view.export_button.isHidden()
    view.title.setText("Another a")
    view.show_record(rows.urls[2])
    assert view.title.text() == "Title b"
    view.title.setText("Another b")
    view.description.setPlainText("Now with a\ndescription")
    view.show_record(rows.urls[1])
    assert view.title.text() == "Another a"
    assert view.export_button.text() == "Export 2 edited pages…"
    view.reset_button.click()
    assert view.title.text() == "Title a"
    (edit,) = view.edited()
    assert (edit.title, edit.description) == ("Another b", "Now with a description")
    assert (edit.original_title, edit.original_description) == ("Title b", "")
    view.forget_edits()
    assert view.edited() == []
    view.show_record(rows.urls[2])
    assert view.title.text() == "Title b"


def test_edited_pages_are_exported_with_lengths_and_widths(play: Play, tmp_path: Path) -> None:
    rows = FakeRows()
    rows.add("https://example.com/a", Outcome.PAGE, status=200, title="Old", description="=1+1")

    async def scene(stage: Stage) -> None:
        await stage.start()
        view = stage.window.workspace.details.views.snippet
        view.show_record(rows.urls[1])
        view.title.setText("A new title")
        view.export_button.click()
        dialog = view.findChild(QFileDialog, "export-snippets")
        assert dialog is not None
        dialog.fileSelected.emit(str(tmp_path / "out.csv"))
        dialog.close()
        await until((tmp_path / "out.csv").exists)
        text = (tmp_path / "out.csv").read_text(encoding="utf-8")
        rows_written = list(csv.DictReader(text.splitlines()))
        assert rows_written == [
            {
                "Address": "https://example.com/a",
                "Title 1": "A new title",
                "Title 1 Length": "11",
                "Title 1 Pixel Width": str(pixel_width("A new title", TITLE_PIXELS)),
                "Meta Description 1": "'=1+1",
                "Meta Description 1 Length": "4",
                "Meta Description 1 Pixel Width": str(pixel_width("=1+1", DESCRIPTION_PIXELS)),
                "Original Title 1": "Old",
                "Original Meta Description 1": "'=1+1",
            }
        ]
        dialog_path = tmp_path / "missing" / "out.csv"
        view.export_button.click()
        dialog = view.findChild(QFileDialog, "export-snippets")
        assert dialog is not None
        dialog.fileSelected.emit(str(dialog_path))
        dialog.close()
        await until(lambda: "export" not in stage.tasks.names())
        assert not dialog_path.exists()

    play(scene)
