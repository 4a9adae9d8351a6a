"""The cells of reports on URLs, by their headings: declared fields, and what is made of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from gossamer.export.export_columns import boolean_cell, cell_of
from gossamer.export.sheet import Cell, Row, Sheet
from gossamer.model.carbon import carbon_mg, carbon_rating
from gossamer.model.fields.url_record import URL_EXPORTS, UrlRecord
from gossamer.model.page_flags import ContentFlag
from gossamer.model.readability import reading_ease
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.response_cookies import cookies_in
from gossamer.store.reading.reader import Reader

Headers: TypeAlias = Iterable[tuple[str, str]]
UrlCell: TypeAlias = Callable[[UrlRecord], Cell]
_AT_ONCE: Final = 1000
REDIRECT_TYPES: Final = {
    RedirectKind.HTTP: "HTTP Redirect",
    RedirectKind.REFRESH_HEADER: "HTTP Refresh",
    RedirectKind.META_REFRESH: "Meta Refresh Redirect",
}
_EASE: Final = (
    (90, "Very Easy"),
    (80, "Easy"),
    (70, "Fairly Easy"),
    (60, "Normal"),
    (50, "Fairly Difficult"),
    (30, "Difficult"),
)
"""The lowest reading ease of each grade, as Flesch names them."""


def url_sheet(
    reader: Reader, records: Iterable[UrlRecord], headings: Sequence[str], expected: int
) -> Sheet:
    """A row for each URL with the columns under these headings."""
    cells = [CELLS.get(heading) for heading in headings]
    of_headers = [
        (place, OF_HEADERS[heading])
        for place, heading in enumerate(headings)
        if heading in OF_HEADERS
    ]

    def rows() -> Iterator[Row]:
        rest = iter(records)
        while some := list(islice(rest, _AT_ONCE)):
            sent = reader.headers_among([each.id for each in some]) if of_headers else {}
            for record in some:
                row = [cell and cell(record) for cell in cells]
                for place, cell_of_headers in of_headers:
                    row[place] = cell_of_headers(sent.get(record.id, ())) or row[place]
                yield tuple(row)

    return Sheet(tuple(headings), rows(), expected)


def _content_type(headers: Headers) -> str | None:
    """As it was sent, with the charset."""
    return next((value for name, value in headers if name.lower() == "content-type"), None)


def _cookies(headers: Headers) -> int | None:
    return len(cookies_in(headers)) or None


OF_HEADERS: Final[dict[str, Callable[[Headers], Cell]]] = {
    "Content Type": _content_type,
    "Cookies": _cookies,
}
"""Cells that are made of the headers of the response."""


def redirect_type(record: UrlRecord) -> str | None:
    """By what means a URL redirects; None if it does not."""
    return None if record.redirect_kind is None else REDIRECT_TYPES[record.redirect_kind]


def folder_depth(url: str) -> int:
    """The folders above the last part of the path: 1 of /a/b, 2 of /a/b/."""
    return max(urlsplit(url).path.count("/") - 1, 0)


def _length(name: str, record: UrlRecord) -> int:
    return len(getattr(record, name) or "")


def _pixels(name: str, record: UrlRecord) -> int:
    pixels: int | None = getattr(record, name)
    return pixels or 0


def _words_a_sentence(record: UrlRecord) -> float | None:
    if not record.word_count or not record.sentence_count:
        return None
    return round(record.word_count / record.sentence_count, 3)


def _ease(record: UrlRecord) -> float | None:
    """Of texts in English, and of those that name no language."""
    if record.language and not record.language.lower().startswith("en"):
        return None
    found = reading_ease(record.word_count, record.sentence_count, record.syllable_count)
    return None if found is None else round(found, 3)


def _readability(record: UrlRecord) -> str | None:
    ease = _ease(record)
    if ease is None:
        return None
    return next((name for lowest, name in _EASE if ease >= lowest), "Very Difficult")


def _text_ratio(record: UrlRecord) -> float | None:
    if record.text_length is None or not record.size_bytes:
        return None
    return round(100 * record.text_length / record.size_bytes, 3)


def _co2(record: UrlRecord) -> float | None:
    return None if record.raw_bytes is None else round(carbon_mg(record.raw_bytes), 3)


def _rating(record: UrlRecord) -> str | None:
    return None if record.raw_bytes is None else carbon_rating(carbon_mg(record.raw_bytes))


def _flag(flag: ContentFlag, record: UrlRecord) -> str | None:
    if record.content is None:
        return None
    return boolean_cell(record.content & flag)


_MADE: Final[dict[str, UrlCell]] = {
    "Title 1 Length": partial(_length, "title"),
    "Title 1 Pixel Width": partial(_pixels, "title_pixels"),
    "Meta Description 1 Length": partial(_length, "description"),
    "Meta Description 1 Pixel Width": partial(_pixels, "description_pixels"),
    "Meta Keywords 1 Length": partial(_length, "keywords"),
    "H1-1 Length": partial(_length, "h1"),
    "H1-2 Length": partial(_length, "h1_2"),
    "H2-1 Length": partial(_length, "h2"),
    "H2-2 Length": partial(_length, "h2_2"),
    "Total Transferred (bytes)": lambda record: record.raw_bytes,
    "CO2 (mg)": _co2,
    "Carbon Rating": _rating,
    "Average Words Per Sentence": _words_a_sentence,
    "Flesch Reading Ease Score": _ease,
    "Readability": _readability,
    "Text Ratio": _text_ratio,
    "Folder Depth": lambda record: folder_depth(record.url),
    "Outlinks": lambda record: record.internal_outlinks,
    "Redirect Type": redirect_type,
    "URL Encoded Address": lambda record: record.url,
    "JSON-LD": partial(_flag, ContentFlag.JSON_LD),
    "Microdata": partial(_flag, ContentFlag.MICRODATA),
    "RDFa": partial(_flag, ContentFlag.RDFA),
    "Parse Errors": partial(_flag, ContentFlag.STRUCTURED_DATA_PARSE_ERROR),
    "Validation Errors": partial(_flag, ContentFlag.STRUCTURED_DATA_ERROR),
    "Validation Warnings": partial(_flag, ContentFlag.STRUCTURED_DATA_WARNING),
    "Rich Result Errors": partial(_flag, ContentFlag.RICH_RESULT_ERROR),
    "Rich Result Warnings": partial(_flag, ContentFlag.RICH_RESULT_WARNING),
    "Rich Result Features": partial(_flag, ContentFlag.RICH_RESULT_FEATURE),
}
"""Cells that no field declares, and those that reports have otherwise than the view of pages."""
CELLS: Final[dict[str, UrlCell]] = {
    **{each.field.export: cell_of(each) for each in URL_EXPORTS},
    **_MADE,
}
"""What makes the cell under each heading; headings that are not here have empty cells."""
