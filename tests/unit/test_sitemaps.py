import gzip

import pytest

from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome_details import DetailCode
from gossamer.model.visit import Link, PageLinks
from gossamer.sitemaps.sitemap_reader import (
    MAX_DECODED_BYTES,
    MAX_RATIO,
    NotASitemapError,
    Sitemap,
    SitemapForm,
    inflated,
    read_sitemap,
)
from tests.cases import each_case

URL = "https://example.com/maps/sitemap.xml"

URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc> https://example.com/a?x=1&amp;y=2 </loc>
    <lastmod>2024-01-31</lastmod>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a"/>
    <image:image><image:loc>https://example.com/picture.png</image:loc></image:image>
  </url>
  <url><loc>https://example.com/b#part</loc></url>
</urlset>"""


def pages(body: bytes) -> list[str]:
    """The targets of a sitemap's entries."""
    sitemap = read_sitemap(body, URL)
    return [
        sitemap.targets[link.target]
        for link in sitemap.links
        if link.kind in {LinkKind.SITEMAP, LinkKind.SITEMAP_INDEX}
    ]


def urlset(*locations: str) -> bytes:
    entries = "".join(f"<url><loc>{location}</loc></url>" for location in locations)
    return f"<urlset>{entries}</urlset>".encode()


def test_a_urlset_lists_pages_dates_and_translations() -> None:
    assert read_sitemap(URLSET, URL) == Sitemap(
        form=SitemapForm.URLSET,
        targets=[
            "https://example.com/a?x=1&y=2",
            "https://example.com/de/a",
            "https://example.com/b",
        ],
        links=PageLinks.of(
            [
                Link(0, LinkKind.SITEMAP, "2024-01-31", "", "url loc"),
                Link(1, LinkKind.ALTERNATE, "de", "alternate", "xhtml:link"),
                Link(2, LinkKind.SITEMAP, "", "", "url loc", "#part"),
            ]
        ),
    )


def test_an_index_lists_sitemaps() -> None:
    body = (
        b"<sitemapindex><sitemap><loc>1.xml.gz</loc><lastmod>2024</lastmod></sitemap>"
        b"<sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>"
    )
    sitemap = read_sitemap(body, URL)
    assert sitemap.form is SitemapForm.INDEX
    assert sitemap.targets == ["https://example.com/maps/1.xml.gz", "https://example.com/2.xml"]
    assert list(sitemap.links) == [
        Link(0, LinkKind.SITEMAP_INDEX, "2024", "", "sitemap loc"),
        Link(1, LinkKind.SITEMAP_INDEX, "", "", "sitemap loc"),
    ]


def test_rss_lists_the_links_of_its_items() -> None:
    sitemap = read_sitemap(
        b"<rss version='2.0'><channel><link>https://example.com/</link>"
        b"<item><link>https://example.com/1</link><pubDate>Mon, 1 Jan</pubDate>"
        b"<atom:link href='/self'/><guid>https://example.com/g</guid></item>"
        b"<item><link><![CDATA[https://example.com/2?a=1&b=2]]></link></item>"
        b"<item><guid>https://example.com/3</guid></item>"
        b"<item><guid isPermaLink='false'>https://example.com/4</guid></item>"
        b"<item><guid>tag:example.com,5</guid></item><item/></channel></rss>",
        URL,
    )
    assert sitemap.form is SitemapForm.RSS
    assert sitemap.targets == [
        "https://example.com/1",
        "https://example.com/2?a=1&b=2",
        "https://example.com/3",
    ]
    assert [(link.text, link.element) for link in sitemap.links] == [
        ("Mon, 1 Jan", "item link"),
        ("", "item link"),
        ("", "item guid"),
    ]


def test_atom_lists_the_alternates_of_its_entries() -> None:
    sitemap = read_sitemap(
        b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='/'/>"
        b"<entry><link rel='self' href='/s'/><link href='/1'/><updated>2024</updated>"
        b"<link rel='alternate' hreflang='de' href='/de/1'/></entry>"
        b"<entry><link rel='enclosure' href='/e'/></entry></feed>",
        URL,
    )
    assert sitemap.form is SitemapForm.ATOM
    assert sitemap.targets == ["https://example.com/1", "https://example.com/de/1"]
    assert list(sitemap.links) == [
        Link(0, LinkKind.SITEMAP, "2024", "", "entry link"),
        Link(1, LinkKind.ALTERNATE, "de", "alternate", "entry link"),
    ]


