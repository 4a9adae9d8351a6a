"""Projects as things in the window: copied, crawled once more, deleted, rescued."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.runtime.file_checks import existing
from gossamer.store.database import damaged as error_of
from gossamer.store.project import check
from tests.fakes.damage import crawled_site, zeroed
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


async def choose(stage: Stage, action: QAction, name: str, path: Path) -> None:
    """Choose an action, and a file in the dialog it opens."""
    action.trigger()
    await pick(stage, name, path)


async def pick(stage: Stage, name: str, path: Path) -> None:
    await until(lambda: bool(stage.window.findChildren(QFileDialog, name)))
    dialog = stage.window.findChild(QFileDialog, name)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_a_copy_is_saved_while_it_runs(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        menus, target = stage.window.action_set, tmp_path / "copy.gossamer"
        assert not menus[WindowAction.SAVE_COPY].isEnabled()
        await stage.start()
        await choose(stage, menus[WindowAction.SAVE_COPY], "new-project", target)
        await until(lambda: "A copy was saved as" in stage.message("copy"))
        check(target)
        assert stage.session.asked == ["start"]

    play(scene)


def test_a_copy_does_not_overwrite_another_file(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        await choose(
            stage, stage.window.action_set[WindowAction.SAVE_COPY], "new-project", session.path
        )
        await until(lambda: "already exists" in stage.message("crawl"))
        assert stage.message("copy") == ""

    play(scene)


def test_a_new_crawl_copies_roots_and_settings(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.start_page.workers.setValue(31)
        first = await stage.start("example.com https://other.example/a")
        stage.trigger(WindowAction.DUPLICATE)
        await until(stage.window.start_page.isVisible)
        assert stage.window.start_page.url() == "example.com https://other.example/a"
        stage.window.start_page.submitted.emit()
        await until(lambda: len(stage.sessions.made) == 2)
        assert stage.session.settings == first.settings
        assert stage.session.path != first.path

    play(scene)


def test_a_project_is_deleted_after_a_second_confirmation(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        for button, there in (("Cancel", True), ("Delete", False)):
            stage.trigger(WindowAction.DELETE)
            box = stage.window.findChild(QMessageBox, "delete-project")
            assert isinstance(box, QMessageBox)
            assert not box.isModal()
            next(b for b in box.buttons() if b.text().strip("&") == button).click()
            if not there:
                await until(stage.window.start_page.isVisible)
            assert session.path.exists() is there
        assert session.asked == ["start", "close"]
        assert not existing(project.path for project in stage.memory.projects())
        await until(lambda: "unfinished crawl" not in stage.tasks.names())
        assert stage.message("unfinished") == ""

    play(scene)


def test_a_damaged_project_is_rescued(play: Play, tmp_path: Path) -> None:
    damaged, target = tmp_path / "damaged.gossamer", tmp_path / "new.gossamer"
    with crawled_site(damaged):
        pass
    zeroed(damaged)

    async def scene(stage: Stage) -> None:
        await choose(stage, stage.window.action_set[WindowAction.RESCUE], "open-project", damaged)
        await pick(stage, "new-project", target)
        await until(lambda: str(target) in stage.message("rescue"))
        check(target)

    play(scene)


def test_a_damaged_project_that_cannot_be_opened_offers_its_rescue(
    play: Play, tmp_path: Path
) -> None:
    damaged, target = tmp_path / "damaged.gossamer", tmp_path / "new.gossamer"
    with crawled_site(damaged):
        pass
    zeroed(damaged)

    async def scene(stage: Stage) -> None:
        page = stage.window.start_page
        stage.sessions.refusal = error_of(damaged)
        stage.crawl.open(damaged)
        await until(lambda: "is damaged" in page.message.text())
        assert "gossamer rescue" not in page.message.text(), "here is a button"
        stage.sessions.refusal = None
        page.message.answer("Rescue…").click()
        await pick(stage, "new-project", target)
        await until(lambda: str(target) in stage.message("rescue"))
        assert "Lost: " in stage.message("rescue")
        assert "will fetch" in stage.message("rescue")
        stage.answer("rescue", "Open")
        await until(stage.window.workspace.isVisible)
        assert stage.session.path == target

    play(scene)


def test_diagnostics_are_copied_to_the_clipboard(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        stage.trigger(WindowAction.COPY_DIAGNOSTICS)
        await until(lambda: "clipboard" in stage.message("diagnostics"))
        assert f"Project {session.path.name}" in QGuiApplication.clipboard().text()

    play(scene)


def test_the_suggested_name_of_a_copy_is_a_valid_file_name(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        odd = tmp_path / ("con.\u202e" + "漢" * 80 + ".gossamer")
        await choose(stage, stage.window.action_set[WindowAction.RESCUE], "open-project", odd)
        await until(lambda: bool(stage.window.findChildren(QFileDialog, "new-project")))
        dialog = stage.window.findChild(QFileDialog, "new-project")
        assert isinstance(dialog, QFileDialog)
        (chosen,) = dialog.selectedFiles()
        assert Path(chosen).name.startswith("_con.-漢")
        assert Path(chosen).name.endswith("漢 rescued.gossamer")
        dialog.close()

    play(scene)


def test_the_open_dialog_starts_in_the_projects_folder(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr("gossamer.session.default_paths.projects_folder", lambda: kept)

    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.OPEN)
        dialog = stage.window.findChild(QFileDialog, "open-project")
        assert dialog is not None
        assert Path(dialog.directory().absolutePath()) == kept
        dialog.close()

    play(scene)
