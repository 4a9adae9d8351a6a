"""All links as columns: the same as one by one, and each value told once."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.export.csv_format import write_csv
from gossamer.export.export_selection import ExportSelection
from gossamer.export.link_reports import ALL_INLINKS, REPORT_LINK_HEADINGS, link_report_rows
from gossamer.export.link_sheets import LINKS, sheet_of_links
from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import FormatOptions, Sheet, narrowed
from gossamer.export.view_sheets import whole_sheet
from gossamer.model.errors import ProjectError
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.visit import Link
from gossamer.store.reading import link_blocks
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import Crawled

PAGES = 12
COLUMNS_OF_CHOICE = ("Rel", "Source", "Destination", "Follow", "Source", "Position")


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    """Pages with the same navigation, links of every look, and texts that come again."""
    with Crawled(tmp_path / "a.gossamer") as crawled:
        for number in range(PAGES):
            crawled.page(f"/{number}", *_links(number), title=f"=Page; {number}")
        crawled.redirect("/old", "/0")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        yield crawled


def _links(number: int) -> list[str | tuple[str, Link]]:
    link = Link(0, LinkKind.ANCHOR, f'"{number % 3}", then; more', "nofollow ugc", "", "#top")
    return [
        "/0",
        "/old",
        ("/gone", link),
        (f"/{number * 5 % PAGES}", Link(0, LinkKind.IMAGE, "=1+1", "", "img", "#")),
        (f"http://other.test/{number}?a=;-1", Link(0, LinkKind.CANONICAL)),
    ]


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


@pytest.fixture(params=[3, 7, 2000])
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few links at a time, and little memory for what was told."""
    monkeypatch.setattr(link_blocks, "_AT_ONCE", request.param)
    whole = link_blocks._link_columns  # noqa: SLF001 - no site has as many URLs
    monkeypatch.setattr(
        link_blocks,
        "_link_columns",
        lambda of_targets: [replace(x, most=min(x.most, 2)) for x in whole(of_targets)],
    )


@pytest.mark.usefixtures("small")
def test_columns_are_the_links_one_by_one(reader: Reader) -> None:
    by_id = reader.link_records(reader.ids(View.LINKS))
    assert len(by_id) == PAGES * 5 + 1
    assert list(reader.links()) == by_id


@pytest.mark.parametrize("columns", [(), COLUMNS_OF_CHOICE])
@pytest.mark.usefixtures("small")
def test_the_export_of_columns_is_that_of_rows_byte_for_byte(
    reader: Reader, tmp_path: Path, columns: tuple[str, ...]
) -> None:
    by_id = reader.link_records(reader.ids(View.LINKS))
    rows = sheet_of_links(by_id, len(by_id))
    blocks = whole_sheet(reader, ExportSelection(LINKS), lambda: None)
    found = [
        _written(tmp_path / f"{name}.csv", narrowed(sheet, columns))
        for name, sheet in (("rows", rows), ("blocks", blocks))
    ]
    assert found[0] == found[1]
    assert b"'=1+1" in found[0] or columns


@pytest.mark.parametrize(
    "columns", [(), ("Unlinked", "Anchor", "Status", "Anchor", "Indexability Status")]
)
@pytest.mark.usefixtures("small")
def test_a_report_on_all_links_has_the_cells_of_each_link_alone(
    reader: Reader, tmp_path: Path, columns: tuple[str, ...]
) -> None:
    blocks = whole_sheet(reader, ExportSelection(ALL_INLINKS), lambda: None)
    one_by_one = list(link_report_rows(reader, reader.links()))
    rows = Sheet(REPORT_LINK_HEADINGS, iter(one_by_one), len(one_by_one))
    assert list(blocks.rows) == one_by_one
    found = [
        _written(tmp_path / f"{name}.csv", narrowed(sheet, columns))
        for name, sheet in (("rows", rows), ("blocks", blocks))
    ]
    assert found[0] == found[1]


def _written(path: Path, sheet: Sheet) -> bytes:
    with OutputFiles(path) as output:
        write_csv(output, sheet, FormatOptions())
        output.put_in_place()
    return path.read_bytes()


def test_a_value_that_comes_again_is_told_once(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_blocks, "_AT_ONCE", 5)
    told: Counter[object] = Counter()

    def tell(value: object) -> object:
        told[value] += 1
        return value

    fields = ("target_url", "text", "rel", "position", "kind")
    blocks = list(reader.link_blocks([(name, tell) for name in fields]))
    links = sum(len(block[0]) for block in blocks)
    assert (links, len(blocks)) == (PAGES * 5 + 1, PAGES + 1)
    # "" is the text and the rel of links without one; 0 to 4 are positions, and kinds among them.
    assert {value for value, times in told.items() if times > 2} == set()
    assert sum(told.values()) < links


def test_links_to_and_from_what_is_not_there_are_left_out(crawled: Crawled) -> None:
    path, lost = crawled.path, (crawled.id("/gone"), crawled.id("/3"))
    crawled.writer.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("DELETE FROM url WHERE id = ?", [(each,) for each in lost])
    with Reader(path) as reader:
        found = [(link.source_id, link.target_id) for link in reader.links()]
        assert found
        assert not {end for link in found for end in link}.intersection(lost)
        every = reader.link_records(reader.ids(View.LINKS))
        assert found == [(link.source_id, link.target_id) for link in every]


def test_a_kind_that_nobody_writes_is_damage(crawled: Crawled) -> None:
    crawled.writer.close()
    with closing(sqlite3.connect(crawled.path)) as connection, connection:
        connection.execute("UPDATE link SET kind = 99 WHERE position = 4")
    with Reader(crawled.path) as reader, pytest.raises(ProjectError, match="damaged"):
        list(reader.links())