def test_a_text_lists_one_address_in_each_line() -> None:
    sitemap = read_sitemap(
        "\ufeffhttps://example.com/1\r\n\r\n  https://example.com/ü \n# no\rHTTP://example.com/3".encode(),
        URL,
    )
    assert sitemap.form is SitemapForm.TEXT
    assert sitemap.targets == [
        "https://example.com/1",
        "https://example.com/%C3%BC",
        "http://example.com/3",
    ]
    assert next(iter(sitemap.links)) == Link(0, LinkKind.SITEMAP, "", "", "line")


@each_case(
    "body",
    [
        b"\n \n" + URLSET,
        b"\xef\xbb\xbf" + URLSET,
        URLSET.replace(b"http://www.sitemaps.org/schemas/sitemap/0.9", b"http://wrong.example/"),
        URLSET.replace(b"urlset", b"sm:urlset").replace(b"loc>", b"sm:loc>"),
        URLSET.replace(b"urlset", b"URLSET"),
        URLSET.replace(b"&amp;", b"&"),
        URLSET.replace(b"UTF-8", b"ISO-8859-1"),
        URLSET.replace(b"UTF-8", b"nonsense"),
        URLSET.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        URLSET.decode().encode("utf-16-be"),
        b"<?xml version='1.0'?><!DOCTYPE urlset SYSTEM 'file:///etc/passwd'>" + URLSET[39:],
        gzip.compress(URLSET),
        gzip.compress(gzip.compress(URLSET)),
        gzip.compress(URLSET[:100]) + gzip.compress(URLSET[100:]),
        gzip.compress(URLSET) + b"\0" * 512,
    ],
)
def test_errors_that_search_engines_accept_are_accepted(body: bytes) -> None:
    assert read_sitemap(body, URL) == read_sitemap(URLSET, URL)


@pytest.mark.parametrize("codec", ["windows-1251", "koi8-r", "shift_jis", "utf-8"])
def test_the_declared_encoding_counts(codec: str) -> None:
    text = f"<?xml version='1.0' encoding='{codec}'?><urlset><url><loc>/Я</loc></url></urlset>"
    assert pages(text.encode(codec)) == ["https://example.com/%D0%AF"]


@each_case(
    ("location", "target"),
    [
        ("/a?x=1&y=2&z", "https://example.com/a?x=1&y=2&z"),
        ("/a?x=1&amp;copy=2&nbsp;&lt;", "https://example.com/a?x=1&copy=2&nbsp;%3C"),
        ("/a?x&#38;y&#x26;z&#;", "https://example.com/a?x&y&z&"),
        ("<![CDATA[/a?x&y]]>&z", "https://example.com/a?x&y&z"),
        ("http://[", "http://["),
    ],
)
def test_malformed_locations_are_corrected(location: str, target: str) -> None:
    assert pages(urlset(location)) == [target]


@each_case(
    ("body", "damage"),
    [
        (urlset("/1", "/2")[:-15], "not well-formed"),
        (urlset("/1", "/2").replace(b"</urlset>", b"<url><loc>/3</oops>"), "not well-formed"),
        (urlset("/1", "/2").replace(b"</urlset>", b"\x01<url><loc>/3</loc>"), "not well-formed"),
        (urlset("/1", "/2") + b"<more/>", "not well-formed"),
        (urlset("/1", "/2")[:-9] + b"<x>" * 100, "nested too deep"),
        (urlset("/1", "/2")[:-9] + b"<x a='" + b"x" * 2_000_000, "a text of more than"),
        (urlset("/1", "/2")[:-9] + b"<x a='" + b">" * 2_000_000, "a tag of more than"),
        (urlset("/1", "/2")[:-9] + b"<!--" + b" >" * 2_000_000, "a tag of more than"),
    ],
)
def test_damage_ends_the_list_and_is_reported(body: bytes, damage: str) -> None:
    assert pages(body) == ["https://example.com/1", "https://example.com/2"]
    assert damage in str(read_sitemap(body, URL).damage)


@each_case(
    ("rest", "why"),
    [
        (b"", DetailCode.XML_NO_ELEMENT),
        (b"</oops>", DetailCode.XML_MISMATCH),
        (b"\x01", DetailCode.XML_TOKEN),
        (b"<x", DetailCode.XML_UNCLOSED),
        (b"<x a='1' a='2'/>", DetailCode.XML_ATTRIBUTE_TWICE),
        (b"</urlset><more/>", DetailCode.XML_JUNK),
        (b"&#0;", DetailCode.XML_CHARACTER),
        (b"<?xml version='1.0'?>", DetailCode.XML_DECLARATION),
        (b"<![CDATA[", DetailCode.XML_CDATA),
    ],
)
def test_malformed_xml_is_reported_with_its_position(rest: bytes, why: DetailCode) -> None:
    found = read_sitemap(urlset("/1").removesuffix(b"</urlset>") + rest, URL).damage
    assert found is not None
    assert found.code is DetailCode.XML_MALFORMED
    said, line, column = found.values
    assert said == why()
    assert isinstance(line, int)
    assert isinstance(column, int)


