"""Recrawls of projects with an archive: what is not sent again is taken over from the base's."""

import json
import random
import shutil
import sys
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from gossamer.archive.archive_indexing import ensure_index
from gossamer.archive.indexed_responses import IndexedResponses
from gossamer.archive.project_archive_files import kept_files
from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.model.archive_record import RecordKind, archive_folder
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.crawl_state import CrawlState
from gossamer.model.project_queries import View
from gossamer.session.project_archive import linked_archive
from gossamer.session.project_files import delete_project
from gossamer.session.recrawl import finish_update, start_recrawl, start_update, update_path
from gossamer.store.project_replacement import replace_project
from gossamer.store.reading.reader import Reader
from tests.fakes.archived import archive_files, archived, bodies, host_bodies, types_in
from tests.fakes.recount import miscounts
from tests.integration.crawling import (
    asked,
    closing,
    crawl_again,
    crawl_all,
    resume_all,
    run,
    sessions,
    until_rest,
)
from tests.integration.killed_crawls import one_life
from tests.sites import Site
from tests.sites.versions import VersionedSite

WORDS = "<p>" + "Something to read about roses and their many thorns. " * 30 + "</p>"
SETTINGS = {
    "soft_404_probe": False,
    "archive": True,
    "archive_content": "resources",
    "processes": 1,  # each knows its own repetitions
}
COPIED = [RecordKind.RESPONSE, RecordKind.NOT_MODIFIED]


@pytest.fixture
def versions(site: Site) -> VersionedSite:
    """Pages that link to each other, two of them the same, with an image, and texts of the host."""
    versions = VersionedSite(site)
    versions.page("/", "/a", "/b", "/c", body=f'{WORDS}<img src="/i.png" alt="">')
    versions.page("/a", "/", "/b", title="The page A")
    versions.page("/b", "/a", title="Twice", body=WORDS)
    versions.page("/c", "/a", title="Twice", body=WORDS)
    versions.put("/i.png", b"\x89PNG" + bytes(2_000), "image/png")
    versions.put("/robots.txt", b"User-agent: *\nDisallow: /private\n", "text/plain")
    versions.put("/llms.txt", b"# A site\n", "text/plain")
    return versions


@pytest.fixture
def base(versions: VersionedSite, tmp_path: Path) -> Path:
    """A project with an archive of that site."""
    path = tmp_path / "base.gossamer"
    crawl_all(path, versions.site.url("/"), **SETTINGS)
    versions.forget()
    return path


def kinds(project: Path) -> dict[str, list[RecordKind]]:
    """The kinds of the records of each URL, as readers get them."""
    return {url: [record.kind for record, _ in found] for url, found in archived(project).items()}


def first_bodies(project: Path) -> dict[str, bytes | None]:
    """The body of each URL, and of what is asked of the host."""
    found = {url: all_bodies[0] for url, all_bodies in bodies(project).items()}
    return found | host_bodies(project)


