"""Rendered pages are rendered again from the archive; what it cannot repeat keeps its facts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.outcome_details import DetailCode
from gossamer.model.settings.archive_settings import ArchiveContent
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.session.audit_again import AuditedAgain, audit_again
from gossamer.store.reading.reader import Reader
from tests.fakes.archived import archive_files, doms, facts_in
from tests.fakes.browsers import NEEDS_BROWSER, browser
from tests.integration.crawling import crawl_all, records, run, sessions
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER

HOME = b"""<!doctype html><html lang=en><title>Loading</title><body><h1>Wait</h1>
<a href=/plain>In the HTML</a><script src=/app.js></script><script src=/gone.js></script>"""
APP = b"""document.title = 'Ready'; fetch('/data.json').then(answer => answer.json()).then(found =>
document.body.insertAdjacentHTML('beforeend',
`<p>five more words than before</p><a href=${found}>x</a>`));"""
PLAIN = b"<!doctype html><title>Plain</title><h1>Plain</h1><p>nothing but HTML</p>"


@pytest.fixture
def shop() -> Iterator[Site]:
    """A page that a script finishes, with another that is not there."""
    with Site() as site:
        site.respond("/", Response(body=HOME))
        site.file("/app.js", APP, "text/javascript")
        site.file("/data.json", b'"/fetched"', "application/json")
        for path in ("/plain", "/fetched"):
            site.respond(path, Response(body=PLAIN))
        yield site


def crawled(
    shop: Site, path: Path, program: Path, content: ArchiveContent, **changes: object
) -> Path:
    program.symlink_to(browser().path)
    settings = {"render": RenderMode.ON, "screenshots": True, "browser": str(program), **changes}
    crawl_all(path, shop.url("/"), archive=True, archive_content=content, **settings)
    return path


def facts_of(project: Path) -> dict[str, Any]:
    """What rendering has to do with, of each URL."""
    found: dict[str, Any] = {}
    with Reader(project) as reader:
        for url, row in records(project).items():
            details = reader.rendering_details(row.id)
            found[url] = [
                *(row.title, row.h1, row.word_count, row.outlinks, row.inlinks, row.outcome),
                *(row.html_title, row.render_status, row.failed_requests),
                sorted((each.url, each.status) for each in details.resources),
                bool(reader.screenshot(row.id)),
            ]
    return found


def test_pages_are_rendered_again_where_the_archive_has_all_that_they_load(
    shop: Site, tmp_path: Path
) -> None:
    """That a script was not there is what the crawl met with, too."""
    project = tmp_path / "a.gossamer"
    crawled(shop, project, tmp_path / "headless-browser", ArchiveContent.EVERYTHING)
    told = {url: facts for path in archive_files(project) for url, facts in facts_in(path).items()}
    # Nothing but the page itself loads it.
    assert f"via: {shop.url('/')}\r\nhopsFromSeed: E\r\n" in told[shop.url("/data.json")]
    before, asked = facts_of(project), len(shop.requests)
    assert before[shop.url("/")][:2] == ["Ready", "Wait"]
    assert shop.url("/fetched") in before
    done = run(audit_again(project, {"content_exclude": ("h1",)}, sessions=sessions()))
    assert done == AuditedAgain()
    words = {url: facts.pop(2) for url, facts in before.items()}
    after = facts_of(project)
    fewer = {url: facts.pop(2) for url, facts in after.items()}
    assert after == before
    assert fewer == {url: count and count - 1 for url, count in words.items()}
    assert len(shop.requests) == asked


def test_a_page_that_the_archive_cannot_show_keeps_what_it_was(shop: Site, tmp_path: Path) -> None:
    """Without the scripts of pages, or without a browser, nothing that was found goes."""
    project, program = tmp_path / "a.gossamer", tmp_path / "headless-browser"
    crawled(shop, project, program, ArchiveContent.HTML, archive_dom=False)
    before = facts_of(project)
    assert run(audit_again(project, {}, sessions=sessions())) == AuditedAgain(kept_facts=1)
    assert facts_of(project) == before
    details = {url: row.detail for url, row in records(project).items()}
    assert details[shop.url("/")] == DetailCode.ARCHIVE_RENDERING()
    assert details[shop.url("/plain")] is None
    program.unlink()
    assert run(audit_again(project, {}, sessions=sessions())) == AuditedAgain(kept_facts=3)
    assert facts_of(project) == before


def test_a_page_that_cannot_be_rendered_again_is_read_from_its_stored_dom(
    shop: Site, tmp_path: Path
) -> None:
    """Without the scripts of pages, and without a browser: what settings change is read anew."""
    project, program = tmp_path / "a.gossamer", tmp_path / "headless-browser"
    crawled(shop, project, program, ArchiveContent.HTML, accessibility="all")
    before, kept = facts_of(project), doms(project)
    assert run(audit_again(project, {}, sessions=sessions())) == AuditedAgain()
    assert facts_of(project) == before
    assert doms(project) == kept
    program.unlink()
    changes = {"content_exclude": ("h1",)}
    assert run(audit_again(project, changes, sessions=sessions())) == AuditedAgain()
    words = {url: facts.pop(2) for url, facts in before.items()}
    after = facts_of(project)
    assert {url: facts.pop(2) for url, facts in after.items()} == {
        url: count and count - 1 for url, count in words.items()
    }
    assert after == before
    assert {row.detail for row in records(project).values()} == {None}
