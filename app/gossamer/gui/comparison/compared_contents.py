"""What two projects have of a page, read from one and then from the other."""

from typing import NamedTuple

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.page_contents_messages import SideBySide


class ComparedContents(NamedTuple):
    """A page as the earlier and as the later crawl has it.

    `texts` are those of the page itself; None unless both projects have kept them.
    """

    before: UrlRecord | None
    after: UrlRecord | None
    texts: SideBySide | None


class CrawledPage(NamedTuple):
    """A page as one crawl has it; None for what it has not."""

    record: UrlRecord | None = None
    text: str | None = None

    def beside(self, after: "CrawledPage") -> ComparedContents:
        """The two side by side. Long texts take a while: never on the window's thread."""
        from gossamer.extract.text_comparison import side_by_side  # noqa: PLC0415 - the start does without

        texts = None
        if self.text is not None and after.text is not None:
            texts = side_by_side(self.text.splitlines(), after.text.splitlines())
        return ComparedContents(self.record, after.record, texts)


def contents_of(rows: ProjectRows, url_id: int | None) -> CrawledPage:
    """What a project has of a page."""
    if url_id is None:
        return CrawledPage()
    return CrawledPage(next(iter(rows.records([url_id])), None), rows.page_text(url_id))
