"""The trees: children are read when a node opens, and a growing site keeps every index valid."""

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex

from gossamer.gui.look.theme import colour
from gossamer.gui.tables.item_roles import ACCESSIBLE, DECORATION, DISPLAY, FOREGROUND, TOOLTIP
from gossamer.gui.trees.discovery_tree import DiscoverySource
from gossamer.gui.trees.folder_tree import FolderSource, folder_key, url_key
from gossamer.gui.trees.lazy_tree import BATCH
from gossamer.gui.trees.tree_cells import relative_address
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows, site
from tests.gui.stepped_tree import BASE, ROOT, Tree

pytestmark = pytest.mark.usefixtures("qapp")


def can_go_on(tree: Tree, index: QModelIndex) -> bool:
    """Whether reading on at a node asks for something."""
    tree.model.read_more(index)
    tree.model._fetch()  # noqa: SLF001 - instead of waiting for a timer
    asked = bool(tree.reader.requests)
    tree.settle()
    return asked


def small_site() -> FakeRows:
    rows = FakeRows()
    rows.add(f"{BASE}/", Outcome.PAGE, status=200, title="Home")
    rows.add(f"{BASE}/docs/", Outcome.PAGE, parent=1, status=200)
    rows.add(f"{BASE}/old", Outcome.REDIRECT, parent=1, status=301, redirect=f"{BASE}/new")
    rows.add(f"{BASE}/new", Outcome.PAGE, parent=3, status=200)
    rows.add(f"{BASE}/gone", Outcome.CLIENT_ERROR, parent=1, status=404)
    rows.add(f"{BASE}/slow", Outcome.TIMEOUT, parent=1)
    rows.add("https://other.example/x", Outcome.OUT_OF_SCOPE, parent=1)
    rows.add(f"{BASE}/docs/%D0%9F.html?a=/b", parent=2)
    return rows


def discovery(rows: FakeRows, *, tested: bool = True) -> Tree:
    return Tree(rows, DiscoverySource(), tested=tested)


def test_children_of_a_collapsed_node_are_not_read() -> None:
    tree = discovery(site(50), tested=False)
    assert tree.names() == [BASE]
    assert tree.rows.calls == ["children"]
    assert tree.model.hasChildren(tree.at(0))
    assert tree.model.rowCount(tree.at(0)) == 0


def test_node_labels_show_path_status_and_target() -> None:
    tree = discovery(small_site())
    tree.open(tree.at(0))
    assert tree.names(tree.at(0)) == [
        "/docs/",
        "301 /old → /new",
        "404 /gone",
        "Timeout /slow",
        "https://other.example/x",
    ]
    tree.open(tree.at(0, 0))
    assert tree.names(tree.at(0, 0)) == ["/docs/П.html?a=/b"]


def test_status_icons_differ_in_colour_and_text() -> None:
    tree = discovery(small_site())
    tree.open(tree.at(0))
    page, redirect, error = tree.at(0, 0), tree.at(0, 1), tree.at(0, 2)
    assert tree.model.data(page, FOREGROUND) is None
    assert tree.model.data(redirect, FOREGROUND) == colour("redirect")
    assert tree.model.data(error, FOREGROUND) == colour("error")
    assert tree.model.data(error, ACCESSIBLE) == "404 /gone, Client error"
    assert tree.model.data(page, ACCESSIBLE) == "/docs/, Page, 1 found here"
    icons = {tree.model.data(i, DECORATION).cacheKey() for i in (page, redirect, error)}
    assert len(icons) == 3


def test_tooltips_show_markup_from_the_web_as_text() -> None:
    rows = FakeRows()
    rows.add(f"{BASE}/", Outcome.PAGE, title="<img src=x>")
    tree = discovery(rows)
    assert "&lt;img src=x&gt;" in str(tree.model.data(tree.at(0), TOOLTIP))


def test_many_children_are_inserted_in_batches() -> None:
    tree = discovery(site(1_000, per_page=900), tested=False)
    tree.open(tree.at(0))
    tree.open(tree.at(0))
    assert tree.inserted == [(0, 0), (0, BATCH - 1), (BATCH, 2 * BATCH - 1)]
    assert can_go_on(tree, tree.at(0))


