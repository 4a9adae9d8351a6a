"""From the bytes of an HTML page to facts and links."""

from collections.abc import Callable
from hashlib import blake2b

from app.extract.charset import sniff
from app.extract.facts import read_facts
from app.extract.findings import Findings
from app.extract.labels import Encoding
from app.extract.lexbor import find as find_with_lexbor
from app.extract.links import base_url, read_links
from app.model.page import Extract
from app.model.settings import Parser

HASH_BYTES = 16


class ExtractError(Exception):
    """A parser gave up on a page. The cause is chained; the page is at fault, or the parser."""


def extract(body: bytes, url: str, charset_header: str | None, parser: Parser) -> Extract:
    """Facts and links of the HTML page `body` at the serialised URL `url`.

    `charset_header` is the charset of its Content-Type header. Any bytes will do: there is no
    page so bad that nothing comes back. Raises ExtractError if the parser fails all the same.
    Queries of links are encoded in UTF-8, whatever the page's own encoding.
    """
    encoding, mark_bytes = sniff(body, charset_header)
    markup = body[mark_bytes:] if mark_bytes else body
    try:
        findings = _back_end(parser)(markup, encoding)
    except Exception as e:
        raise ExtractError(f"the parser {parser} failed: {e}") from e
    base = base_url(findings.elements, url)
    targets, links = read_links(findings.elements, base)
    facts = read_facts(findings, base, blake2b(body, digest_size=HASH_BYTES).digest())
    return Extract(facts=facts, charset=encoding.name, targets=targets, links=links)


def _back_end(parser: Parser) -> Callable[[bytes, Encoding], Findings]:
    if parser is Parser.SELECTOLAX:
        return find_with_lexbor
    # Loads lxml, which only crawls that ask for it pay for.
    from app.extract.soup import find as find_with_soup  # noqa: PLC0415

    return find_with_soup