def named(project: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Ids and dates of the records with bodies, and those that revisits of 304s name."""
    whole, referred = set(), set()
    for path in archive_files(project):
        assert types_in(path)[0][0] == "warcinfo"
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                header = record.rec_headers.get_header
                if record.rec_type == "response":
                    whole.add((header("WARC-Record-ID"), header("WARC-Date")))
                elif record.rec_type == "revisit" and "not-modified" in header("WARC-Profile"):
                    assert record.http_headers.get_statuscode() == "304"
                    referred.add((header("WARC-Refers-To"), header("WARC-Refers-To-Date")))
    return whole, referred


def test_nothing_is_sent_again_and_each_archive_stands_by_itself(
    base: Path, versions: VersionedSite, tmp_path: Path
) -> None:
    """Also that of a recrawl of a recrawl, and when the projects before are gone."""
    before = first_bodies(base)
    assert {url.removeprefix(versions.site.url("")) for url in before} >= set(versions.bodies)
    second = crawl_again(base, tmp_path / "second.gossamer")
    delete_project(base)
    third = crawl_again(second, tmp_path / "third.gossamer")
    delete_project(second)
    assert not versions.sent
    assert versions.statuses == {304: 2 * len(versions.bodies)}
    assert first_bodies(third) == before
    repeated = [RecordKind.REVISIT, RecordKind.NOT_MODIFIED]
    for url, found in kinds(third).items():
        is_repeated = found[0] is RecordKind.REVISIT
        expected = [RecordKind.RESPONSE] if url.endswith(".png") else COPIED
        assert found == (repeated if is_repeated else expected), url
    assert [RecordKind.REVISIT] in [found[:1] for found in kinds(third).values()]
    with Reader(third) as reader:  # what the window shows
        shown = [reader.archive_record(page.id) for page in reader.iterate(View.ALL)]
    assert {each.kind for each in shown if each} == {RecordKind.RESPONSE, RecordKind.REVISIT}
    whole, referred = named(third)
    assert len(referred) == 5, "two pages are the same"
    assert referred <= whole
    out = tmp_path / "third.wacz"
    ArchiveRequest(ARCHIVE_EXPORTS["wacz"], out).write(third, None, lambda: False)
    with zipfile.ZipFile(out) as package:
        index = package.read("indexes/index.cdx").decode().splitlines()
    listed = [json.loads(line.split(" ", 2)[2]) for line in index]
    assert {each["url"] for each in listed} >= before.keys()
    assert "304" not in {each["status"] for each in listed}
    assert len(archive_files(third)) <= 3, "worker and host, each a file, not one for each base"


def test_what_changed_is_in_the_new_archive_and_counts(
    base: Path, versions: VersionedSite, tmp_path: Path
) -> None:
    url, same = versions.site.url("/a"), versions.site.url("/b")
    before = first_bodies(base)
    versions.page("/a", "/", "/b", title="Another title")
    new = crawl_again(base, tmp_path / "new.gossamer")
    after = first_bodies(new)
    assert after[same] == before[same]
    assert b"Another title" in (after[url] or b"")
    assert set(versions.sent) == {"/a"}
    assert miscounts(new) == []
    source = ArchiveSource(kept_files(new))
    ensure_index(source)
    with IndexedResponses(source) as answers:
        for each, body in after.items():
            assert b"".join(answers.response(each, is_head=False).body) == body


def test_pages_that_are_not_due_come_along(
    base: Path, versions: VersionedSite, tmp_path: Path
) -> None:
    new = crawl_again(base, tmp_path / "new.gossamer", adaptive_interval=True, min_interval_h=24)
    assert not versions.sent
    assert first_bodies(new) == first_bodies(base)
    assert kinds(new)[versions.site.url("/a")] == [RecordKind.RESPONSE]


def test_an_update_has_what_it_did_not_get_again(
    base: Path, versions: VersionedSite, tmp_path: Path
) -> None:
    """Also where its process is killed between two steps, and where a link leads to the project."""
    before = first_bodies(base)

    async def update() -> None:
        async with closing(start_update(base, sessions=sessions())) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(update())
    with linked_archive(update_path(base), base):
        replace_project(update_path(base), base)
    assert first_bodies(base) == before
    run(update())
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.gossamer"
    link.symlink_to(base)
    finish_update(link)
    assert not versions.sent
    assert first_bodies(base) == before
    names = [path.name for path in archive_files(base)]
    assert all(name.startswith(f"{base.stem}-2") for name in names), "after the project"
    assert [path.name for path in base.parent.glob("*.archive")] == [archive_folder(base).name]


def without_folder(base: Path) -> None:
    shutil.rmtree(archive_folder(base))


def damaged(base: Path) -> None:
    """Every body is another; heads are as they were, so only a copy notices."""
    for path in archive_files(base):
        data = bytearray(path.read_bytes())
        for record, _ in chain.from_iterable(archived(base).values()):
            if record.file == path.name:
                data[record.offset + record.length - 12] ^= 0xFF
        path.write_bytes(data)


@pytest.mark.parametrize(
    ("spoil", "changes"),
    [
        (without_folder, {}),
        (damaged, {}),
        (lambda _: None, {"archive_max_bytes": 5_000_000}),
    ],
)
def test_all_is_sent_again_where_the_base_has_it_not_or_otherwise(
    base: Path, versions: VersionedSite, tmp_path: Path, spoil: object, changes: dict[str, object]
) -> None:
    before = first_bodies(base)
    spoil(base)  # type: ignore[operator] # each is called so
    new = crawl_again(base, tmp_path / "new.gossamer", **changes)
    assert first_bodies(new) == before
    assert set(versions.sent) >= {"/", "/a", "/b"}
    assert all(RecordKind.NOT_MODIFIED not in found for found in kinds(new).values())


@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")
def test_whatever_is_killed_what_was_not_sent_again_is_there(site: Site, tmp_path: Path) -> None:
    versions, chance = VersionedSite(site), random.Random(86)  # the host, in the middle
    pages = [f"/{number}" for number in range(120)]
    versions.page("/", *pages)
    for page in pages:
        versions.page(page, "/", body=f"{WORDS}{page}")
    base, new = tmp_path / "base.gossamer", tmp_path / "new.gossamer"
    crawl_all(base, site.url("/"), max_similar=5_000, use_sitemaps=False, **SETTINGS)
    session = start_recrawl(base, new, {"workers": 8}, sessions=sessions())
    run(session.close())
    one_life(site, new, chance)
    for found in archived(new).values():
        assert found[0][1].body, "what is committed is there"
    resume_all(new)
    assert asked(new).keys() == archived(new).keys()
    assert first_bodies(new) == first_bodies(base)
    for path in archive_files(new):
        assert types_in(path)[0][0] == "warcinfo"
