"""Memory: bounded, forgiving, and never a window where nobody can reach it."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.runtime.file_checks import existing, is_file, is_folder
from gossamer.gui.runtime.saved_ui_state import MAX_PROJECTS, MAX_URLS, UiState, UnfinishedCrawl


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "window.ini"


def again(memory: UiState, file: Path) -> UiState:
    """The memory of the next start."""
    memory.flush()
    return UiState(file)


def test_without_saved_state_the_defaults_apply(file: Path) -> None:
    memory = UiState(file)
    assert memory.urls() == []
    assert memory.projects() == []
    assert memory.unfinished() is None
    assert memory.theme() == "system"


def test_the_history_is_bounded_newest_first_and_without_repeats(file: Path) -> None:
    memory = UiState(file)
    for n in range(MAX_URLS + 5):
        memory.remember_url(f"site-{n}.example")
    memory.remember_url("site-10.example")
    urls = again(memory, file).urls()
    assert len(urls) == MAX_URLS
    assert urls[:2] == ["site-10.example", f"site-{MAX_URLS + 4}.example"]
    assert len(set(urls)) == len(urls)


def test_an_address_with_commas_is_one_history_entry(file: Path) -> None:
    memory = UiState(file)
    memory.remember_url("https://example.com/a,b;c d")
    assert again(memory, file).urls() == ["https://example.com/a,b;c d"]


def test_the_latest_projects_are_remembered(file: Path, tmp_path: Path) -> None:
    memory = UiState(file)
    for n in range(MAX_PROJECTS + 3):
        (tmp_path / f"{n}.gossamer").touch()
        memory.remember_project(tmp_path / f"{n}.gossamer", f"{n}.example")
    (tmp_path / f"{MAX_PROJECTS}.gossamer").unlink()
    projects = again(memory, file).projects()
    assert projects[0].root == f"{MAX_PROJECTS + 2}.example"
    assert len(projects) == MAX_PROJECTS
    assert len(existing(project.path for project in projects)) == MAX_PROJECTS - 1


def test_an_unfinished_crawl_is_remembered_until_there_is_none(file: Path, tmp_path: Path) -> None:
    memory = UiState(file)
    crawl = UnfinishedCrawl(str(tmp_path / "a.gossamer"), "example.com")
    memory.remember_unfinished(crawl)
    assert again(memory, file).unfinished() == crawl
    memory.remember_unfinished(None)
    assert again(memory, file).unfinished() is None


@pytest.mark.parametrize("name", ["x" * 300, "\0"])
def test_nothing_is_at_a_path_that_cannot_be_looked_at(
    name: str, file: Path, tmp_path: Path
) -> None:
    memory, path = UiState(file), tmp_path / name
    memory.remember_project(path, "a.example")
    assert existing(project.path for project in memory.projects()) == set()
    assert not is_file(path)
    assert not is_folder(path)


@pytest.mark.parametrize("name", ["a\tb", "caf\udce9", "%41"])
def test_projects_with_unusual_names_are_remembered(name: str, file: Path, tmp_path: Path) -> None:
    memory = UiState(file)
    for path in (tmp_path / name, Path(name)):
        memory.remember_project(path, "a.example")
        assert again(memory, file).projects()[0].path == path


def test_no_crawl_is_offered_that_no_process_can_be_told_of(file: Path) -> None:
    memory = UiState(file)
    memory.remember_unfinished(UnfinishedCrawl("/a.gossamer", "a.example"))
    memory.remember_unfinished(UnfinishedCrawl("/caf\udce9.gossamer", "a.example"))
    assert memory.unfinished() is None


@pytest.mark.parametrize("text", ["[crawl", "[crawl]\nsettings={x\n[window]\ntheme=pink\n", "\0"])
def test_a_damaged_state_file_is_ignored(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    memory = UiState(file)
    assert memory.theme() == "system"
    assert memory.unfinished() is None


def test_a_panel_restores_its_saved_state(file: Path) -> None:
    memory = UiState(file)
    assert memory.panel("table") == b""
    memory.remember_panel("table", b'{"a": "\xff\x00"}')
    assert again(memory, file).panel("table") == b'{"a": "\xff\x00"}'


def test_a_window_saved_on_a_missing_screen_is_moved_onto_one(file: Path, qtbot: QtBot) -> None:
    memory = UiState(file)
    first, second = QMainWindow(), QMainWindow()
    for window in (first, second):
        qtbot.addWidget(window)
        assert not memory.restore_layout(window)
    first.resize(300, 200)
    first.move(9000, 9000)
    memory.remember_layout(first)
    assert again(memory, file).restore_layout(second)
    assert second.size() == first.size()
    assert second.screen().availableGeometry().contains(second.geometry())


def test_splitters_keep_their_positions(file: Path, qtbot: QtBot) -> None:
    def window() -> tuple[QMainWindow, QSplitter]:
        window, splitter = QMainWindow(), QSplitter()
        splitter.setObjectName("columns")
        for _ in range(2):
            splitter.addWidget(QWidget())
        window.setCentralWidget(splitter)
        window.resize(600, 400)
        qtbot.addWidget(window)
        window.show()
        return window, splitter

    memory = UiState(file)
    first, splitter = window()
    assert not memory.restore_layout(first)
    splitter.setSizes([150, 445])
    kept = splitter.sizes()
    memory.remember_layout(first)
    second, other = window()
    assert other.sizes() != kept
    assert again(memory, file).restore_layout(second)
    assert other.sizes() == kept
    other.setSizes([300, 295])
    again(memory, file).restore_splitters(second)
    assert other.sizes() == kept, "of a part that was made later"


def test_no_secret_is_saved(file: Path) -> None:
    memory = UiState(file)
    memory.remember_url(
        "https://jo.s:s3cret@a.example/x http://jo:s3cret@b.example/ http://c.example"
    )
    memory.remember_url("jo.s:s3cret@a.example/x http://jo:s3cret@b/ plain.example")
    memory.remember_url("https://jo:s3cret with s3cret@a.example/b c")
    memory.remember_url("http://jo:s3cret/s@a.example/")
    assert memory.urls() == [
        "https://a.example/b%20c",
        "https://a.example/x http://b.example/ http://c.example",
    ], "what is no address is not remembered: without its password, it may be another one"
    memory.flush()
    assert "s3cret" not in file.read_text("utf-8")
