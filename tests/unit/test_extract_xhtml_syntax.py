import pytest

from gossamer.extract.html_page import extract
from gossamer.extract.xhtml_syntax import html_syntax, is_xhtml
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract
from tests.cases import each_case

XMLNS = 'xmlns="http://www.w3.org/1999/xhtml"'
both_parsers = pytest.mark.parametrize("parser", list(Parser))


def read(
    inside: str, parser: Parser, content_type: str = "Application/XHTML+XML; charset=utf-8"
) -> Extract:
    markup = f'<?xml version="1.0"?><html {XMLNS}>{inside}</html>'
    headers = (("Content-Type", content_type),)
    return extract(markup.encode(), "https://example.com/", "utf-8", parser, headers)


@both_parsers
def test_empty_elements_of_xhtml_end_where_they_stand(parser: Parser) -> None:
    page = read(
        '<head><title/><script src="/s.js"/><meta name="description" content="d"/></head>'
        '<body><a id="top"/><h1>Heading</h1><div/><p>Three more words</p></body>',
        parser,
    )
    facts = page.facts
    assert (facts.title, facts.description, facts.h1) == ("", "d", "Heading")
    assert facts.word_count == 4
    assert page.targets == ["https://example.com/s.js"]


def test_html_that_looks_like_xhtml_stays_html() -> None:
    head = "<head><title/><meta name='description' content='d'/></head>"
    page = read(head, Parser.SELECTOLAX, "text/html")
    assert page.facts.description is None


@both_parsers
def test_xhtml_that_is_not_well_formed_is_read_as_html(parser: Parser) -> None:
    page = read("<head><title>Title</title></head><body><h1>Heading<p>&nbsp;", parser)
    assert (page.facts.title, page.facts.h1) == ("Title", "Heading")


@both_parsers
def test_json_ld_of_xhtml_may_be_in_a_cdata_section(parser: Parser) -> None:
    said = '{"@context": "https://schema.org", "@type": "Person", "name": "A &amp; <b>"}'
    script = f'<script type="application/ld+json"><![CDATA[{said}]]></script>'
    facts = read(f"<body>{script}</body>", parser).facts
    assert (facts.structured_types, facts.structured_faults) == ("Person", None)


@each_case(
    ("markup", "html"),
    [
        (
            f"<html {XMLNS}><br/><p class='a&quot;'/></html>",
            '<html><br><p class="a&quot;"></p></html>',
        ),
        ("<html><!-- c -->a<?php b ?>c</html>", "<html>ac</html>"),
        (f"<h:html {XMLNS.replace('=', ':h=')}><h:p/></h:html>", "<html xmlns:h=…><p></p></html>"),
        (
            f"<html {XMLNS}><title xmlns='urn:x'>a</title></html>",
            "<html><x:title>a</x:title></html>",
        ),
        (f"<html {XMLNS} xml:lang='de' lang='en'/>", '<html lang="de"></html>'),
        ("<html><p><![CDATA[<b> & c]]></p></html>", "<html><p>&lt;b&gt; &amp; c</p></html>"),
        ("<html><style>a &gt; b</style></html>", "<html><style>a > b</style></html>"),
        ("<!DOCTYPE html SYSTEM 'x.dtd'><html>a&nbsp;b</html>", "<html>a&nbsp;b</html>"),
    ],
)
def test_what_xml_means_is_written_in_html(markup: str, html: str) -> None:
    written = html_syntax(markup.encode()).decode()
    assert written.replace('"http://www.w3.org/1999/xhtml"', "…") == f"<!DOCTYPE html>{html}"


@each_case(
    "markup", ["<!DOCTYPE html [<!ENTITY a 'aa'>]><html>&a;</html>", "<p>&nbsp;</p>", "", "<p>"]
)
def test_entities_and_what_is_not_well_formed_are_left_as_they_are(markup: str) -> None:
    assert html_syntax(markup.encode()) == markup.encode()


@each_case(
    ("values", "is_it"),
    [
        (["application/xhtml+xml"], True),
        (["text/html", "Application/XHTML+xml ; charset=utf-8"], True),
        (["application/xhtml+xml", "text/html"], False),
        (["application/xml"], False),
        ([], False),
    ],
)
def test_the_content_type_says_what_is_xhtml(values: list[str], *, is_it: bool) -> None:
    assert is_xhtml({"content-type": values}) is is_it
