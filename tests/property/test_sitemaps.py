import gzip

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.model.link_kinds import LinkKind
from gossamer.sitemaps.sitemap_reader import NotASitemapError, Sitemap, read_sitemap

URL = "https://example.com/sitemap.xml"
LIMIT = 20

markup = st.sampled_from(
    [
        *("<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>", "<lastmod>", "</lastmod>"),
        *("<sitemapindex>", "<sitemap>", "</sitemap>", "<rss>", "<item>", "</item>", "<feed>"),
        *(
            "<entry>",
            "</entry>",
            "<link href='/l'/>",
            "<x:link rel='alternate' href='/t'>",
            "<guid>",
        ),
        *("<?xml version='1.0' encoding='utf-16'?>", "<!DOCTYPE x [<!ENTITY e 'x'>]>", "&e;", "&"),
        *("<![CDATA[", "]]>", "<!--", "-->", "https://example.com/1", "/2#x", "http://[", "<", ">"),
        *("\ufeff", "\x00", "\x01", "\ud800", "ü", "\u202e", "\n", " ", "'", '"'),
    ]
)
documents = st.one_of(
    st.binary(max_size=300),
    st.lists(markup, max_size=30).map(lambda parts: "".join(parts).encode("utf-8", "replace")),
    st.lists(markup, max_size=30).map(
        lambda parts: ("<urlset>" + "".join(parts)).encode("utf-8", "surrogatepass")
    ),
    st.lists(markup, max_size=30).map(
        lambda parts: ("\ufeff<rss>" + "".join(parts)).encode("utf-16-le", "replace")
    ),
)


def check(sitemap: Sitemap) -> None:
    """Whatever the file was, what is made of it can be stored, sent and shown."""
    assert len(sitemap.targets) == len(set(sitemap.targets))
    assert {link.target for link in sitemap.links} == set(range(len(sitemap.targets)))
    entries = [link for link in sitemap.links if link.kind is not LinkKind.ALTERNATE]
    assert len(entries) <= LIMIT
    for link in sitemap.links:
        assert link.element
        (link.text + link.rel + link.fragment).encode()
    for text in (*sitemap.targets, str(sitemap.damage)):
        assert "\x00" not in text
        assert "\n" not in text
        text.encode()


@given(documents, st.booleans())
@settings(max_examples=100)
@example(b"<urlset><url><loc>&#xD800;</loc></url></urlset>", False)
@example(b"<urlset><url><loc>/a\n/b</loc></url></urlset>", False)
def test_any_bytes_are_a_sitemap_or_refused(body: bytes, packed: bool) -> None:
    try:
        sitemap = read_sitemap(gzip.compress(body) if packed else body, URL, limit=LIMIT)
    except NotASitemapError as e:
        sentence = str(e)
    else:
        check(sitemap)
        sentence = "it is one"
    assert sentence.isprintable()


@given(st.binary(max_size=200))
def test_reading_any_gzip_file_terminates(rest: bytes) -> None:
    packed = gzip.compress(b"<urlset><url><loc>/1</loc></url></urlset>")
    for body in (packed[:10] + rest, packed + rest, packed[: len(packed) // 2] + rest):
        try:
            check(read_sitemap(body, URL, limit=LIMIT))
        except NotASitemapError:
            continue


@given(st.lists(st.from_regex(r"/[a-z0-9&?=.%-]{0,12}", fullmatch=True), max_size=LIMIT))
def test_each_listed_url_is_returned_once(paths: list[str]) -> None:
    entries = "".join(f"<url><loc>{path}</loc></url>" for path in paths)
    raw = read_sitemap(f"<urlset>{entries}</urlset>".replace("&", "&amp;").encode(), URL)
    assert len(raw.links) == len(paths)
    assert raw.damage is None
    assert read_sitemap(f"<urlset>{entries}</urlset>".encode(), URL, limit=LIMIT).damage is None
