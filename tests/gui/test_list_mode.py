"""Crawling a list: pasted, from a file, from the clipboard; what is in it, and what is done."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.shell import crawl_presenter
from gossamer.gui.start.root_field import Roots
from gossamer.gui.start.url_list_dialog import MAX_SHOWN, NAME, UrlListDialog
from gossamer.model.crawl_state import CrawlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls.url_parsing import parse_root
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


def dialog_of(stage: Stage) -> UrlListDialog:
    dialog = stage.window.findChild(UrlListDialog, NAME)
    assert dialog is not None
    return dialog


def wrong_lines(dialog: UrlListDialog) -> str:
    return "" if dialog.wrong.isHidden() else dialog.wrong.text()


def test_a_pasted_url_list_is_counted_and_crawled_without_following_links(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        field = stage.window.start_page.root_field
        QTest.mouseClick(field.list, Qt.MouseButton.LeftButton)
        dialog = dialog_of(stage)
        assert not dialog.start.isEnabled()
        QGuiApplication.clipboard().setText("a.test\nnot a url\na.test/\nexämple.com/x\n")
        dialog.paste.click()
        await until(dialog.start.isEnabled)
        assert dialog.count.text() == "2 URLs · 1 duplicate"
        assert theme.colour("error").alpha() == 255, "the tint of such lines is theirs alone"
        assert wrong_lines(dialog) == "1 invalid line: 2"
        assert field.summary.text() == "2 URLs · only these · 1 line left out"
        assert dialog.only.isChecked()
        dialog.next.click()
        assert dialog.edit.textCursor().selectedText() == "not a url"
        assert dialog.message.text().startswith('Line 2: "not a url" is not a URL')
        dialog.start.click()
        await until(lambda: bool(stage.sessions.made))
        assert stage.session.settings.roots == ("a.test", "exämple.com/x")
        assert stage.session.settings.list_only
        assert stage.memory.urls() == []
        bar = stage.window.top_bar
        await until(bar.isVisible)
        assert bar.root_field.summary.text().startswith("2 URLs · only these")
        assert bar.root_field.summary.isVisible()

    play(scene)


def test_a_url_list_can_be_the_roots_of_a_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.window.start_page
        stage.window.start_page.root_field.list.click()
        dialog = dialog_of(stage)
        dialog.show_text("a.test\nb.test")
        dialog.follow.click()
        dialog.accept()
        assert page.root_field.summary.text() == "2 URLs · crawl from these"
        page.submitted.emit()
        await until(lambda: bool(stage.sessions.made))
        assert stage.session.settings.roots == ("a.test", "b.test")
        assert not stage.session.settings.list_only

    play(scene)


def test_list_mode_is_not_kept_for_the_next_site(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog_of(stage).show_text("a.test\nb.test")
        dialog_of(stage).start.click()
        await stage.shows("Crawling")
        stage.session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.trigger(WindowAction.NEW)
        await until(stage.window.start_page.isVisible)
        assert stage.window.start_page.root_field.site.isChecked()
        session = await stage.start("c.test")
        assert session.settings.roots == ("c.test",)
        assert not session.settings.list_only

    play(scene)


def test_a_list_file_is_read_and_its_errors_are_reported(play: Play, tmp_path: Path) -> None:
    good, bad = tmp_path / "list.txt", tmp_path / "list.bin"
    good.write_text("a.test\nb.test c.test\n")
    bad.write_bytes(b"\xff\xfe\x00\x81")

    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog = dialog_of(stage)
        dialog.file.click()
        chooser = dialog.findChild(QFileDialog, "open-list")
        assert chooser is not None
        chooser.fileSelected.emit(str(good))
        chooser.close()
        await until(dialog.start.isEnabled)
        assert dialog.count.text() == "3 URLs"
        dialog.file_wanted.emit(bad)
        await until(lambda: bool(dialog.message.text()))
        assert "is not a text file" in dialog.message.text()
        assert dialog.count.text() == "3 URLs", "what there was is not lost"

    play(scene)


def test_lines_pasted_into_the_address_are_a_list(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        line = stage.window.start_page.url_field.lineEdit()
        assert line is not None
        QGuiApplication.clipboard().setText("a.test/1\na.test/2\n")
        line.paste()
        assert dialog_of(stage).edit.toPlainText() == "a.test/1\na.test/2\n"
        assert stage.window.start_page.url() == ""
        assert stage.window.start_page.root_field.list.isChecked()

    play(scene)


def test_a_thousand_urls_are_parsed_in_chunks(play: Play) -> None:
    lines = [f"https://a.test/{n}" for n in range(1_000)]

    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog = dialog_of(stage)
        dialog.show_text("\n".join(lines))
        assert stage.window.start_page.root_field.summary.text() == "Reading the list…"
        assert not dialog.start.isEnabled(), "the click that brought them is over before they are"
        await until(dialog.start.isEnabled)
        assert dialog.count.text() == "1,000 URLs"

    play(scene)


def test_only_the_beginning_of_a_very_long_list_is_shown(play: Play) -> None:
    text = "\n".join(["a.test/" + "x" * 1000] * (MAX_SHOWN // 1000))

    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog = dialog_of(stage)
        dialog.show_text(text)
        assert dialog.edit.isReadOnly()
        assert len(dialog.edit.toPlainText()) < MAX_SHOWN
        await until(dialog.start.isEnabled)
        assert dialog.count.text() == f"1 URL · {MAX_SHOWN // 1000 - 1:,} duplicates"
        dialog.clear.click()
        assert not dialog.edit.isReadOnly()

    play(scene)


def test_only_the_beginning_of_a_very_long_line_is_shown(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog = dialog_of(stage)
        dialog.show_text("a.test/" + "x" * MAX_SHOWN)
        assert dialog.edit.toPlainText().startswith("a.test/x")
        assert len(dialog.edit.toPlainText()) < MAX_SHOWN

    play(scene)


def test_pasted_urls_are_added_to_the_whole_of_a_very_long_list(play: Play) -> None:
    text = "\n".join(f"a.test/{n}/{'x' * 1000}" for n in range(MAX_SHOWN // 1000))

    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog = dialog_of(stage)
        dialog.show_text(text)
        QGuiApplication.clipboard().setText("b.test")
        dialog.paste.click()
        await until(dialog.start.isEnabled)
        assert dialog.count.text() == f"{MAX_SHOWN // 1000 + 1:,} URLs"

    play(scene)


def test_an_invalid_typed_url_is_reported_and_discarded(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.window.start_page
        for typed in ("exa mple.com", "not a url"):
            page.url_field.setEditText(typed)
            page.submitted.emit()
            assert f'"{typed}" is not a URL' in page.message.text()
            assert stage.sessions.made == []
            assert stage.memory.urls() == []

    play(scene)


def test_a_new_crawl_with_these_settings_has_the_same_list(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        window.start_page.root_field.list.click()
        dialog_of(stage).show_text("a.test\nb.test")
        dialog_of(stage).start.click()
        await stage.shows("Crawling")
        stage.session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        window.action_set[WindowAction.DUPLICATE].trigger()
        await until(window.start_page.isVisible)
        assert window.start_page.root_field.summary.text() == "2 URLs · only these"

    play(scene)


def test_a_list_is_parsed_again_as_it_is_typed() -> None:
    roots = Roots()
    told: list[int] = []
    roots.changed.connect(lambda: told.append(len(roots.found.addresses)))
    roots.take("a.test")
    roots.take("a.test\nb.test")
    roots.take("a.test\nb.test")
    assert told[-1] == 2
    assert not roots.reading
    assert len(told) == 4


def test_a_crawled_list_is_shown_without_being_parsed_again(play: Play) -> None:
    """Fifty thousand addresses would take half a second; they are told by their number."""
    many = tuple(f"https://a.test/{n}" for n in range(50_000))

    async def scene(stage: Stage) -> None:
        stage.sessions.stored = CrawlSettings(roots=many, list_only=True)
        await stage.start("kept.test")
        path = stage.session.path.with_name("list.gossamer")
        path.touch()
        stage.crawl.open(path)
        await until(lambda: stage.window.windowTitle() == "a.test and 49,999 more — Gossamer")
        roots = stage.window.top_bar.root_field.roots
        assert not roots.reading
        assert roots.found.addresses == many
        field = stage.window.top_bar.root_field
        assert field.summary.text() == "50,000 URLs · only these"
        assert stage.window.top_bar.url() == ""

    play(scene)


def test_showing_a_crawl_does_not_scan_its_long_list(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []

    def look(root: str) -> str:
        looked_at.append(root)
        return parse_root(root)

    monkeypatch.setattr(crawl_presenter, "parse_root", look)
    lines = [f"http://a.test/{n}" for n in range(2_000)]

    async def scene(stage: Stage) -> None:
        stage.window.start_page.root_field.list.click()
        dialog_of(stage).show_text("\n".join(lines))
        await until(dialog_of(stage).start.isEnabled)
        dialog_of(stage).start.click()
        await stage.shows("Crawling")
        assert 0 < len(looked_at) < 1_000
        assert stage.window.workspace.table.view.home == "http://a.test"

    play(scene)