def test_new_children_are_appended_to_an_expanded_node() -> None:
    rows = small_site()
    tree = discovery(rows)
    tree.open(tree.at(0))
    kept = QPersistentModelIndex(tree.at(0, 2))
    rows.add(f"{BASE}/added", parent=1)
    tree.refresh(tree.at(0))
    assert tree.names(tree.at(0))[-1] == "/added"
    assert tree.inserted[-1] == (5, 5)
    assert kept.row() == 2


def test_new_children_of_a_collapsed_node_are_read_when_it_is_expanded() -> None:
    rows = small_site()
    tree = discovery(rows, tested=False)
    tree.open(tree.at(0))
    tree.open(tree.at(0, 0))
    rows.add(f"{BASE}/docs/b", parent=2)
    tree.refresh(tree.at(0))
    docs = tree.at(0, 0)
    assert tree.model.rowCount(docs) == 1
    assert tree.model.data(docs.siblingAtColumn(2), DISPLAY) == "2"
    assert can_go_on(tree, docs)
    tree.open(docs)
    assert tree.names(docs) == ["/docs/П.html?a=/b", "/docs/b"]


def test_a_leaf_that_gets_children_can_be_expanded() -> None:
    rows = small_site()
    tree = discovery(rows, tested=False)
    tree.open(tree.at(0))
    rows.add(f"{BASE}/from-gone", parent=5)
    rows.add(f"{BASE}/from-gone-2", parent=5)
    tree.refresh()
    gone = tree.at(0, 2)
    assert tree.model.rowCount(gone) == 1, "a view draws the sign for opening with the first child"
    tree.open(gone)
    assert tree.names(gone) == ["/from-gone", "/from-gone-2"]


def test_outcomes_of_shown_nodes_are_updated() -> None:
    rows = small_site()
    tree = discovery(rows)
    tree.open(tree.at(0))
    rows.change(6, outcome=Outcome.PAGE, status=200)
    tree.refresh(tree.at(0))
    assert tree.names(tree.at(0))[3] == "/slow"


def test_revealing_a_node_reads_its_ancestors_only() -> None:
    rows = site(3_000, per_page=700)
    tree = discovery(rows, tested=False)
    shown: list[str] = []
    tree.model.revealed.connect(lambda i: shown.append(str(tree.model.data(i, DISPLAY))))
    tree.model.reveal(2_900)
    tree.settle()
    assert shown == ["/f28/page2899.html"]
    assert tree.model.index_of(2_900).parent() == tree.model.index_of(rows.urls[2_900].parent or 0)


def test_revealing_a_node_reads_its_siblings_only_when_scrolled_to() -> None:
    rows = site(3_000, per_page=2_999)
    tree = discovery(rows, tested=False)
    tree.model.reveal(2_900)
    tree.settle()
    home = tree.at(0)
    assert tree.model.rowCount(home) == BATCH + 1
    assert tree.model.index_of(2_900).row() == BATCH
    assert [tree.model.is_last_in_order(tree.at(0, row)) for row in (0, BATCH - 1, BATCH)] == [
        False,
        True,
        False,
    ]
    for _ in range(20):
        tree.open(home)
    ids = [tree.model.url_id(tree.at(0, row)) for row in range(tree.model.rowCount(home))]
    assert ids == list(range(2, 3_001))
    assert tree.model.is_last_in_order(tree.at(0, 2_998))


def test_revealing_a_node_shows_it_as_it_is_now() -> None:
    rows = small_site()
    tree = discovery(rows)
    tree.open(tree.at(0))
    rows.add(f"{BASE}/docs/second", parent=2)
    tree.refresh()
    assert tree.names(tree.at(0, 0)) == ["/docs/П.html?a=/b"], "the first child, for the sign"
    rows.change(8, outcome=Outcome.CLIENT_ERROR, status=404)
    tree.model.reveal(8)
    tree.settle()
    assert tree.names(tree.at(0, 0))[0].startswith("404 ")


def test_revealing_a_missing_node_does_nothing() -> None:
    tree = discovery(small_site())
    tree.model.reveal(999)
    tree.settle()
    assert not tree.reader.requests


def test_another_project_clears_the_tree() -> None:
    tree = discovery(small_site())
    tree.model.refresh([tree.at(0)], [])
    tree.model.set_active(active=False)
    tree.settle()
    assert tree.names() == []
    assert not tree.model.canFetchMore(ROOT)


