"""What is counted first: the URLs of rules, before those by kind of content."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.issues.rule_tree import RuleTree
from gossamer.model.facets import FacetCount
from gossamer.model.project_queries import Facet, Filter, View
from tests.gui.desk import Desk, small_site
from tests.patience import PATIENCE_S

MISSING_TITLE = 400


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    desk.open()
    yield desk
    desk.reader.close()


def test_counts_of_rules_do_not_wait_for_those_by_kind_of_content(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_count = threading.Event()
    facet = desk.rows.facet

    def slow(view: View, filter_: Filter, name: Facet) -> list[FacetCount]:
        may_count.wait(PATIENCE_S)
        return facet(view, filter_, name)

    monkeypatch.setattr(desk.rows, "facet", slow)
    counts = desk.table.issue_counts
    tree = RuleTree(counts)
    qtbot.addWidget(tree)
    desk.rows.issues = {MISSING_TITLE: [4, 5]}
    tree.show()
    desk.until(lambda: counts.urls.get(MISSING_TITLE) == 2)
    assert counts.content == {}
    may_count.set()
    desk.until(lambda: bool(counts.content))
