"""What a real browser measures of pages that are made with known values."""

import csv
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import RULES
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.settings.rendering_choices import RenderDevice, RenderMode
from gossamer.render.mobile_layout import layout_flags
from gossamer.render.page_load_measurement import cumulative_layout_shift
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderJob, RenderLimits
from gossamer.store.reading.reader import Reader
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all, records
from tests.integration.shared_renderer import SharedRenderer
from tests.sites import Response, Site
from tests.sites.phone_pages import PHONE_PAGES

pytestmark = NEEDS_BROWSER
LONG = bool(os.environ.get("GOSSAMER_LONG_TESTS"))
HTML = [("Content-Type", "text/html; charset=utf-8")]
HEAD = "<!doctype html><title>x</title><style>*{margin:0}</style>"


def picture_of(width: int, height: int) -> bytes:
    """A PNG with enough in it to count as content: each pixel has another colour."""
    row = bytes(at % 256 for at in range(3 * width))
    pixels = b"".join(b"\0" + row[at % 200 :] + row[: at % 200] for at in range(height))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(pixels, 0)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


PICTURE = picture_of(600, 400)
SHIFT = 0.75 * 192 / 1024
"""The box is 384 px high and as wide as the viewport of 1024 by 768. It moves down by 192 px, from
100: it takes 576 of the 768 px in all, and moves by a share of the viewport's larger side."""
PAINTED = """(act=>{onload=()=>requestAnimationFrame(()=>requestAnimationFrame(act))})"""
"""Does something once the page is painted: a busy machine may not have done that when it loads."""
MOVED = """<div id=above style="height:100px">text</div><div style="height:384px;background:red">box
</div><script>const move=()=>setTimeout(()=>{above.style.height='292px'},200);PAINTED(move)</script>
""".replace("PAINTED", PAINTED)
BUSY = """<p>text<script>const work=()=>setTimeout(()=>{
let begun=performance.now();while(performance.now()-begun<250);},200);PAINTED(work)</script>
""".replace("PAINTED", PAINTED)


