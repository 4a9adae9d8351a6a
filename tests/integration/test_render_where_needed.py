"""Crawls in which only those pages are rendered that need it."""

from pathlib import Path

from gossamer.cli.crawl_summary import remarks_on, rendering
from gossamer.model.fields.derived_rendering_fields import RenderReasonWord, RenderStatus
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.store.reading.reader import Reader
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all, records
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER

PAGES = 30
"""Of which most are no sample."""
FEW_PAGES = 14
"""Enough where all of them are rendered."""
TEXT = "<p>" + "bean leek kale corn " * 30 + "</p>"
ADDS_A_LINK = b"document.body.insertAdjacentHTML('beforeend', '<a href=/by-script>More</a>');"


def page(title: str, body: str) -> Response:
    return Response(body=f"<!doctype html><title>{title}</title><body>{body}".encode())


def crawled(path: Path, site: Site, count: int, menu: bytes) -> dict[str, UrlRecord]:
    """The pages of a site by their paths, after a crawl.

    These are so many pages of text with the script `menu`, one without text, one that a script
    draws.
    """
    links = "".join(f"<a href=/{number}>{number}</a>" for number in range(count))
    script = "<script src=/menu.js></script>"
    odd = "<a href=/drawn>d</a><a href=/thin>t</a>"
    site.respond("/", page("Home", f"{links}{odd}{TEXT}{script}"))
    for number in range(count):
        site.respond(f"/{number}", page(f"Page {number}", f"{TEXT}<a href=/>Home</a>{script}"))
    site.respond("/drawn", page("Drawn", '<div id="root"></div><script src=/draw.js></script>'))
    site.respond("/thin", page("Thin", f"<p>Few words</p>{script}"))
    site.respond("/by-script", page("By script", TEXT))
    draw = b"document.querySelector('#root').innerHTML = '<a href=/by-script>Drawn</a>';"
    site.file("/draw.js", draw, "text/javascript")
    site.file("/menu.js", menu, "text/javascript")
    crawl_all(path, site.url("/"), render=RenderMode.AUTO, processes=1)
    found = records(path)
    return {
        url.removeprefix(site.url("")): record
        for url, record in found.items()
        if record.render_status is not None
    }


def test_pages_that_need_it_and_a_sample_are_rendered(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    pages = crawled(path, site, PAGES, b"")
    assert pages["/drawn"].why_rendered is RenderReasonWord.NEEDS_SCRIPTS
    assert pages["/thin"].why_rendered is RenderReasonWord.LITTLE_TEXT
    assert "/by-script" in pages, "what a script links is followed"
    others = [pages[each] for each in pages if each not in {"/drawn", "/thin"}]
    sample = [each for each in others if each.why_rendered is RenderReasonWord.SAMPLE]
    assert {each.render_status for each in sample} == {RenderStatus.RENDERED}
    assert 5 <= len(sample) < len(others) / 2
    rest = [each for each in others if each not in sample]
    assert {(each.render_status, each.why_rendered) for each in rest} == {
        (RenderStatus.NOT_NEEDED, None)
    }
    with Reader(path) as reader:
        ((line,),) = rendering(remarks_on(reader))
    count = len(sample) + 2
    assert line.startswith(f"Rendered {count} of {len(pages)} pages: {len(sample)} as a sample, ")
    assert "1 needing scripts" in line


def test_a_site_whose_sample_has_links_by_script_is_rendered_whole(
    site: Site, tmp_path: Path
) -> None:
    pages = crawled(tmp_path / "a.gossamer", site, FEW_PAGES, ADDS_A_LINK)
    assert {each.render_status for each in pages.values()} == {RenderStatus.RENDERED}
    why = [each.why_rendered for each in pages.values()]
    differing = why.count(RenderReasonWord.SITE_DIFFERS)
    assert differing > FEW_PAGES / 2
    with Reader(tmp_path / "a.gossamer") as reader:
        ((counts, folders),) = rendering(remarks_on(reader))
    assert f"{differing} as the sample of their folder differs" in counts
    assert folders == f"Folders whose sample differs: {site.url('/')} ({differing})."
    assert "/by-script" in pages
