"""The DOM that scripts made of pages, in the archive beside the responses."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.archive.warc_reader import OtherResponseError, read_dom
from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.errors import UsageError
from gossamer.model.messages.inspection_messages import StoredSource
from gossamer.model.messages.page_contents_messages import SideBySide, TextPart
from gossamer.model.messages.page_rendering_messages import RenderingReport, StoredDomComparison
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.session.project_files import rescue
from gossamer.store.reading.reader import Reader
from tests.fakes.archived import archive_files, bodies, doms, types_in
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import closing, crawl_all, records, run, sessions
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER

HOME = """<!doctype html><html lang=en><meta charset=utf-8><title>Loading</title><h1>Wait</h1>
<script>document.querySelector('h1').textContent = 'Grüße'</script><a href=/plain>Plain</a>"""
MORE = "<!doctype html><title>Plain</title><h1>Plain</h1>"
ROUTED = """<!doctype html><title>Routes</title><h1></h1><a href="#/cart">Cart</a>
<script>document.querySelector('h1').textContent = 'View ' + location.hash</script>"""


@contextmanager
def new_shop() -> Iterator[Site]:
    """A page that a script changes, and one without scripts."""
    with Site() as site:
        site.respond("/", Response(body=HOME.encode()))
        site.respond("/plain", Response(body=MORE.encode()))
        site.file("/robots.txt", b"User-agent: *\nDisallow:\n", "text/plain")
        yield site


@pytest.fixture
def shop() -> Iterator[Site]:
    """One for the test alone."""
    with new_shop() as site:
        yield site


@pytest.fixture(scope="module")
def kept_shop() -> Iterator[Site]:
    """One that was crawled; see `kept`."""
    with new_shop() as site:
        yield site


@pytest.fixture(scope="module")
def kept(kept_shop: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The crawl of it and of a page with two views, with its archive; no test changes it."""
    project = tmp_path_factory.mktemp("kept") / "a.gossamer"
    kept_shop.respond("/routes", Response(body=ROUTED.encode()))
    roots = (kept_shop.url("/"), kept_shop.url("/routes"))
    settings = {"roots": roots, "render": RenderMode.ON, "hash_routes": True}
    crawl_all(project, "", archive=True, **settings)
    return project


def dom_of(project: Path, url: str) -> ArchiveRecord | None:
    """Where the project says the DOM of a page is."""
    with Reader(project) as reader:
        return reader.dom_record(records(project)[url].id)


def test_the_dom_of_a_page_is_kept_beside_its_response(kept_shop: Site, kept: Path) -> None:
    shop, project = kept_shop, kept
    record = dom_of(project, shop.url("/"))
    assert record is not None
    assert record.kind is RecordKind.DOM
    folder = archive_folder(project)
    dom = read_dom(folder, record, shop.url("/"))
    assert "<h1>Grüße</h1>" in dom.markup.decode()
    assert not dom.is_cut
    assert bodies(project)[shop.url("/")] == [HOME.encode()]
    with pytest.raises(OtherResponseError):
        read_dom(folder, record, shop.url("/plain"))
    found = [pair for path in archive_files(project) for pair in types_in(path)]
    named = [url for kind, url in found if kind == "resource"]
    views = ("/", "/plain", "/routes", "/routes#/cart")
    assert sorted(named) == [f"urn:dom:{shop.url(path)}" for path in views]


def test_a_large_dom_is_cut_and_says_so(shop: Site, tmp_path: Path) -> None:
    shop.respond("/", Response(body=HOME.replace("Grüße", "ü" * 2_000).encode()))
    project = tmp_path / "a.gossamer"
    settings = {"render": RenderMode.ON, "list_only": True, "archive_max_bytes": 1_024}
    crawl_all(project, shop.url("/"), archive=True, **settings)
    record = dom_of(project, shop.url("/"))
    assert record is not None
    dom = read_dom(archive_folder(project), record, shop.url("/"))
    assert dom.is_cut
    assert 1_020 <= len(dom.markup) <= 1_024
    assert dom.markup.decode().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("settings", [{"archive_dom": False}, {"archive_types": ("image/png",)}])
def test_no_dom_is_kept_without_its_response_or_if_it_is_not_wanted(
    shop: Site, tmp_path: Path, settings: dict[str, object]
) -> None:
    project = tmp_path / "a.gossamer"
    settings |= {"render": RenderMode.ON, "list_only": True}
    crawl_all(project, shop.url("/"), archive=True, **settings)
    assert dom_of(project, shop.url("/")) is None
    found = [kind for path in archive_files(project) for kind, _ in types_in(path)]
    assert "resource" not in found


def test_each_view_of_a_page_has_a_dom_of_its_own(kept_shop: Site, kept: Path) -> None:
    found = {url: markup.decode() for url, markup in doms(kept).items()}
    assert "<h1>View </h1>" in found[kept_shop.url("/routes")]
    assert "<h1>View #/cart</h1>" in found[kept_shop.url("/routes#/cart")]


def test_the_stored_source_of_a_view_is_that_of_its_document(kept_shop: Site, kept: Path) -> None:
    url = kept_shop.url("/routes#/cart")
    with Reader(kept) as reader:
        record = reader.archive_record(records(kept)[url].id)
    assert record is not None

    async def main() -> StoredSource:
        async with closing(sessions().open(kept)) as session:
            return await session.inspection.stored_source(url, record, compare=False)

    source = run(main()).source
    assert source is not None
    assert source.text == ROUTED


def test_a_rescued_project_names_the_doms_of_its_archive(kept: Path, tmp_path: Path) -> None:
    rescued = tmp_path / "b.gossamer"
    rescue(kept, rescued)
    assert doms(rescued) == doms(kept)
    assert len(doms(kept)) == 4


def test_the_stored_dom_stands_beside_the_html_and_the_present_one(
    kept_shop: Site, kept: Path
) -> None:
    shop, project, url = kept_shop, kept, kept_shop.url("/")
    with Reader(project) as reader:
        html = reader.archive_record(records(project)[url].id)
    dom = dom_of(project, url)
    assert html is not None
    assert dom is not None
    asked = len(shop.requests)
    shop.respond("/", Response(body=HOME.replace("Grüße", "Adieu").encode()))

    async def main() -> tuple[StoredDomComparison, RenderingReport, RenderingReport]:
        async with closing(sessions().open(project)) as session:
            inspection = session.inspection
            stored = await inspection.stored_dom(url, html, dom)
            assert len(shop.requests) == asked
            with pytest.raises(UsageError, match="its address or its digest differs"):
                await inspection.stored_dom(url, html, replace(dom, digest=bytes(32)))
            now = await inspection.rendering(url, dom)
            lost = await inspection.rendering(url, replace(dom, file="gone.warc.gz"))
            return stored, now, lost

    stored, now, lost = run(main())
    for found in (stored.texts, stored.dom):
        html_side, dom_side = sides(found)
        assert "Wait" in html_side
        assert "<h1>" not in html_side or "Grüße" in dom_side
        assert "Wait" not in dom_side
    assert now.dom_changes is not None
    then, present = sides(now.dom_changes)
    assert ("Grüße" in then, "Adieu" in present) == (True, True)
    assert lost.dom_changes is None
    assert "is missing" in str(lost.why_no_changes)


def sides(shown: SideBySide) -> tuple[str, str]:
    """All of the left side, and all of the right one."""

    def text_of(rows: Iterable[list[TextPart]]) -> str:
        return "\n".join("".join(part.text for part in parts) for parts in rows)

    return text_of(row.left for row in shown.rows), text_of(row.right for row in shown.rows)