def test_an_entry_that_breaks_off_after_its_location_counts() -> None:
    assert pages(b"<urlset><url><loc>/1</loc><last") == ["https://example.com/1"]


def test_compressed_data_that_is_cut_or_damaged_yields_what_came_before() -> None:
    names = [f"/{number * 7919 % 10_007}" for number in range(5000)]
    packed = gzip.compress(urlset(*names))
    cut = read_sitemap(packed[: len(packed) // 2], URL)
    damaged = read_sitemap(packed[:5000] + b"\xff" * 100 + packed[5100:], URL)
    assert 0 < len(cut.links) < 5000
    assert str(cut.damage) == "its compressed data is cut"
    assert 0 < len(damaged.links) < 5000
    assert str(damaged.damage).startswith("its compressed data is damaged")


@each_case(
    ("body", "sentence"),
    [
        (b"", "it is empty"),
        (b"<!DOCTYPE html><title>Not found</title>", "it is an HTML page"),
        (b"\n<!-- x --> <HTML>", "it is an HTML page"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html></html>", "root element is html"),
        (b"<opml></opml>", "root element is opml"),
        (b"<urlset", "it looks like XML, but it is not well-formed"),
        (b"{}", "neither XML nor a URL list"),
        (b"%PDF-1.7", "neither XML nor a URL list"),
        (b"\x1f\x8b", "it is empty: its compressed data is cut"),
        (b"Nothing to see here.", "neither XML nor a URL list"),
        (b"<!---->" * 500 + b"<x>", "root element is x"),
    ],
)
def test_other_files_are_an_error_that_names_their_type(body: bytes, sentence: str) -> None:
    with pytest.raises(NotASitemapError, match=sentence):
        read_sitemap(body, URL)


@pytest.mark.parametrize(
    "declarations",
    [
        '<!ENTITY a "/x"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">',
        '<!ENTITY c SYSTEM "file:///etc/passwd">',
        '<!ENTITY % c SYSTEM "http://127.0.0.1:9/x.dtd"> %c;',
    ],
)
def test_entities_are_refused_before_any_is_used(declarations: str) -> None:
    body = f"<!DOCTYPE urlset [{declarations}]><urlset><url><loc>&c;</loc></url></urlset>"
    with pytest.raises(NotASitemapError, match="it declares entities"):
        read_sitemap(body.encode(), URL)


def test_the_number_of_entries_is_limited() -> None:
    body = urlset(*(f"/{number}" for number in range(12)))
    sitemap = read_sitemap(body, URL, limit=10)
    assert len(sitemap.links) == 10
    assert str(sitemap.damage) == "only its first 10 entries were read"
    assert read_sitemap(body, URL, limit=12).damage is None
    text = b"https://example.com/\n" * 12
    assert str(read_sitemap(text, URL, limit=10).damage) == "only its first 10 entries were read"


def test_the_number_of_translations_is_limited() -> None:
    entry = "<url><loc>/a</loc>" + "<link rel='alternate' href='/b'/>" * 4 + "</url>"
    sitemap = read_sitemap(f"<urlset>{entry}{entry}</urlset>".encode(), URL, alternates=3)
    kinds = [link.kind for link in sitemap.links]
    assert kinds == [LinkKind.SITEMAP, *[LinkKind.ALTERNATE] * 3, LinkKind.SITEMAP]
    assert str(sitemap.damage) == "only its first 3 translations were read"


BOMB_BYTES = 10 * 1024 * 1024
"""Fewer than a sitemap may have that is not as well compressed."""


@pytest.fixture(scope="module")
def bomb() -> bytes:
    return gzip.compress(b"<urlset>" + b" " * BOMB_BYTES)


def test_a_compression_bomb_is_truncated(bomb: bytes) -> None:
    data, damage = inflated(bomb)
    assert len(data) <= len(bomb) * MAX_RATIO < BOMB_BYTES < MAX_DECODED_BYTES
    assert str(damage).startswith("only its first ")
    assert read_sitemap(bomb, URL).damage == damage


def test_a_nested_compression_bomb_is_truncated(bomb: bytes) -> None:
    data, damage = inflated(gzip.compress(bomb))
    assert len(data) <= len(bomb) * MAX_RATIO < BOMB_BYTES
    assert str(damage).startswith("only its first ")


def test_a_sitemap_that_is_too_large_is_truncated() -> None:
    data, damage = inflated(b"x" * (MAX_DECODED_BYTES + 1))
    assert len(data) == MAX_DECODED_BYTES
    assert str(damage) == "only its first 52,428,800 bytes were read"