@pytest.fixture(scope="module")
def pages() -> Iterator[Site]:
    """Pages that are measured."""
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def measured(pages: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of a crawl that measured how they load; no test changes it."""
    site = pages
    site.page("/", links=["/late", "/moved", "/busy"])
    late = f"{HEAD}<p>text<img src=/late.png width=600 height=400><script src=/a.js></script>"
    site.respond("/late", Response(body=late.encode(), delay_s=0.4))
    picture = Response(body=PICTURE, headers=(("Content-Type", "image/png"),), delay_s=0.8)
    site.respond("/late.png", picture)
    site.file("/a.js", b"//" + b"x" * 998, "text/javascript")
    site.respond("/moved", Response(body=f"{HEAD}{MOVED}".encode()))
    site.respond("/busy", Response(body=f"{HEAD}{BUSY}".encode()))
    path = tmp_path_factory.mktemp("measured") / "a.gossamer"
    settings = {"render": RenderMode.ON, "lab_metrics": True, "use_sitemaps": False}
    crawl_all(path, site.url("/"), **settings)
    return path


@pytest.mark.parametrize(("seconds", "ajax_s"), [(12, 20) if LONG else (1, 5)])
def test_a_page_that_computes_for_longer_than_a_call_may_take_is_measured_all_the_same(
    renderer: SharedRenderer, seconds: int, ajax_s: int
) -> None:
    """Its tasks are long for so many of the seconds that its scripts have; a call has 10."""
    busy = f"""<p>text<script>const begun = performance.now(); const work = setInterval(() => {{
        const from = performance.now(); while (performance.now() - from < 200);
        if (from - begun > {seconds}000) {{ clearInterval(work); document.body.append('done'); }}
        }}, 400)</script>"""
    limits = RenderLimits(lab_metrics=True, virtual_time=False, ajax_s=ajax_s, timeout_s=40)
    document = PageResponse(200, HTML, f"{HEAD}{busy}".encode())
    page = renderer.render(RenderJob("http://a.test/", document, limits))
    assert not page.is_timed_out
    assert page.load is not None
    assert page.html.count("done</body>") == 1


def test_lab_metrics_are_those_that_the_pages_were_made_with(pages: Site, measured: Path) -> None:
    found = records(measured)
    late, moved, busy = (found[pages.url(name)] for name in ("/late", "/moved", "/busy"))
    assert late.fcp_ms is not None
    assert late.lcp_ms is not None
    assert late.fcp_ms >= 400, "the answer came after 400 ms"
    assert late.lcp_ms >= 1200, "and the image 800 ms later"
    assert late.cls == 0
    assert moved.cls == pytest.approx(SHIFT, abs=0.001)
    assert busy.tbt_ms is not None
    assert busy.tbt_ms >= 200, "a task of 250 ms"
    assert (late.dom_elements, moved.dom_elements) == (8, 8)
    assert late.script_bytes == 1_000
    assert late.image_bytes == len(PICTURE)
    assert late.page_bytes == (late.raw_bytes or 0) + late.script_bytes + late.image_bytes
    assert late.third_party_requests == 0


def test_what_moves_on_the_screen_of_a_phone_counts_too(renderer: SharedRenderer) -> None:
    body = f"<!doctype html><meta name=viewport content=width=device-width>{MOVED}".encode()
    limits = RenderLimits(411, 731, is_mobile=True, lab_metrics=True)
    job = RenderJob("http://site.test/", PageResponse(200, HTML, body), limits)
    load = renderer.render(job).load
    assert load is not None
    assert cumulative_layout_shift(load.shifts) > 0.1


def test_lab_metrics_are_exported(pages: Site, measured: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    export(measured, ExportSelection(VIEWS["pages"]), file)
    with file.open(encoding="utf-8-sig", newline="") as text:
        rows = {row["Address"]: row for row in csv.DictReader(text)}
    assert float(rows[pages.url("/moved")]["Cumulative Layout Shift"]) == pytest.approx(
        SHIFT, abs=0.001
    )
    assert float(rows[pages.url("/late")]["Largest Contentful Paint Time (sec)"]) >= 1.2


TOUCHED = b"""<!doctype html><title>x</title><script>document.title = [
  navigator.maxTouchPoints > 0, 'ontouchstart' in window, matchMedia('(pointer: coarse)').matches
]</script>"""


@pytest.mark.parametrize("is_mobile", [False, True], ids=["desktop", "mobile"])
def test_only_a_phone_is_touched(renderer: SharedRenderer, *, is_mobile: bool) -> None:
    limits = RenderLimits(411, 731, is_mobile=is_mobile)
    job = RenderJob("http://site.test/", PageResponse(200, HTML, TOUCHED), limits)
    title = renderer.render(job).html.partition("<title>")[2].partition("</title>")[0]
    assert title == ",".join([str(is_mobile).lower()] * 3)


def test_pages_are_judged_by_how_a_phone_shows_them(renderer: SharedRenderer) -> None:
    found = {}
    limits = RenderLimits(411, 731, is_mobile=True)
    for page in PHONE_PAGES:
        job = RenderJob("http://site.test/", PageResponse(200, HTML, page.html), limits)
        layout = renderer.render(job).layout
        assert layout is not None, page.name
        found[page.name] = RenderFlag(layout_flags(layout))
    assert found == {page.name: page.flags for page in PHONE_PAGES}


@pytest.mark.parametrize("device", RenderDevice)
def test_rules_about_phones_hold_for_pages_rendered_for_phones(
    site: Site, tmp_path: Path, device: RenderDevice
) -> None:
    wide = next(page for page in PHONE_PAGES if page.name == "wider than the screen")
    site.respond("/", Response(body=wide.html))
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"), render=RenderMode.ON, device=device, use_sitemaps=False)
    with Reader(path) as reader:
        counts = {RULES[number].name: count for number, count in reader.issue_counts().items()}
    is_mobile = device is RenderDevice.MOBILE
    width = records(path)[site.url("/")].content_width
    assert width in ({413, 414} if is_mobile else {None}), "browsers round"
    assert counts.get("Content Not Sized Correctly", 0) == is_mobile
