"""The images of a page in the details: sizes as written, displayed and intrinsic; the picture."""

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.file_lists import LinkedFile
from gossamer.gui.details.image_pane import reason_not_shown
from gossamer.gui.details.images_view import ImagesView
from gossamer.gui.details.thumbnails import MAX_SIDE, Thumbnail, thumbnail
from gossamer.model.errors import UsageError
from gossamer.model.link_traits import LinkTrait
from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.messages.page_image_messages import (
    ImageFile,
    ImageFormat,
    PageImage,
    PageImages,
)
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import RenderedImage, RenderingDetails
from tests.fakes.project_rows import FakeRows
from tests.gui.conftest import Play
from tests.gui.desk import BASE, DetailsDesk, add_image, table_of
from tests.gui.stage import Stage, until

READ = PageFetchOutcome(Outcome.FILE, 200, is_read=True)
A, B = f"{BASE}/a.png", f"{BASE}/b.png"
_WRITTEN, _INTRINSIC, _DISPLAYED = 2, 3, 4


def encoded(width: int, height: int, kind: ImageFormat = ImageFormat.PNG) -> bytes:
    picture = QImage(width, height, QImage.Format.Format_RGB32)
    picture.fill(QColor("teal"))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert picture.save(buffer, kind.value)  # type: ignore[call-overload]  # any str, too
    return bytes(data.data())


def image_file(
    url: str, body: bytes, kind: ImageFormat | None = ImageFormat.PNG, content_type: str = ""
) -> ImageFile:
    return ImageFile(0, url, READ, content_type, len(body), kind, body)


@pytest.fixture
def desk(details_desk: DetailsDesk) -> DetailsDesk:
    """The details are enough here."""
    return details_desk


def show_images(desk: DetailsDesk, traits: int = 0) -> ImagesView:
    """Three images; `traits` are those of the first."""
    add_image(desk.rows, "a.png", "A web", traits, status=200, size_bytes=2048)
    add_image(desk.rows, "b.png", "", LinkTrait.NO_ALT | LinkTrait.NO_SIZE, status=404)
    add_image(desk.rows, "c.png", "", 0, status=200)
    desk.details.select_url(1)
    view = desk.details.views.images
    desk.details.tabs.bring_to_front(DetailViews.images)
    desk.until(lambda: view.table.rows.rowCount() == 3 and view.bar.button.isEnabled())
    return view


def two_images() -> list[LinkedFile]:
    rows = FakeRows()
    rows.add(f"{BASE}/")
    for name in ("a.png", "b.png"):
        add_image(rows, name, "", 0)
    return [LinkedFile(link, None) for link in rows.links]


def column(view: ImagesView, place: int) -> list[str]:
    return [row[place] for row in table_of(view.table.rows, view.table.rows.rowCount(), place + 1)]


def test_images_are_listed_with_alt_text_sizes_and_place(desk: DetailsDesk) -> None:
    view = show_images(desk)
    assert table_of(view.table.rows, 3, 7) == [
        [A, "A web", "both given", "", "", "2.0 KiB", "200"],
        [B, "no alt attribute", "missing", "", "", "", "404"],
        [f"{BASE}/c.png", "(empty)", "both given", "", "", "", "200"],
    ]
    assert column(view, 8)[0] == "Content"
    assert view.pane.facts.text() == "The selected image is shown here once it is fetched."


def test_rendered_images_tell_where_the_file_is_larger_than_its_place(desk: DetailsDesk) -> None:
    desk.rows.renderings[1] = RenderingDetails(
        images=[
            RenderedImage(A, 1200, 800, 30, 20),
            RenderedImage(f"{A}#x", 1200, 800, 300, 200),
            RenderedImage(A, 1200, 800, 900, 900, is_background=True),
            RenderedImage(B, 40, 40, 0, 0),
        ],
    )
    view = show_images(desk, LinkTrait.WRONG_SIZE)
    assert column(view, _INTRINSIC) == [
        "1200 \N{MULTIPLICATION SIGN} 800",
        "40 \N{MULTIPLICATION SIGN} 40",
        "",
    ]
    assert column(view, _DISPLAYED) == [
        "300 \N{MULTIPLICATION SIGN} 200 · file is larger",
        "not visible",
        "",
    ]


def test_sizes_as_written_stand_in_the_rows_of_their_images(desk: DetailsDesk) -> None:
    desk.rows.link(1, 1, element="img")
    view = show_images(desk)
    page = PageImages(
        0,
        f"{BASE}/",
        READ,
        [
            PageImage([("img", A), ("img srcset", B)], "640", None, "lazy"),
            PageImage([("img", B)], "", ""),
            PageImage([("img", B)], "5", "5"),
        ],
    )
    view.show_images(page)
    assert column(view, _WRITTEN) == [
        "640 \N{MULTIPLICATION SIGN} \N{EN DASH}",
        "missing",
        "both given",
    ]
    assert view.bar.state.text() == "3 images in the source of the page"
    view.show_images(PageImages(0, "https://example.com/other", READ, []))
    assert column(view, _WRITTEN)[0] == "640 \N{MULTIPLICATION SIGN} \N{EN DASH}"
    view.show_images(PageImages(0, f"{BASE}/", READ, [], is_cut=True))
    assert column(view, _WRITTEN) == ["both given", "missing", "both given"]
    assert view.bar.state.text().endswith("only the first part was read")


def test_page_that_cannot_be_read_says_why(desk: DetailsDesk) -> None:
    view = show_images(desk)
    view.show_images(PageImages(0, f"{BASE}/", PageFetchOutcome(Outcome.BLOCKED_BY_ROBOTS)))
    assert "robots.txt" in view.bar.state.text()


