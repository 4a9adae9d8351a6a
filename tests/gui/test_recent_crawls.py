"""Recent crawls: where they stand, opened with a click, untitled ones too; and what is dropped."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.runtime.saved_ui_state import RecentProject, UiState
from gossamer.gui.shell.drag_and_drop import DropHandler
from gossamer.gui.shell.session_restore import worth_offering
from gossamer.gui.start.recent_crawl_list import ProjectRow, RecentProjects
from gossamer.model.crawl_state import CrawlState
from gossamer.model.lock_owner import LockOwner
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Translatable
from gossamer.store.reading.project_listing import ProjectInfo
from tests.gui.conftest import Play, Run
from tests.gui.stage import Stage, staged, until

PATH = Path("projects/a.example 2026-01-02.gossamer")
MADE_UP = Path("projects/a.example-8000 2026-01-02 10.11.12 (2).gossamer")


@pytest.fixture
def recent(qtbot: QtBot) -> RecentProjects:
    widget = RecentProjects()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_a_recent_project_is_opened_with_a_click(recent: RecentProjects) -> None:
    wanted: list[Path] = []
    recent.project_wanted.connect(wanted.append)
    recent.show_projects([RecentProject(PATH, "https://a.example/")])
    [row] = recent.rows
    assert row.accessibleName() == "a.example 2026-01-02"
    recent.show_projects([RecentProject(MADE_UP, "https://a.example/", 2)])
    assert recent.rows[0].accessibleName() == "a.example and 2 more", "its time stands below"
    recent.show_projects([RecentProject(PATH, "https://a.example/")])
    [row] = recent.rows
    row.click()
    assert wanted == [PATH]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_recent_project_is_opened_with_a_key(recent: RecentProjects, key: Qt.Key) -> None:
    wanted: list[Path] = []
    recent.project_wanted.connect(wanted.append)
    recent.show_projects([RecentProject(PATH, "https://a.example/")])
    QTest.keyClick(recent.rows[0], key)
    assert wanted == [PATH]


def test_a_new_list_of_recent_crawls_replaces_the_old_and_is_bounded(
    recent: RecentProjects,
) -> None:
    recent.show_projects([RecentProject(Path(f"{n}.gossamer"), f"{n}.example") for n in range(9)])
    assert [row.text() for row in recent.rows] == [f"{n}.example" for n in range(5)]
    recent.show_projects([])
    assert recent.rows == []
    assert recent.isHidden()


@pytest.mark.parametrize(
    ("glance", "said"),
    [
        (
            ProjectInfo(PATH, state=CrawlState.PAUSED, known=5678, queued=4444, size_bytes=2048),
            "Paused · 1,234 of 5,678 URLs · 2.0 KiB",
        ),
        (
            ProjectInfo(PATH, state=CrawlState.FINISHED, known=12),
            "Finished · 12 URLs · 0 bytes",
        ),
        (
            ProjectInfo(
                PATH, state=CrawlState.FINISHED, known=1, nothing=Outcome.CONNECTION_REFUSED
            ),
            "No pages found · Connection refused · 1 URL",
        ),
        (
            ProjectInfo(PATH, state=CrawlState.RUNNING, known=1, held_by=LockOwner(pid=1)),
            "Being crawled · 1 URL",
        ),
        (ProjectInfo(PATH, trouble=Translatable("It is damaged.")), "It is damaged."),
    ],
)
def test_a_row_shows_the_state_of_its_crawl(
    recent: RecentProjects, glance: ProjectInfo, said: str
) -> None:
    recent.show_projects([RecentProject(PATH, "a.example")])
    [row] = recent.rows
    height = row.sizeHint().height()
    assert row.state_text() == ""
    recent.show_glances({PATH: glance})
    assert row.state_text().startswith(said)
    failed = glance.nothing is not None or glance.trouble is not None
    assert row.sign() == ("error" if failed else "recent")
    assert row.sizeHint().height() == height


def test_empty_crawls_rank_last_and_every_site_is_listed() -> None:
    def project(name: str, site: str) -> RecentProject:
        return RecentProject(Path(f"{name}.gossamer"), f"https://{site}/")

    dead = [project(f"dead {n}", f"typo{n}.example") for n in range(20)]
    large, larger = project("large", "a.example"), project("larger", "a.example")
    other, begun = project("other", "b.example"), project("begun", "c.example")
    projects = [*dead, larger, large, other, begun]
    glances = {each.path: ProjectInfo(each.path, known=1) for each in dead}
    glances[large.path] = ProjectInfo(large.path, known=22_159, working=22_000)
    glances[larger.path] = ProjectInfo(larger.path, known=30_000, working=29_000)
    glances[begun.path] = ProjectInfo(begun.path, known=5, queued=5)
    assert worth_offering(projects, glances, 3) == [larger, other, begun]
    assert worth_offering(projects, glances, 4) == [larger, large, other, begun]
    assert worth_offering(projects, glances, 5) == [dead[0], larger, large, other, begun]
    assert worth_offering(projects, {}, 2) == dead[:2], "nothing is known of them yet"


def test_crawls_with_default_names_are_listed(run: Run[None], tmp_path: Path) -> None:
    untitled = tmp_path / "b.example.gossamer"
    damaged = tmp_path / "c.gossamer"

    def listed(remembered: Sequence[Path]) -> list[ProjectInfo]:
        assert remembered == []
        return [
            ProjectInfo(untitled, roots=("https://b.example/",), state=CrawlState.PAUSED, known=7),
            ProjectInfo(damaged, trouble=Translatable("It is damaged.")),
        ]

    async def main() -> None:
        async with staged(tmp_path, listed=listed) as stage:
            recent = stage.window.start_page.recent
            await until(lambda: bool(recent.rows))
            assert [row.text() for row in recent.rows] == ["b.example"]
            assert "7 URLs" in recent.rows[0].state_text()
            menu = stage.window.action_set.submenu(WindowAction.OPEN_RECENT)
            assert [action.text() for action in menu.actions()] == ["b.example — b.example"]

    run(main())


class FakeUrlLists:
    """Records the lists that it is given."""

    def __init__(self) -> None:
        self.taken: list[str | Path] = []

    def take(self, text: str) -> None:
        self.taken.append(text)

    def open(self, path: Path) -> None:
        self.taken.append(path)


def dropped(
    mime: QMimeData,
    qtbot: QtBot,
    lists: FakeUrlLists | None = None,
    refused: list[str] | None = None,
) -> tuple[bool, list[Path], list[str]]:
    """Drag `mime` over a window and drop it: whether it was taken, and as what."""
    window = QWidget()
    qtbot.addWidget(window)
    projects: list[Path] = []
    addresses: list[str] = []
    lists = lists or FakeUrlLists()
    refused = [] if refused is None else refused
    DropHandler(window, projects.append, addresses.append, lists, projects.extend, refused.append)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    action = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPointF(5, 5).toPoint(), action, mime, buttons, keys)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), action, mime, buttons, keys))
    return enter.isAccepted(), projects, addresses


def of_urls(*urls: str) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl(url) for url in urls])
    return mime


def of_text(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


def test_a_project_file_that_is_dropped_is_opened(qtbot: QtBot) -> None:
    taken = dropped(of_urls("file:///a/x.txt", "file:///a/b.gossamer"), qtbot)
    assert taken == (True, [Path("/a/b.gossamer")], [])
    refused: list[str] = []
    both = of_urls("file:///a/b.gossamer", "file:///a/c.gossamer")
    assert dropped(both, qtbot, refused=refused) == (True, [], [])
    assert "one project at a time" in refused[0]


def test_web_archives_that_are_dropped_together_are_parts_of_one(qtbot: QtBot) -> None:
    files = "file:///a/1.WARC.gz", "file:///a/x.pdf", "file:///a/2.wacz", "file:///a/list.txt"
    assert dropped(of_urls(*files), qtbot) == (True, [Path("/a/1.WARC.gz"), Path("/a/2.wacz")], [])
    assert dropped(of_urls("file:///a/b.gossamer", *files), qtbot)[1] == [Path("/a/b.gossamer")]


def test_a_dropped_url_stays_as_it_was_written(qtbot: QtBot) -> None:
    url = "https://a.example/a%20b?q=%2B"
    assert dropped(of_urls(url), qtbot) == (True, [], [url])


def test_a_dropped_url_is_crawled_and_several_become_a_list(qtbot: QtBot) -> None:
    urls = "https://a.example/x", "http://b.example/"
    lists = FakeUrlLists()
    assert dropped(of_urls(*urls), qtbot, lists) == (True, [], [])
    assert dropped(of_urls("file:///a/list.CSV"), qtbot, lists) == (True, [], [])
    assert lists.taken == ["\n".join(urls), Path("/a/list.CSV")]
    assert dropped(of_text(" https://a.example/x\n"), qtbot) == (True, [], ["https://a.example/x"])


def test_the_beginning_of_a_long_dropped_text_decides_whether_it_is_a_list(qtbot: QtBot) -> None:
    """Whoever looked at each word would hold up the window; the list names what is none."""
    lists = FakeUrlLists()
    text = " ".join(f"https://a.example/{n}" for n in range(10_000)) + " and words"
    assert dropped(of_text(text), qtbot, lists) == (True, [], [])
    assert lists.taken == [text]
    assert dropped(of_text("and words " + text), qtbot) == (False, [], [])


@pytest.mark.parametrize("text", ["", "just words", "https://a.example/ and words"])
def test_other_dropped_data_is_refused(text: str, qtbot: QtBot) -> None:
    assert dropped(of_text(text), qtbot) == (False, [], [])
    assert dropped(of_urls("file:///a/x.pdf"), qtbot) == (False, [], [])


def test_errors_are_shown_without_their_long_path(qtbot: QtBot) -> None:
    row = ProjectRow(RecentProject(PATH, "https://example.com/"))
    qtbot.addWidget(row)
    row.show_glance(
        ProjectInfo(PATH, trouble=Translatable("{path} is damaged.", {"path": str(PATH)}))
    )
    assert row.state_text() == "This project is damaged."


def test_a_row_keeps_the_focus_while_the_list_is_refreshed(
    recent: RecentProjects,
) -> None:
    projects = [RecentProject(PATH, "https://example.com/")]
    recent.show_projects(projects)
    before = recent.rows[0]
    recent.show_projects(list(projects))
    assert recent.rows == [before]
    recent.show_projects([])
    assert recent.rows == []
    assert recent.isHidden()


def test_the_window_starts_whatever_path_is_remembered(play: Play, tmp_path: Path) -> None:
    there = tmp_path / "there.gossamer"
    there.touch()
    memory = UiState(tmp_path / "window.ini")
    for path in (there, tmp_path / ("x" * 300), tmp_path / "gone.gossamer"):
        memory.remember_project(path, "a.example")
    memory.flush()

    async def scene(stage: Stage) -> None:
        menu = stage.window.action_set.submenu(WindowAction.OPEN_RECENT)
        await until(lambda: len(menu.actions()) == 1)

    play(scene)
