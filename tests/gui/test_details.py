"""What the details tell of a URL."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from pytestqt.qtbot import QtBot

from app.gui.models.roles import DISPLAY
from app.gui.panels.detail_table import DetailTable
from app.model.outcome import Outcome
from app.model.page import LinkAction, LinkKind, RedirectKind
from tests.gui.desk import Desk, small_site

pytestmark = pytest.mark.usefixtures("light")


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    yield desk
    desk.reader.close()


def cells(view: DetailTable[Any], row: int) -> dict[str, str]:
    """A row of a list by the names of its columns."""
    model = view.rows
    return {
        str(model.headerData(i, Qt.Orientation.Horizontal)): str(model.data(model.index(row, i)))
        for i in range(model.columnCount())
    }


def test_a_link_is_told_with_what_the_crawl_did_about_it(desk: Desk) -> None:
    desk.rows.links[0] = replace(
        desk.rows.links[0],
        kind=LinkKind.META_REFRESH,
        action=LinkAction.NOFOLLOW,
        element="meta content",
        rel="nofollow ugc",
        fragment="part-2",
    )
    desk.open()
    desk.table.view.selectRow(0)
    desk.details.tabs.setCurrentWidget(desk.details.outlinks)
    desk.until(lambda: desk.details.outlinks.rows.rowCount() == 5)
    told = {
        "Kind": "Meta refresh",
        "Action": "Nofollow",
        "Element": "meta content",
        "Rel": "nofollow ugc",
        "Fragment": "#part-2",
    }
    assert cells(desk.details.outlinks, 0).items() >= told.items()
    assert cells(desk.details.outlinks, 1).items() >= {"Action": "Followed", "Fragment": ""}.items()
    desk.details.select_url(2)
    desk.details.tabs.setCurrentWidget(desk.details.inlinks)
    desk.until(lambda: desk.details.inlinks.rows.rowCount() == 1)
    assert cells(desk.details.inlinks, 0).items() >= told.items()


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        (RedirectKind.HTTP, 301, "Permanent"),
        (RedirectKind.HTTP, 302, "Temporary"),
        (RedirectKind.HTTP, 399, "HTTP redirect"),
        (RedirectKind.META_REFRESH, 200, "Meta refresh"),
        (RedirectKind.REFRESH_HEADER, 200, "Refresh header"),
    ],
)
def test_a_redirect_says_by_what_means(
    desk: Desk, kind: RedirectKind, status: int, words: str
) -> None:
    desk.rows.change(3, redirect_kind=kind, status=status)
    desk.open()
    desk.details.select_url(3)
    desk.until(lambda: words in desk.details.summary.toPlainText())
    desk.details.tabs.setCurrentWidget(desk.details.chain)
    desk.until(lambda: desk.details.chain.rows.rowCount() == 2)
    assert [cells(desk.details.chain, row)["Kind"] for row in (0, 1)] == [words, ""]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (
            {"outcome": Outcome.BLOCKED_BY_ROBOTS, "detail": "Disallow: /gone (line 3)"},
            "Reason Disallow: /gone (line 3)",
        ),
        ({"outcome": Outcome.TIMEOUT, "detail": "no byte in 30 s"}, "Technical detail no byte"),
        ({"outcome": Outcome.TIMEOUT}, "Verdict Not certain"),
        ({"outcome": Outcome.CLIENT_ERROR, "status": 404}, "Verdict Broken"),
        ({"outcome": Outcome.CLIENT_ERROR, "status": 403}, "Verdict Refused"),
        ({"outcome": Outcome.PAGE, "robots_header": "noindex"}, "X-Robots-Tag noindex"),
    ],
)
def test_the_summary_says_why(desk: Desk, facts: dict[str, Any], told: str) -> None:
    desk.rows.change(5, **{"status": None} | facts)
    desk.open()
    desk.details.select_url(5)
    desk.until(lambda: told in " ".join(desk.details.summary.toPlainText().split()))


def test_the_details_tell_links_and_headers(desk: Desk) -> None:
    desk.open()
    desk.table.view.selectRow(0)
    desk.until(lambda: desk.details.tabs.tabText(2) == "Outlinks  5")
    desk.details.tabs.setCurrentWidget(desk.details.outlinks)
    rows = desk.details.outlinks.rows
    desk.until(lambda: rows.rowCount() == 5)
    assert rows.data(rows.index(3, 1), DISPLAY) == "404"
    desk.rows.link(1, 4, "again")
    desk.refresh()
    desk.until(lambda: rows.rowCount() == 6)
    desk.details.tabs.setCurrentWidget(desk.details.headers)
    desk.until(lambda: desk.details.headers.rows.rowCount() == 2)


def test_the_target_of_a_redirect_is_one_click_away(desk: Desk) -> None:
    desk.open()
    desk.details.select_url(3)
    desk.until(lambda: "Redirects to" in desk.details.summary.toPlainText())
    assert 'href="url:4"' in desk.details.summary.toHtml()
    desk.details.summary.anchorClicked.emit(QUrl("url:4"))
    desk.until(lambda: desk.details.url_id == 4)
