"""Web archives are imported in the window: chosen, dropped, or named when it is opened."""

import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.session_interfaces import SessionFactoryPort, SessionPort
from gossamer.gui.shell.import_controller import ImportCancelled, read_archives
from gossamer.model.archive_source import LAST_CAPTURE, ArchiveSource
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.archive_import import archive_source
from gossamer.store.archive_index import index_path
from tests.fakes.warc import SITE, http, page, record, write_warc
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    answers = [record(f"{SITE}/", http(page("Home", "/a"))), record(f"{SITE}/a", http(page("A")))]
    return write_warc(tmp_path / "site {1}.warc.gz", answers)


async def imported(stage: Stage, *archives: Path) -> None:
    """Wait until these archives are crawled as one."""
    await until(lambda: bool(stage.sessions.made) and "start" in stage.session.asked)
    source = ArchiveSource(tuple(map(str, archives)))
    assert stage.session.settings.source == source
    assert stage.session.settings.roots == (f"{SITE}/",)
    assert stage.message("import") == ""


def test_chosen_archives_are_crawled_with_the_settings_of_the_next_crawl(
    play: Play, archive: Path, tmp_path: Path
) -> None:
    other = write_warc(tmp_path / "other.warc", [record(f"{SITE}/b", http(page("B")))])

    async def scene(stage: Stage) -> None:
        stage.window.next_crawl.set(max_depth=3, cluster="local:2")
        button = stage.window.start_page.findChild(QPushButton, "start-import")
        assert isinstance(button, QPushButton)
        button.click()
        dialog = stage.window.findChild(QFileDialog, "import-archive")
        assert isinstance(dialog, QFileDialog)
        assert "*.wacz" in dialog.nameFilters()[0]
        dialog.filesSelected.emit([str(archive), str(other)])
        dialog.close()
        await imported(stage, archive, other)
        assert stage.session.settings.max_depth == 3
        assert stage.session.settings.cluster == "", "nodes do not have the files"

    play(scene)


def test_a_window_that_is_opened_with_an_archive_imports_it(play: Play, archive: Path) -> None:
    async def scene(stage: Stage) -> None:
        await imported(stage, archive)

    play(scene, str(archive))


def test_a_url_that_ends_like_an_archive_is_crawled(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await until(lambda: bool(stage.sessions.made))
        assert stage.session.settings.source is None

    play(scene, "https://example.com/site.warc.gz")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.wacz", None, "does not exist"),
        ("text.warc", b"no archive at all", "is not a web archive"),
        ("cut.wacz", b"PK\x03\x04 cut", "is a damaged ZIP file"),
        ("empty.warc.gz", b"", "is not a web archive"),
    ],
)
def test_a_file_that_cannot_be_imported_is_told(
    play: Play, tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)

    async def scene(stage: Stage) -> None:
        await until(lambda: sentence in stage.window.start_page.message.text())
        assert stage.sessions.made == []
        assert stage.message("import") == ""

    play(scene, str(tmp_path / name))


def test_an_archive_without_a_page_is_told(play: Play, tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc", [record(f"{SITE}/a", http("", "404 Not Found"))])

    async def scene(stage: Stage) -> None:
        await until(lambda: "no HTML page" in stage.window.start_page.message.text())

    play(scene, str(path))


def test_damage_is_told_and_the_rest_imported(play: Play, archive: Path) -> None:
    archive.write_bytes(archive.read_bytes() + b"\x1f\x8b\x08 damaged")

    async def scene(stage: Stage) -> None:
        await imported(stage, archive)
        await until(lambda: "which were skipped: 1." in stage.message("import-damage"))
        assert "be read: 2." in stage.message("import-damage")

    play(scene, str(archive))


def test_the_crawl_shown_is_put_aside(play: Play, archive: Path) -> None:
    async def scene(stage: Stage) -> None:
        first = await stage.start()
        assert stage.window.action_set[WindowAction.IMPORT].isEnabled()
        stage.window.crawl_target(str(archive))
        await until(lambda: len(stage.sessions.made) == 2)
        await imported(stage, archive)
        assert first.asked[-1] == "close"

    play(scene)


def test_an_import_that_ends_while_another_project_is_opened_begins_after_that(
    play: Play, archive: Path
) -> None:
    async def scene(stage: Stage) -> None:
        asked, may_open = threading.Event(), threading.Event()

        def opened_slowly(sessions: SessionFactoryPort) -> SessionPort:
            asked.set()
            may_open.wait()
            return sessions.create(CrawlSettings(roots=("other.example",)))

        stage.crawl.begin(opened_slowly)
        await until(asked.is_set)
        stage.window.crawl_target(str(archive))
        await until(lambda: "import" in stage.tasks.names())
        await until(lambda: "import" not in stage.tasks.names())
        may_open.set()
        await until(lambda: len(stage.sessions.made) == 2)
        await imported(stage, archive)

    play(scene)


def test_reading_ends_when_it_is_cancelled_and_leaves_nothing(archive: Path) -> None:
    source = archive_source([archive], LAST_CAPTURE, unlinked=True)
    with pytest.raises(ImportCancelled):
        read_archives(source, lambda _done, _of: None, lambda: True)
    assert not index_path([archive]).exists()
    told: list[tuple[int, int]] = []
    read_archives(source, lambda done, of: told.append((done, of)), lambda: False)
    assert told
    assert index_path([archive]).exists()
