"""The table of segments in the settings, its form, and how many URLs of the crawl they have."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.settings.segment_dialog import SegmentDialog
from gossamer.gui.settings.segment_editor import SegmentEditor
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.model.segments import SegmentText, parse_segments
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.url_conditions import Comparison
from tests.gui.conftest import Play
from tests.gui.desk import BASE
from tests.gui.stage import Stage, project_with_titles_missing, until

BLOG, THIN = "Blog=address contains /blog/", "Thin #dc2626=words < 300 and not title contains a"


def count_five(texts: Sequence[str], show: Callable[[Mapping[str, int]], None]) -> None:
    """Five URLs in the first of them."""
    show({parse_segments(texts)[0].name: 5})


@pytest.fixture
def editor(qtbot: QtBot) -> SegmentEditor:
    found = SegmentEditor()
    qtbot.addWidget(found)
    found.set_definitions((BLOG, THIN))
    found.show()
    return found


def dialog_for(qtbot: QtBot, text: str, *others: str) -> SegmentDialog:
    dialog = SegmentDialog(SegmentText.parse(text), others)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def rows(editor: SegmentEditor) -> list[list[str]]:
    items = [editor.tree.topLevelItem(row) for row in range(editor.tree.topLevelItemCount())]
    return [[item.text(column) for column in range(3)] for item in items if item is not None]


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex([box.itemData(i) for i in range(box.count())].index(value))


def test_segments_are_moved_and_removed_and_their_texts_stay_as_they_were(
    editor: SegmentEditor,
) -> None:
    assert rows(editor)[1] == ["Thin", "words < 300 and not title contains a", ""]
    assert editor.tree.isColumnHidden(2), "no crawl is open"
    editor.down.click()
    assert editor.definitions() == (THIN, BLOG)
    editor.remove.click()
    assert editor.definitions() == (THIN,)


def test_each_segment_says_how_many_urls_of_the_crawl_it_has(editor: SegmentEditor) -> None:
    editor.offer_counts(count_five)
    assert [row[2] for row in rows(editor)] == ["5", "0"]
    editor.down.click()
    assert [(row[0], row[2]) for row in rows(editor)] == [("Thin", "5"), ("Blog", "0")]
    editor.set_definitions(("Broken", BLOG))
    assert [row[2] for row in rows(editor)] == ["", ""]


def test_an_answer_about_other_segments_is_not_shown(editor: SegmentEditor) -> None:
    asked: list[Callable[[Mapping[str, int]], None]] = []
    editor.offer_counts(lambda _texts, show: asked.append(show))
    editor.remove.click()
    first, second = asked
    second({"Thin": 2})
    first({"Thin": 9})
    assert rows(editor)[0][2] == "2"


def test_a_segment_is_put_together_from_rows(editor: SegmentEditor, qtbot: QtBot) -> None:
    editor.add.click()
    (dialog,) = editor.findChildren(SegmentDialog)
    dialog.name.setText("Deep")
    form = dialog.rows
    form.lines[0].value.setText("/docs/")
    form.add.click()
    choose(form.lines[1].column, "depth")
    choose(form.lines[1].comparison, (Comparison.MORE, False))
    form.lines[1].value.setText("many")
    dialog.accept()
    assert dialog.isVisible()
    assert "not 'many'" in dialog.message.text()
    form.lines[1].value.setText("3")
    choose(form.joining, " or ")
    with qtbot.waitSignal(editor.changed):
        dialog.accept()
    assert editor.definitions()[-1] == "Deep=address contains /docs/ or depth > 3"


def test_the_form_of_a_segment_has_its_condition_in_rows(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, THIN)
    first, second = dialog.rows.lines
    assert first.column.currentText() == "Word count"
    assert (first.comparison.currentText(), first.value.text()) == ("less than", "300")
    assert second.comparison.currentText() == "does not contain"
    assert str(dialog.definition()) == THIN
    second.remove.click()
    assert str(dialog.definition()) == "Thin #dc2626=words < 300"
    assert not first.remove.isEnabled()


def test_comparisons_are_those_that_fit_the_column(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, BLOG)
    (line,) = dialog.rows.lines
    choose(line.column, "outcome")
    assert [line.comparison.itemText(i) for i in range(line.comparison.count())] == [
        *("is", "is not", "is empty", "is not empty"),
    ]
    assert "client-error" in [
        line.value.completer().model().index(row, 0).data()
        for row in range(line.value.completer().model().rowCount())
    ]
    choose(line.comparison, (Comparison.EMPTY, False))
    assert not line.value.isVisibleTo(line)
    assert line.text() == "outcome is empty"


def test_a_condition_that_is_more_than_a_list_stays_a_text(qtbot: QtBot) -> None:
    text = "Mixed=depth > 1 and (status = 200 or title is empty)"
    dialog = dialog_for(qtbot, text)
    assert dialog.as_text.isChecked()
    assert str(dialog.definition()) == text
    dialog.as_text.setChecked(False)
    assert dialog.as_text.isChecked()
    assert "stays text" in dialog.message.text()
    dialog.text.setText("depth > 1")
    dialog.as_text.setChecked(False)
    assert dialog.rows.lines[0].value.text() == "1"


def test_a_form_says_how_many_urls_meet_its_condition_or_what_is_wrong(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, BLOG)
    dialog.offer_count(count_five)
    assert dialog.matches.text() == "5 URLs of this crawl meet the condition."
    choose(dialog.rows.lines[0].column, "depth")
    qtbot.waitUntil(lambda: "is a number" in dialog.matches.text())


def test_a_name_that_is_missing_taken_or_cannot_be_written_is_refused(qtbot: QtBot) -> None:
    dialog = dialog_for(qtbot, BLOG, "Taken")
    for name, words in (("", "no name"), ("taken", "is taken"), ("a=b", "cannot be the name")):
        dialog.name.setText(name)
        dialog.accept()
        assert dialog.isVisible()
        assert words in dialog.message.text()


def test_the_settings_keep_segments_as_texts_and_cannot_try_them_on_a_page(qtbot: QtBot) -> None:
    settings = CrawlSettings(roots=("example.com",), segments=(BLOG, THIN))
    dialog = SettingsDialog(settings)
    qtbot.addWidget(dialog)
    found = dialog.field("segments").widget
    assert isinstance(found, SegmentEditor)
    assert not found.try_button.isVisibleTo(found)
    assert dialog.read().segments == (BLOG, THIN)
    found.set_definitions((THIN,))
    assert dialog.read() == replace(settings, segments=(THIN,))


def test_segments_of_the_crawl_shown_are_counted_in_its_project(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        project_with_titles_missing(session.path, f"{BASE}/blog/a", f"{BASE}/blog/b", f"{BASE}/c")
        stage.trigger(WindowAction.SETTINGS)
        (editor,) = stage.window.findChildren(SegmentEditor)
        editor.set_definitions((BLOG, "Rest=status > 0"))
        await until(lambda: [row[2] for row in rows(editor)] == ["2", "1"])

    play(scene)