def test_folders_come_first_by_name_then_urls_by_discovery() -> None:
    rows = small_site()
    rows.add(f"{BASE}/a/x")
    tree = Tree(rows, FolderSource())
    assert tree.names() == [BASE]
    tree.open(tree.at(0))
    site_ = tree.at(0)
    assert tree.names(site_) == [
        "a",
        "docs",
        "/",
        "301 old → /new",
        "new",
        "404 gone",
        "Timeout slow",
    ]
    tree.open(tree.at(0, 1))
    assert tree.names(tree.at(0, 1)) == ["/", "П.html?a=/b"]
    assert tree.model.data(site_.siblingAtColumn(2), DISPLAY) == "8"


def test_new_folders_are_inserted_in_order_and_counts_are_updated() -> None:
    rows = small_site()
    tree = Tree(rows, FolderSource())
    tree.open(tree.at(0))
    kept = QPersistentModelIndex(tree.at(0, 0))
    for path in ("blog/1", "docs/9", "zoo/1", "apes/1"):
        rows.add(f"{BASE}/{path}")
    tree.refresh(tree.at(0))
    assert tree.names(tree.at(0))[:5] == ["apes", "blog", "docs", "zoo", "/"]
    assert kept.row() == 2
    assert tree.model.data(tree.at(0, 2).siblingAtColumn(2), DISPLAY) == "3"


def test_many_folders_are_loaded_in_batches_as_needed() -> None:
    rows = small_site()
    tree = Tree(rows, FolderSource(), tested=False, max_grown=75)
    tree.open(tree.at(0))
    tree.inserted.clear()
    for i in range(150):
        rows.add(f"{BASE}/{'abc'[i % 3]}{i:04}/x")
    for _ in range(8):
        tree.refresh(tree.at(0))
    assert 65 < tree.model.rowCount(tree.at(0)) <= 75
    assert can_go_on(tree, tree.at(0))
    for _ in range(6):
        tree.open(tree.at(0))
    names = tree.names(tree.at(0))
    assert len(names) == 156
    assert names[:151] == sorted(names[:151])
    assert not can_go_on(tree, tree.at(0))


def test_a_refresh_reports_whether_more_is_left_to_read() -> None:
    rows = small_site()
    tree = Tree(rows, DiscoverySource(), tested=False, growth=10)
    tree.open(tree.at(0))
    for i in range(15):
        rows.add(f"{BASE}/{i}", parent=1)
    behind = []
    for _ in range(3):
        tree.refresh(tree.at(0))
        behind.append(tree.model.has_more_growth)
    assert behind == [True, False, False]
    assert tree.model.rowCount(tree.at(0)) == 20


def test_a_skipped_url_that_is_queued_after_all_appears_in_its_folder() -> None:
    rows = small_site()
    rows.add(f"{BASE}/docs/deep", Outcome.TOO_DEEP, parent=2)
    rows.add(f"{BASE}/docs/last", parent=2)
    tree = Tree(rows, FolderSource(), tested=False)
    tree.open(tree.at(0))
    docs = tree.at(0, 0)
    tree.open(docs)
    assert tree.names(docs) == ["/", "П.html?a=/b", "last"]
    rows.change(9, outcome=Outcome.PENDING)
    for _ in range(3):
        tree.refresh(tree.at(0), docs)
    assert tree.names(docs) == ["/", "П.html?a=/b", "deep", "last"]


def test_a_url_is_revealed_in_its_folder() -> None:
    tree = Tree(small_site(), FolderSource(), tested=False)
    shown: list[int | None] = []
    tree.model.revealed.connect(lambda index: shown.append(tree.model.url_id(index)))
    tree.model.reveal(8)
    tree.settle()
    assert shown == [8]
    assert tree.model.index_of(url_key(8)).parent().isValid()
    assert tree.model.index_of(folder_key(1)).row() == 0


@pytest.mark.parametrize(
    ("url", "above", "name"),
    [
        (f"{BASE}/a", f"{BASE}/b", "/a"),
        (f"{BASE}/", f"{BASE}/b", "/"),
        ("http://example.com/a", f"{BASE}/b", "http://example.com/a"),
        (f"{BASE}.evil/a", f"{BASE}/b", f"{BASE}.evil/a"),
        (f"{BASE}/a", None, f"{BASE}/a"),
        ("mailto:a@example.com", f"{BASE}/b", "mailto:a@example.com"),
    ],
)
def test_paths_are_relative_to_the_same_site_alone(url: str, above: str | None, name: str) -> None:
    assert relative_address(url, above) == name
