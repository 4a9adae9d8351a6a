import pytest

from app.extract import ExtractError, extract, page
from app.extract.findings import MAX_TEXT_NODES, Findings
from app.extract.labels import Encoding
from app.extract.links import MAX_LINKS
from app.model.settings import Parser

URL = "https://example.com/docs/page.html"
NESTED = 20_000


@pytest.mark.parametrize(
    ("body", "links"),
    [
        (b"<div>" * NESTED + b"<a href=/x>x</a>", {Parser.SELECTOLAX: 1}),
        (b"<b>" * NESTED + b"<a href=/x>x</a>", {Parser.SELECTOLAX: 1}),
        (b"<a href=/x>" * (MAX_LINKS + 1), {Parser.SELECTOLAX: MAX_LINKS}),
        (b"<object><a href=/x>" * 5_000, {Parser.SELECTOLAX: 5_000}),
        (b"<svg>" * 5_000 + b"<title>x</title>" * 5_000, {Parser.SELECTOLAX: 0}),
        (b"<p " + b"".join(b"a%d=1 " % number for number in range(20_000)) + b">", {}),
        (b"<!--" * 50_000 + b"\xff", {}),
        (b"<" * 1_000_000 + b"\xff", {}),
        (b"<a href='" + b"x" * 1_000_000 + b"'>" + b"x" * 1_000_000, {}),
        (b"<a href=/x>" + b"<i>x" * (2 * MAX_TEXT_NODES), {}),
        (b"[" * 100_000, {}),
        (b"<?xml version='1.0'?><rss><channel><link>x</link></channel></rss>", {}),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><a href='/x'/></svg>", {}),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", {}),
    ],
    ids=lambda value: value[:24].decode("latin-1") if isinstance(value, bytes) else "",
)
@pytest.mark.parametrize("parser", list(Parser))
def test_pages_made_to_break_parsers_are_read(
    body: bytes, links: dict[Parser, int], parser: Parser
) -> None:
    extracted = extract(body, URL, None, parser)
    assert len(extracted.links) == links.get(parser, len(extracted.links))
    assert {link.target for link in extracted.links} == set(range(len(extracted.targets)))
    for text in (extracted.facts.title, *extracted.targets, *(x.text for x in extracted.links)):
        assert "\x00" not in (text or "")
        (text or "").encode()


def test_a_parser_that_gives_up_is_an_extract_error_with_its_cause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = RecursionError("too deep")

    def give_up(body: bytes, encoding: Encoding) -> Findings:
        del body, encoding
        raise fault

    monkeypatch.setattr(page, "find_with_lexbor", give_up)
    with pytest.raises(ExtractError, match="too deep") as caught:
        extract(b"<p>x</p>", URL, None, Parser.SELECTOLAX)
    assert caught.value.__cause__ is fault
