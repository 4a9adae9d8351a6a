"""What the details tell of a URL."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt, QUrl
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gossamer.gui.details.detail_lists import step_words
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.detail_views import DetailViews, OnDemand
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.tables.item_roles import ACCESSIBLE, DISPLAY, TOOLTIP
from gossamer.gui.tables.table_columns import INDEX
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.server_certificate import ServerCertificate
from tests.cases import each_case
from tests.gui.desk import BASE, Desk, DetailsDesk, small_site


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[DetailsDesk]:
    """Nothing is open yet."""
    desk = DetailsDesk(qtbot, small_site())
    yield desk
    desk.reader.close()


@pytest.fixture
def whole_desk(qtbot: QtBot) -> Iterator[Desk]:
    """Likewise, with all panels."""
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


def test_a_link_is_shown_with_the_outcome_of_its_target(whole_desk: Desk) -> None:
    whole_desk.rows.links[0] = replace(
        whole_desk.rows.links[0],
        kind=LinkKind.META_REFRESH,
        action=LinkAction.NOFOLLOW,
        element="meta content",
        rel="nofollow ugc",
        fragment="#part-2",
    )
    whole_desk.open()
    whole_desk.table.view.selectRow(0)
    whole_desk.details.tabs.bring_to_front(DetailViews.outlinks)
    whole_desk.until(lambda: whole_desk.details.views.outlinks.rows.rowCount() == 5)
    told = {
        "Type": "Meta refresh",
        "Action": "Nofollow",
        "Element": "meta content",
        "Rel": "nofollow ugc",
        "Fragment": "#part-2",
    }
    assert cells(whole_desk.details.views.outlinks, 0).items() >= told.items()
    assert (
        cells(whole_desk.details.views.outlinks, 1).items()
        >= {"Action": "Followed", "Fragment": ""}.items()
    )
    whole_desk.details.select_url(2)
    whole_desk.details.tabs.bring_to_front(DetailViews.inlinks)
    whole_desk.until(lambda: whole_desk.details.views.inlinks.rows.rowCount() == 1)
    assert cells(whole_desk.details.views.inlinks, 0).items() >= told.items()


@each_case(
    ("kind", "status", "words"),
    [
        (RedirectKind.HTTP, 301, "Permanent"),
        (RedirectKind.HTTP, 302, "Temporary"),
        (RedirectKind.HTTP, 399, "HTTP redirect"),
        (RedirectKind.META_REFRESH, 200, "Meta refresh"),
        (RedirectKind.JAVASCRIPT, 200, "JavaScript"),
        (RedirectKind.REFRESH_HEADER, 200, "Refresh header"),
    ],
)
def test_a_redirect_shows_its_type(
    desk: DetailsDesk, kind: RedirectKind, status: int, words: str
) -> None:
    desk.rows.change(3, redirect_kind=kind, status=status)
    desk.open()
    desk.details.select_url(3)
    desk.until(lambda: words in desk.details.views.summary.toPlainText())
    desk.details.tabs.bring_to_front(DetailViews.chain)
    chain = desk.details.views.chain
    types = [words, ""]
    desk.until(lambda: [cells(chain, row)["Type"] for row in range(chain.rows.rowCount())] == types)


@each_case(
    ("facts", "told"),
    [
        (
            {
                "outcome": Outcome.BLOCKED_BY_ROBOTS,
                "detail": DetailCode.ROBOTS_LINE(
                    robots_txt=f"{BASE}/robots.txt", line=3, rule="Disallow: /gone"
                ),
            },
            f"Reason {BASE}/robots.txt, line 3: Disallow: /gone",
        ),
        (
            {"outcome": Outcome.TIMEOUT, "detail": DetailCode.NO_WHOLE_ANSWER(seconds=30)},
            "Technical detail no complete response within 30 s",
        ),
        ({"outcome": Outcome.CLIENT_ERROR, "status": 404}, "Verdict Broken"),
        ({"outcome": Outcome.TIMEOUT}, "Verdict Uncertain"),
        ({"outcome": Outcome.CLIENT_ERROR, "status": 403}, "Verdict Refused"),
        ({"outcome": Outcome.PAGE, "robots_header": "noindex"}, "X-Robots-Tag noindex"),
    ],
)
def test_the_summary_explains_the_outcome(
    desk: DetailsDesk, facts: dict[str, Any], told: str
) -> None:
    desk.rows.change(5, **{"status": None, "detail": None} | facts)
    desk.open()
    desk.details.select_url(5)
    desk.until(lambda: told in " ".join(desk.details.views.summary.toPlainText().split()))


@each_case("reason", ["Not Found", "not found", "Oh no"])
def test_the_reason_phrase_is_not_repeated(desk: DetailsDesk, reason: str) -> None:
    desk.rows.change(5, outcome=Outcome.CLIENT_ERROR, status=404, reason=reason)
    desk.open()
    desk.details.select_url(5)
    summary = desk.details.views.summary
    desk.until(lambda: f"404 {reason}" in summary.toPlainText())
    assert summary.toPlainText().casefold().count("not found") == 1


def test_the_details_show_links_and_headers(whole_desk: Desk) -> None:
    whole_desk.open()
    whole_desk.table.view.selectRow(0)
    whole_desk.until(lambda: whole_desk.details.tabs.tabText(2).split() == ["Outlinks", "5"])
    whole_desk.details.tabs.bring_to_front(DetailViews.outlinks)
    rows = whole_desk.details.views.outlinks.rows
    whole_desk.until(lambda: rows.rowCount() == 5)
    assert rows.data(rows.index(3, 1), DISPLAY) == "404"
    whole_desk.rows.link(1, 4, "again")
    whole_desk.refresh()
    whole_desk.until(lambda: rows.rowCount() == 6)
    whole_desk.details.tabs.bring_to_front(DetailViews.headers)
    whole_desk.until(lambda: whole_desk.details.views.headers.rows.rowCount() == 2)


@each_case("seed", range(3))
def test_the_count_of_links_matches_the_rows_for_every_kind(desk: DetailsDesk, seed: int) -> None:
    chance = random.Random(seed)
    urls = range(1, len(desk.rows.urls) + 1)
    for _ in range(chance.randint(0, 40)):
        kind = chance.choice([LinkKind.ANCHOR, *LinkKind])
        desk.rows.link(chance.choice(urls), chance.choice(urls), kind=kind)
    desk.open()
    details = desk.details
    for url_id in urls:
        [record] = desk.rows.records([url_id])
        lists = (
            (DetailViews.inlinks, len(desk.rows.inlinks(url_id)), record.inlinks),
            (DetailViews.outlinks, len(desk.rows.outlinks(url_id)), record.outlinks),
        )
        details.select_url(url_id)
        for view, rows, counted in lists:
            details.tabs.bring_to_front(view)
            desk.until(partial(is_shown, details, view, rows, counted))


def is_shown(
    details: DetailsPanel, shown_in: OnDemand[DetailTable[Any]], rows: int, counted: int
) -> bool:
    """Whether a list has so many rows; its tab and its line of the summary lead with `counted`, as
    the column of a table says it, and both say how many others there are.
    """
    view = details.views.view(shown_in)
    name, others = view.accessibleName(), rows - counted
    tab = details.tabs.tabText(details.tabs.index_of(shown_in)).split()
    words = details.views.summary.toPlainText().split()
    said = words[words.index(name) + 1] if name in words else "0"
    told = f"(and {others} other reference" in " ".join(words) if others else True
    shown = [name, str(counted), *([f"(+{others})"] if others else [])]
    return view.rows.rowCount() == rows and tab == shown and said == str(counted) and told


def test_the_summary_tells_of_the_certificate_of_the_server(desk: DetailsDesk) -> None:
    names = tuple(f"{number}.a.example" for number in range(12))
    shown = ServerCertificate(
        BASE,
        1e9,
        1e8,
        1.1e9,
        "A",
        "Issuers & Co",
        names,
        "ab",
        Detail(DetailCode.CERTIFICATE_EXPIRED),
    )
    desk.open()
    desk.details.select_url(1)
    desk.until(lambda: "Address" in desk.details.views.summary.toPlainText())
    assert "Certificate" not in desk.details.views.summary.toPlainText()
    desk.rows.certificates[BASE] = shown
    desk.details.select_url(2)
    desk.until(lambda: "Issuers & Co" in desk.details.views.summary.toPlainText())
    told = " ".join(desk.details.views.summary.toPlainText().split())
    assert "9.a.example and 2 more" in told
    assert "it had ended" not in told
    desk.rows.certificates[BASE] = replace(shown, not_after=1e9 - 1)
    desk.details.select_url(1)
    desk.until(lambda: "it had ended" in desk.details.views.summary.toPlainText())


def test_the_length_of_a_text_from_right_to_left_is_read_from_left_to_right(
    desk: DetailsDesk,
) -> None:
    desk.rows.change(2, title="متحف خيط العنكبوت")
    desk.open()
    desk.details.select_url(2)
    desk.until(lambda: "17 characters" in desk.details.views.summary.toPlainText())
    block = desk.details.views.summary.document().find("17 characters").block()
    assert block.textDirection() is Qt.LayoutDirection.LeftToRight
    assert block.text() == "\u200e\u2068متحف خيط العنكبوت\u2069 (17 characters)"


def test_the_summary_distinguishes_links_from_other_references(desk: DetailsDesk) -> None:
    desk.rows.link(3, 4, kind=LinkKind.REDIRECT)
    desk.rows.link(2, 4, kind=LinkKind.CANONICAL)
    desk.rows.link(2, 4)
    desk.open()
    desk.details.select_url(4)
    said = "2 (and 2 other references)"
    desk.until(lambda: said in desk.details.views.summary.toPlainText())
    desk.details.select_url(3)
    desk.until(lambda: "0 (and 1 other reference)" in desk.details.views.summary.toPlainText())


def test_the_target_of_a_redirect_is_one_click_away(desk: DetailsDesk) -> None:
    desk.open()
    desk.details.select_url(3)
    desk.until(lambda: "Redirect URL" in desk.details.views.summary.toPlainText())
    assert 'href="url:4"' in desk.details.views.summary.toHtml()
    desk.details.views.summary.anchorClicked.emit(QUrl("url:4"))
    desk.until(lambda: desk.details.url_id == 4)


def test_a_redirect_loop_starts_at_the_selected_url_and_marks_its_end(desk: DetailsDesk) -> None:
    round_, way_in = f"{BASE}/round", f"{BASE}/in"
    for url in (way_in, round_):
        desk.rows.add(url, Outcome.REDIRECT_LOOP, parent=1, status=302, redirect=round_)
    way_in_id = len(desk.rows.urls) - 1
    desk.open()
    desk.details.select_url(way_in_id)
    chain = desk.details.views.chain
    desk.details.tabs.bring_to_front(DetailViews.chain)
    desk.until(lambda: chain.rows.rowCount() == 3)
    steps = [chain.rows.record(row) for row in range(3)]
    assert [step[1].url for step in steps if step] == [way_in, round_, round_]
    assert [step_words(step)[1] for step in steps if step] == [
        "",
        "1 other URL redirects here",
        "back to hop 2: redirect loop",
    ]


def test_a_redirect_chain_is_drawn_in_steps_with_joining_redirects(desk: DetailsDesk) -> None:
    desk.rows.change(3, redirect_kind=RedirectKind.HTTP)
    for path in ("/older", "/oldest"):
        desk.rows.add(
            f"{BASE}{path}", Outcome.REDIRECT, parent=1, status=302, redirect=f"{BASE}/new"
        )
    desk.open()
    desk.details.select_url(3)
    chain = desk.details.views.chain
    desk.details.tabs.bring_to_front(DetailViews.chain)
    desk.until(lambda: chain.rows.rowCount() == 2)
    steps = [chain.rows.record(row) for row in (0, 1)]
    assert [step_words(step) for step in steps if step] == [
        ("301 · Permanent", ""),
        ("200 · Page", "2 other URLs redirect here"),
    ]
    spoken = chain.rows.data(chain.rows.index(1, 2), ACCESSIBLE)
    assert spoken == f"2. {BASE}/new, 200 · Page, 2 other URLs redirect here, 1 ms"
    assert chain.visualRect(chain.rows.index(0, 2)).height() == chain.step_height()
    assert not chain.grab().isNull()
    chain.selectRow(1)
    chain.activated.emit(chain.rows.index(1, 2))
    desk.until(lambda: desk.details.url_id == 4)


def test_cookies_are_shown_without_their_values(desk: DetailsDesk) -> None:
    desk.rows.answer_headers[1] = [
        ("Server", "nginx"),
        ("Set-Cookie", "id=…; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax"),
        ("set-cookie", "theme=…; Domain=.example.com; Expires=Wed, 09 Jun 2027 10:18:14 GMT"),
        ("Set-Cookie", "nonsense"),
    ]
    desk.open()
    desk.details.select_url(1)
    cookies = desk.details.views.cookies
    desk.details.tabs.bring_to_front(DetailViews.cookies)
    desk.until(lambda: cookies.rows.rowCount() == 3)
    assert list(cells(cookies, 0).values()) == [
        "id",
        "this host only",
        "/",
        "60 s",
        "yes",
        "yes",
        "Lax",
    ]
    assert cells(cookies, 1).items() >= {"Domain": ".example.com", "Secure": "no"}.items()
    assert "2027" in cells(cookies, 1)["Expires"]


def test_a_list_without_rows_says_why(desk: DetailsDesk) -> None:
    desk.open()
    assert "appear here" in desk.details.views.cookies.note.text()
    desk.details.select_url(1)
    assert desk.details.views.cookies.note.text() == "The response sets no cookies."


def test_a_url_in_flight_is_not_shown_as_queued(whole_desk: Desk) -> None:
    queued = whole_desk.rows.add(f"{BASE}/slow", outcome=Outcome.PENDING, parent=1)
    whole_desk.open()
    whole_desk.details.select_url(queued)
    whole_desk.until(
        lambda: "Waiting to be fetched" in whole_desk.details.views.summary.toPlainText()
    )
    whole_desk.until(lambda: whole_desk.discovery.model.index_of(queued).isValid())
    whole_desk.until(lambda: outcome_cell(whole_desk, queued).data(DISPLAY) == "Queued")
    shown = ("Queued", "Waiting to be fetched.", "Queued")
    assert said_of(whole_desk, queued) == shown
    for panel in whole_desk.panels:
        panel.show_in_flight(frozenset({queued}))
    said = whole_desk.details.views.summary.toPlainText()
    assert "Being fetched." in said
    assert "Waiting to be fetched" not in said
    assert said_of(whole_desk, queued) == ("In flight", "Being fetched.", "In flight")
    for panel in whole_desk.panels:
        panel.show_in_flight(frozenset())
    assert "In flight" not in whole_desk.details.views.summary.toPlainText()
    assert said_of(whole_desk, queued) == shown
    whole_desk.rows.change(queued, outcome=Outcome.PAGE, status=200)
    for panel in whole_desk.panels:
        panel.show_in_flight(frozenset({queued}))
    whole_desk.refresh()
    cell = outcome_cell(whole_desk, queued)
    whole_desk.until(lambda: cell.data(DISPLAY) == "Page")


def outcome_cell(desk: Desk, url_id: int) -> QModelIndex:
    model = desk.table.model
    return model.index(model.row_of(url_id), INDEX["outcome"])


def said_of(desk: Desk, url_id: int) -> tuple[str, ...]:
    """What a cell of the table says, what its tip and that of the tree, and what is read out."""
    cell = outcome_cell(desk, url_id)
    node = desk.discovery.model.index_of(url_id)
    tips = {str(index.data(TOOLTIP)).split("<br>")[-1] for index in (cell, node)}
    [tip] = {tip.removesuffix("</p>").split(">")[-1] for tip in tips}
    return str(cell.data(DISPLAY)), tip, str(node.data(ACCESSIBLE)).split(", ")[-1]


def test_tabs_stay_scrolled_when_another_url_is_shown(desk: DetailsDesk) -> None:
    desk.open()
    desk.details.select_url(1)
    desk.details.resize(400, 300)
    desk.until(lambda: "5" in desk.details.tabs.tabText(2))
    bar = desk.details.tabs.tabBar()
    forward = bar.findChild(QToolButton, "ScrollRightButton")
    assert isinstance(forward, QToolButton)
    for _ in range(6):
        forward.click()
    scrolled = bar.tabRect(8).left()
    desk.details.select_url(2)
    desk.until(lambda: "1" in desk.details.tabs.tabText(2))
    change = abs(bar.tabRect(8).left() - scrolled)
    assert change < bar.tabRect(8).width(), "by what a count takes, not back to the first"
    assert desk.details.tabs.currentIndex() == 0