def test_selected_images_are_fetched_one_after_the_other(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        view = stage.window.workspace.details.views.images
        inspection = session.inspection
        inspection.image_files[A] = image_file(A, encoded(1024, 256))
        view._url = f"{BASE}/"  # noqa: SLF001 - no crawl fills this project
        view.table.rows._append(two_images())  # noqa: SLF001 - likewise
        inspection.gate.clear()
        view.bar.button.click()
        await until(lambda: len(inspection.asked) == 1)
        assert view.bar.button.text() == "Stop"
        inspection.gate.set()
        await until(lambda: column(view, _INTRINSIC)[0] != "")
        assert inspection.asked == [(f"{BASE}/", "", "images"), (A, "image")]
        assert column(view, _INTRINSIC)[0] == "1024 \N{MULTIPLICATION SIGN} 256"
        assert view.pane.facts.text().startswith("PNG · 1024 \N{MULTIPLICATION SIGN} 256 px · ")
        view.table.select_only(1)
        await until(lambda: "time" in view.pane.facts.text().lower())
        assert view.pane.picture.isHidden()
        view.table.select_only(0)
        assert not view.pane.picture.isHidden()
        assert len(inspection.asked) == 3
        inspection.error = UsageError("This crawl needs something.")
        view.fetch()
        await until(lambda: view.pane.facts.text() == "This crawl needs something.")
        assert not view.bar.is_waiting
        inspection.error = None
        inspection.gate.clear()
        view.fetch()
        view.bar.button.click()
        assert not view.bar.is_waiting
        view.table.select_only(1)
        assert not view.bar.is_waiting

    play(scene)


def test_image_chosen_while_another_is_fetched_comes_next(desk: DetailsDesk) -> None:
    view = show_images(desk)
    asked: list[str] = []
    view.file_wanted.connect(asked.append)
    view.fetch()
    view.show_images(PageImages(0, f"{BASE}/", READ))
    view.table.select_only(1)
    view.table.select_only(2)
    assert asked == [A]
    body = encoded(10, 10)
    view.show_file(image_file(A, body), thumbnail(image_file(A, body)))
    assert asked == [A, f"{BASE}/c.png"]


def test_pictures_are_small_and_know_the_size_of_the_image() -> None:
    for kind in (ImageFormat.PNG, ImageFormat.JPEG, ImageFormat.WEBP, ImageFormat.BMP):
        shown = thumbnail(image_file(A, encoded(2000, 1000, kind), kind))
        assert (shown.width, shown.height) == (2000, 1000)
        assert shown.picture is not None
        assert shown.picture.size().toTuple() == (MAX_SIDE, MAX_SIDE // 2)
    narrow = thumbnail(image_file(A, encoded(5000, 1)))
    assert narrow.picture is not None
    small = thumbnail(image_file(A, encoded(16, 16, ImageFormat.ICO), ImageFormat.ICO))
    assert (small.width, small.height) == (16, 16)


@pytest.mark.qt_log_ignore("Not a JPEG file")
def test_files_are_decoded_as_what_they_are_and_nothing_else() -> None:
    body = encoded(10, 10)
    assert thumbnail(image_file(A, body, ImageFormat.JPEG)) == Thumbnail()
    assert thumbnail(image_file(A, body[:20])) == Thumbnail()
    cut = thumbnail(image_file(A, encoded(300, 300)[:-40]))
    assert cut.width in {0, 300}
    header = body[:16] + (60_000).to_bytes(4) * 2 + body[24:]
    assert thumbnail(image_file(A, header)).picture is None


def test_drawings_are_drawn_where_that_is_harmless() -> None:
    body = (
        b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 2'>"
        b"<rect width='4' height='2' fill='#ff0000'/></svg>"
    )
    file = ImageFile(0, A, READ, "", len(body), ImageFormat.SVG, body, width=40, height=20)
    shown = thumbnail(file)
    assert shown.picture is not None
    assert shown.picture.pixelColor(20, 10) == QColor("red")
    assert shown.picture.size().toTuple() == (40, 20)
    doubtful = ImageFile(0, A, READ, "", 9, ImageFormat.SVG, width=40, height=20)
    assert thumbnail(doubtful) == Thumbnail(40, 20)
    assert "plain shapes" in reason_not_shown(doubtful, thumbnail(doubtful))


def test_each_reason_for_which_an_image_is_not_shown_is_a_sentence() -> None:
    def reason(file: ImageFile, shown: Thumbnail | None = None) -> str:
        return reason_not_shown(file, shown or Thumbnail())

    gone = PageFetchOutcome(Outcome.CLIENT_ERROR, 404)
    assert "not found" in reason(ImageFile(0, A, gone)).lower()
    assert "robots.txt" in reason(ImageFile(0, A, PageFetchOutcome(Outcome.BLOCKED_BY_ROBOTS)))
    large = ImageFile(0, A, PageFetchOutcome(Outcome.FILE_INCOMPLETE, 200), is_too_large=True)
    assert reason(large) == "Files of more than 10.0 MiB are not shown."
    assert reason(ImageFile(0, A, PageFetchOutcome(Outcome.FILE, 200))) == "The file is empty."
    page = image_file(A, b"", None, "text/html")
    assert reason(page) == "The file is not an image of a known format.\ntext/html"
    avif = image_file(A, b"", ImageFormat.AVIF)
    assert reason(avif) == "AVIF images cannot be shown here."
    damaged = image_file(A, b"x")
    assert reason(damaged) == "The file is damaged: it cannot be decoded."
    assert "too many pixels" in reason(damaged, Thumbnail(9, 9, is_too_wide=True))
