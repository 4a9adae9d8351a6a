"""The list, forms and trial of custom definitions in the settings."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from gossamer.gui.custom_definitions.definition_dialog import ExtractionDialog, SearchDialog
from gossamer.gui.custom_definitions.definition_list import SEARCHES, DefinitionList
from gossamer.gui.custom_definitions.trial_dialog import TrialDialog
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.gui.shell.settings_controller import selected_page
from gossamer.model.custom_definitions import (
    MAX_DEFINITIONS,
    CustomExtraction,
    CustomFailure,
    CustomResult,
    CustomSearch,
    ExtractedPart,
    SearchLocation,
)
from gossamer.model.messages.inspection_messages import TrialResult
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.cases import each_case
from tests.gui.desk import BASE, Desk

TERMS = CustomSearch("Terms", "and conditions")
PRICE = CustomExtraction("Price", "span.price")


@pytest.fixture
def searches(qtbot: QtBot) -> DefinitionList:
    found = DefinitionList(SEARCHES)
    qtbot.addWidget(found)
    found.show()
    return found


def names(found: DefinitionList) -> list[str]:
    return [each.name for each in found.definitions()]


def test_definitions_are_duplicated_moved_and_removed(
    searches: DefinitionList, qtbot: QtBot
) -> None:
    searches.set_definitions((TERMS,))
    with qtbot.waitSignal(searches.changed):
        searches.duplicate.click()
    searches.duplicate.click()
    assert names(searches) == ["Terms", "Terms 2", "Terms 2 2"]
    searches.up.click()
    assert names(searches) == ["Terms", "Terms 2 2", "Terms 2"]
    searches.remove.click()
    searches.down.click()
    assert names(searches) == ["Terms", "Terms 2"]
    assert not searches.down.isEnabled()


@each_case("width", range(200, 600, 20))
def test_the_arrows_stand_beside_each_other_at_any_width(
    searches: DefinitionList, width: int
) -> None:
    searches.try_button.show()
    searches.resize(width, 300)
    tops = {arrow.mapTo(searches, QPoint()).y() for arrow in (searches.up, searches.down)}
    assert len(tops) == 1


def test_a_new_definition_is_added_by_its_form(searches: DefinitionList) -> None:
    searches.add.click()
    (form,) = searches.findChildren(SearchDialog)
    form.name.setText("Terms")
    form.accept()
    assert form.isVisible()
    assert "no pattern" in form.message.text()
    form.pattern.setText("and conditions")
    form.accept()
    assert searches.definitions() == (TERMS,)


def test_no_more_than_a_hundred_can_be_added(searches: DefinitionList) -> None:
    searches.set_definitions([CustomSearch(f"n{i}", "a") for i in range(MAX_DEFINITIONS)])
    assert not searches.add.isEnabled()
    assert not searches.duplicate.isEnabled()


def test_a_form_refuses_a_name_that_is_taken_and_a_wrong_pattern(qtbot: QtBot) -> None:
    form = ExtractionDialog(CustomExtraction("price", "h1["), ["Price"])
    qtbot.addWidget(form)
    form.accept()
    assert "is taken" in form.message.text()
    form.name.setText("Other")
    form.accept()
    assert form.message.text().startswith("The CSS selector of 'Other' is not valid: ")
    assert "at character 3" in form.message.text()
    form.pattern.setText("h1")
    form.accept()
    assert form.result() == QDialog.DialogCode.Accepted
    assert form.definition() == CustomExtraction("Other", "h1")


def test_a_form_shows_the_fields_that_its_choices_need(qtbot: QtBot) -> None:
    search = SearchDialog(TERMS, [])
    extraction = ExtractionDialog(PRICE, [])
    for form in (search, extraction):
        qtbot.addWidget(form)
        form.show()
    assert not search.selector.isVisible()
    search.place.setCurrentIndex(list(SearchLocation).index(SearchLocation.ELEMENT))
    assert search.selector.isVisible()
    extraction.part.setCurrentIndex(list(ExtractedPart).index(ExtractedPart.ATTRIBUTE))
    assert extraction.attribute.isVisible()
    extraction.attribute.setText("href")
    assert extraction.definition().attribute == "href"


def test_the_settings_offer_to_try_what_their_lists_have(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=(), custom_searches=(TERMS,)))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_section("custom")
    found = dialog.field("custom_searches").widget
    assert isinstance(found, DefinitionList)
    with qtbot.waitSignal(dialog.trial_wanted):
        found.try_button.click()


def test_a_trial_shows_results_and_times_or_why_there_are_none(qtbot: QtBot) -> None:
    slow = CustomSearch("Slow", "(a+)+$", regex=True)
    trial = TrialDialog((TERMS, slow, PRICE), "example.com")
    qtbot.addWidget(trial)
    trial.show()
    with qtbot.waitSignal(trial.wanted) as wanted:
        trial.start.click()
    assert wanted.args == ["example.com"]
    assert not trial.start.isEnabled()
    results = [
        CustomResult(TERMS.number, [2]),
        CustomResult(slow.number, failure=CustomFailure.TIMED_OUT),
        CustomResult(PRICE.number),
    ]
    url = "https://example.com/"
    trial.show_result(TrialResult(1, url, Outcome.PAGE, 200, None, results, {TERMS.number: 0.25}))
    rows = [trial.results.topLevelItem(row) for row in range(3)]
    cells = [[row.text(column) for column in range(3)] for row in rows if row is not None]
    assert cells == [
        ["Terms", "2", "0.3 ms"],
        ["Slow", "Timed out", ""],
        ["Price", "nothing found", ""],
    ]
    trial.show_result(TrialResult(2, url, Outcome.CLIENT_ERROR, 404))
    assert trial.message.text() == "Not found."
    trial.show_error("No network.")
    assert trial.message.text() == "No network."
    assert trial.start.isEnabled()


def test_definitions_are_tried_on_the_page_selected_in_the_table(desk: Desk) -> None:
    desk.open()
    view = desk.table.view
    assert selected_page(view) == [], "no row is selected"
    desk.until(lambda: desk.table.model.record(4) is not None)
    view.select_only(1)
    assert selected_page(view) == [f"{BASE}/docs/"]
    view.select_only(4)
    assert selected_page(view) == [], "it is no page"
