"""The images of a page as written, and what their files are."""

from gossamer.extract.image_files import Drawing, drawing_of, format_of
from gossamer.extract.page_images import images_of
from gossamer.model.messages.page_image_messages import MAX_IMAGES, ImageFormat, PageImage
from tests.cases import each_case

URL = "https://example.com/docs/"
BASE = "https://example.com"


def test_sizes_are_those_written_and_files_are_resolved_as_links_are() -> None:
    html = b"""<base href="/media/"><a href=x><img src=a.png width=640 height="48%" loading=LAZY>
    </a><img src="../b.png#x" srcset="b1.png 1x, b2.png 2x" width=""><input type=image src=c.png>
    <picture><source srcset=d.webp width=3 height=4><img src=d.png></picture>
    <img alt=none><input src=e.png><img src=f.png style="background:url(g.png)">"""
    images, is_cut = images_of(html, None, URL)
    assert not is_cut
    assert images == [
        PageImage([("img", f"{BASE}/media/a.png")], "640", "48%", "LAZY"),
        PageImage(
            [
                ("img", f"{BASE}/b.png"),
                ("img srcset", f"{BASE}/media/b1.png"),
                ("img srcset", f"{BASE}/media/b2.png"),
            ],
            "",
        ),
        PageImage([("input", f"{BASE}/media/c.png")]),
        PageImage([("source srcset", f"{BASE}/media/d.webp")], "3", "4"),
        PageImage([("img", f"{BASE}/media/d.png")]),
        PageImage([("img", f"{BASE}/media/f.png")]),
    ]


def test_the_encoding_of_a_page_counts_for_the_addresses_of_its_images() -> None:
    html = "<img src='/ü.png?q=ü'>".encode("latin-1")
    ((image,), _) = images_of(html, "iso-8859-1", URL)
    assert image.files == [("img", f"{BASE}/%C3%BC.png?q=%FC")]


def test_no_more_images_are_read_than_are_shown() -> None:
    images, is_cut = images_of(b"<img src=a.png>" * (MAX_IMAGES + 1), None, URL)
    assert (len(images), is_cut) == (MAX_IMAGES, True)
    assert images_of(b"", None, URL) == ([], False)


def test_attributes_are_cut_and_one_line() -> None:
    ((image,), _) = images_of(b"<img src=a width='1\n2' height='" + b"9" * 500 + b"'>", None, URL)
    assert image.width == "1 2"
    assert image.height is not None
    assert len(image.height) == 40


@each_case(
    ("body", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n\0", ImageFormat.PNG),
        (b"\xff\xd8\xff\xe0", ImageFormat.JPEG),
        (b"GIF89a", ImageFormat.GIF),
        (b"RIFF\1\2\3\4WEBPVP8 ", ImageFormat.WEBP),
        (b"\0\0\1\0\1", ImageFormat.ICO),
        (b"BM", ImageFormat.BMP),
        (b"\0\0\0\x1cftypavif\0", ImageFormat.AVIF),
        (b"<svg xmlns='x'/>", ImageFormat.SVG),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a > b -->\n<svg>", ImageFormat.SVG),
        (
            b'<!DOCTYPE svg PUBLIC "-//W3C" "a.dtd"><svg width="3">',
            ImageFormat.SVG,
        ),
        (b"<html><svg>", None),
        (b"%PDF-1.4", None),
        (b"", None),
    ],
)
def test_the_first_bytes_say_which_image_it_is(body: bytes, expected: ImageFormat | None) -> None:
    assert format_of(body) is expected


@each_case(
    ("attributes", "size"),
    [
        (b'width="24" height="32px"', (24, 32)),
        (b"width='10.6' height='20' viewBox='0 0 7 8'", (11, 20)),
        (b"viewBox='0 0 10 20' width='100%'", (0, 0)),
        (b'width="3" height="4em" viewBox="0,0,7,8"', (0, 0)),
        (b'stroke-width="24" height="32"', (0, 0)),
        (b"viewBox='0 0 1'", (0, 0)),
        (b"", (0, 0)),
    ],
)
def test_the_size_of_a_drawing_is_what_it_asks_for(
    attributes: bytes, size: tuple[int, int]
) -> None:
    assert drawing_of(b"<svg " + attributes + b"><path d='M0 0'/></svg>") == Drawing(*size, True)


@each_case(
    "content",
    [
        b'<image href="file:///etc/hostname"/>',
        b'<rect fill="red" xlink:href="a"/>',
        b'<use href="#a"/>',
        b"<style>@import 'a.css'</style>",
        b'<rect fill="url(http://example.com/a)"/>',
        b'<rect stroke-dasharray="0.0001"/>',
        b"<script/>",
        b"<filter/>",
        b"<g>&lol;</g>",
        b"<path/>" * 4_000,
        b"<desc>" + b"x" * 300_000 + b"</desc>",
    ],
)
def test_drawings_that_could_load_or_repeat_something_are_not_drawn(content: bytes) -> None:
    assert not drawing_of(b"<svg>" + content + b"</svg>").is_harmless


def test_entities_and_other_encodings_make_a_drawing_doubtful() -> None:
    for head in (
        b'<!DOCTYPE svg [<!ENTITY a "b">]>',
        b'<?xml version="1.0" encoding="utf-16"?>',
        b'<?xml-stylesheet href="a.css"?>',
    ):
        assert not drawing_of(head + b"<svg/>").is_harmless
    plain = b"<?xml version='1.0' encoding='UTF-8'?><svg><g fill='url(#a)'>&amp;&#160;</g></svg>"
    assert drawing_of(plain).is_harmless


def test_markup_made_of_what_is_not_closed_is_told_from_an_image_at_once() -> None:
    for piece in (b"<!--", b"<?xml ", b"<svg '", b"<svg", b"<!DOCTYPE ", b" "):
        body = piece * 100_000
        assert format_of(body) in {None, ImageFormat.SVG}
        drawing_of(body)
