"""The export dialog: writes on a thread, shows how far, never overwrites unasked."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from app.export.selection import ExportView
from app.gui.export_dialog import ExportDialog
from app.gui.exporting import export_view
from app.gui.tasks import Tasks
from app.model.errors import OutputError
from app.model.settings import CrawlSettings
from app.store import project
from tests.gui.conftest import Run
from tests.gui.stage import until


class FakeExporter:
    """Reports half, waits for `go`, and then writes or notices that it was cancelled."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.error: OutputError | None = None
        self.thread = ""
        self.view = ""

    def __call__(
        self,
        project: Path,
        view: str,
        out: Path,
        *,
        on_progress: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> int | None:
        del project
        self.thread, self.view = threading.current_thread().name, view
        on_progress(617, 1234)
        self.go.wait(5)
        if self.error is not None:
            raise self.error
        if is_cancelled():
            return None
        out.write_text("x", "utf-8")
        return 1234


class Opened:
    """An export dialog with what it talks to."""

    def __init__(self, folder: Path, tasks: Tasks) -> None:
        self.exporter = FakeExporter()
        self.out = folder / "out.csv"
        self.dialog = ExportDialog(folder / "example.gossamer", self.exporter, tasks)
        self.dialog.path.setText(str(self.out))
        self.dialog.show()

    def text(self) -> str:
        return self.dialog.message.text()


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Opened]:
    async with asyncio.TaskGroup() as group:
        result = Opened(folder, Tasks(group, print, print))
        yield result
        result.exporter.go.set()
    result.dialog.close()


def test_the_whole_way(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.dialog.view.setCurrentIndex(scene.dialog.view.findData("links"))
            scene.dialog.path.setText(str(scene.out))
            scene.dialog.export()
            await until(lambda: scene.dialog.share() == 617 / 1234)
            assert not scene.out.exists()
            scene.exporter.go.set()
            await until(lambda: scene.text() != "")
            assert scene.text() == "1,234 rows are in out.csv."
            assert scene.dialog.message.answer("Open folder").isVisible()
            assert scene.exporter.view == "links"
            assert scene.exporter.thread.startswith("window")

    run(main())


def test_cancel_ends_the_export_and_keeps_the_dialog(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.dialog.export()
            await until(lambda: scene.dialog.share() > 0)
            scene.dialog.reject()
            assert scene.dialog.isVisible()
            scene.exporter.go.set()
            await until(lambda: "nothing was written" in scene.text())
            assert not scene.out.exists()

    run(main())


def test_a_place_that_cannot_be_written_is_one_sentence(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.error = OutputError("The folder is read-only; choose another.")
            scene.exporter.go.set()
            scene.dialog.export()
            await until(lambda: scene.text() == "The folder is read-only; choose another.")

    run(main())


def test_a_file_that_exists_is_replaced_only_when_asked(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.out.write_text("old", "utf-8")
            scene.exporter.go.set()
            scene.dialog.export()
            assert "exists already" in scene.text()
            assert scene.exporter.view == ""
            scene.dialog.message.answer("Replace").click()
            await until(lambda: "rows" in scene.text())
            assert scene.out.read_text("utf-8") == "x"

    run(main())


def test_no_name_is_no_export(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.dialog.path.setText("  ")
            scene.dialog.export()
            assert scene.text() == "Name a file to write to."

    run(main())


def test_the_suggested_name_follows_the_view_until_one_is_typed(
    run: Run[None], tmp_path: Path
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            dialog = scene.dialog
            dialog.view.setCurrentIndex(dialog.view.findData("errors"))
            assert Path(dialog.path.text()).name == "example errors.csv"
            dialog.path.textEdited.emit("mine.csv")
            dialog.view.setCurrentIndex(dialog.view.findData("pages"))
            assert dialog.path.text() == "mine.csv"

    run(main())


def test_the_real_exporter_knows_every_view_of_the_dialog(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        made = tmp_path / "real.gossamer"
        project.create(made, CrawlSettings(roots=("http://example.com/",)))
        async with opened(tmp_path) as scene:
            view = scene.dialog.view
            names = [view.itemData(n) for n in range(view.count())]
            assert set(names) == set(ExportView)
            names.remove(ExportView.SITEMAP_CHECK)  # without a sitemap there is nothing to compare
            names.remove(ExportView.REPORT)  # which is no table
            for name in names:
                out = tmp_path / f"{name}.csv"
                rows = export_view(
                    made,
                    name,
                    out,
                    on_progress=lambda _done, _total: None,
                    is_cancelled=lambda: False,
                )
                assert rows == 0
                assert out.read_text("utf-8-sig")
            cancelled = export_view(
                made,
                "pages",
                tmp_path / "none.csv",
                on_progress=lambda _done, _total: None,
                is_cancelled=lambda: True,
            )
            assert cancelled is None
            assert not (tmp_path / "none.csv").exists()

    run(main())
