"""What the rows of a table are about: URLs, or links."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.tables.link_columns import LINK_SPECS
from gossamer.gui.tables.row_cells import Cells, Fate
from gossamer.gui.tables.url_columns import SPECS, ColumnSpec
from gossamer.model.project_queries import Column, LinkRecord, UrlRecord


@dataclass(frozen=True)
class RowKind:
    """Records with an `id`, and how a table shows them.

    `read` gives the records with these ids, on the reader thread; `url_id` and `address`
    are those of the URL that a row stands for: of a link, its target.
    """

    specs: tuple[ColumnSpec, ...]
    read: Callable[[ProjectRows, Sequence[int]], Sequence[Any]]
    url_id: Callable[[Any], int]
    address: Callable[[Any], str]
    cells: Callable[[], Cells]
    """New ones for each table."""

    def urls(self, rows: ProjectRows, ids: Sequence[int]) -> list[int]:
        """The ids of the URLs that these rows stand for; on the reader thread."""
        return [self.url_id(each) for each in self.read(rows, ids)]

    def addresses(self, rows: ProjectRows, ids: Sequence[int]) -> list[str]:
        """Their addresses; on the reader thread."""
        return [self.address(each) for each in self.read(rows, ids)]

    def index(self, column: Column) -> int:
        """Where a column stands in the model."""
        return next(i for i, spec in enumerate(self.specs) if spec.column is column)


def _fate_of_url(record: UrlRecord) -> Fate:
    return Fate(record.id, record.outcome, record.status, record.reason, record.detail)


def _fate_of_link(link: LinkRecord) -> Fate:
    return Fate(link.target_id, link.target_outcome, link.target_status)


URLS: Final = RowKind(
    SPECS,
    lambda rows, ids: rows.records(ids),
    lambda record: record.id,
    lambda record: record.url,
    lambda: Cells(SPECS, _fate_of_url),
)
LINKS: Final = RowKind(
    LINK_SPECS,
    lambda rows, ids: rows.link_records(ids),
    lambda link: link.target_id,
    lambda link: link.target_url,
    lambda: Cells(LINK_SPECS, _fate_of_link),
)
