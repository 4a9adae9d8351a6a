"""The images of a page and their files, asked for as the crawl asks for pages."""

from pathlib import Path

from gossamer.model.messages.page_image_messages import (
    MAX_FILE_BYTES,
    ImageFile,
    ImageFormat,
    PageImage,
)
from gossamer.model.outcome import Outcome
from tests.integration.crawling import closing, crawl_all, run, sessions
from tests.sites import Response, Site

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 50
PAGE = b"<img src=/a.png width=10 loading=lazy><img src=/b.png srcset='/b2.png 2x'>"


def image(body: bytes = PNG, content_type: str = "image/png") -> Response:
    return Response(content_type=content_type, body=body)


def crawled(site: Site, path: Path) -> Path:
    site.page("/")
    crawl_all(path, site.url("/"))
    site.respond("/robots.txt", Response(body=b"User-agent: *\nDisallow: /private"))
    site.respond("/a.png", image())
    return path


def files_of(site: Site, project: Path, *paths: str) -> list[ImageFile]:
    async def main() -> list[ImageFile]:
        async with closing(sessions().open(project)) as session:
            return [await session.inspection.image_file(site.url(each)) for each in paths]

    return run(main())


def test_images_of_a_page_are_read_from_its_source_with_one_request(
    site: Site, tmp_path: Path
) -> None:
    path = crawled(site, tmp_path / "a.gossamer")
    site.respond("/", Response(body=PAGE))
    before = len(site.paths)

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            await session.inspection.source(site.url("/"))
            page = await session.inspection.images(site.url("/"))
            assert page.fetched.is_read
            assert page.images == [
                PageImage([("img", site.url("/a.png"))], "10", None, "lazy"),
                PageImage([("img", site.url("/b.png")), ("img srcset", site.url("/b2.png"))]),
            ]

    run(main())
    assert sorted(site.paths[before:]) == ["/", "/robots.txt"]


def test_files_of_images_come_with_what_they_are(site: Site, tmp_path: Path) -> None:
    path = crawled(site, tmp_path / "a.gossamer")
    site.redirect("/moved.png", "/a.png")
    site.respond("/text.png", image(b"not an image"))
    site.respond("/a.avif", image(b"\0\0\0\x1cftypavif" + b"\0" * 50, "image/avif"))
    drawing = b"<svg width='3' height='4'><path/></svg>"
    site.respond("/a.svg", image(drawing, "image/svg+xml"))
    site.respond("/b.svg", image(b"<svg><image href='file:///x'/></svg>", "image/svg+xml"))
    plain, moved, text, avif, drawn, doubtful = files_of(
        site, path, "/a.png", "/moved.png", "/text.png", "/a.avif", "/a.svg", "/b.svg"
    )
    assert (plain.format, plain.body, plain.content_type) == (ImageFormat.PNG, PNG, "image/png")
    assert (moved.url, moved.body) == (site.url("/moved.png"), PNG)
    assert (text.fetched.is_read, text.format, text.body) == (True, None, b"")
    assert (avif.format, avif.body, avif.size_bytes) == (ImageFormat.AVIF, b"", 62)
    assert (drawn.width, drawn.height, drawn.body) == (3, 4, drawing)
    assert (doubtful.format, doubtful.body) == (ImageFormat.SVG, b"")


def test_what_is_too_large_gone_or_forbidden_comes_without_a_file(
    site: Site, tmp_path: Path
) -> None:
    path = crawled(site, tmp_path / "a.gossamer")
    site.respond("/large.png", image(PNG + b"\0" * MAX_FILE_BYTES))
    site.redirect("/to-private.png", "/private.png")
    site.redirect("/loop.png", "/loop.png")
    before = len(site.paths)
    large, *others = files_of(
        site, path, "/large.png", "/private.png", "/to-private.png", "/gone.png", "/loop.png"
    )
    assert (large.is_too_large, large.body, large.format) == (True, b"", None)
    assert [each.fetched.outcome for each in others] == [
        *(Outcome.BLOCKED_BY_ROBOTS, Outcome.BLOCKED_BY_ROBOTS),
        *(Outcome.CLIENT_ERROR, Outcome.REDIRECT),
    ]
    assert not any(each.body for each in others)
    assert "/private.png" not in site.paths[before:]


def test_image_that_is_no_address_is_not_asked_for(site: Site, tmp_path: Path) -> None:
    path = crawled(site, tmp_path / "a.gossamer")

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            inline = await session.inspection.image_file("data:image/png;base64,AAAA")
            assert inline.fetched.outcome is Outcome.UNSUPPORTED_SCHEME

    run(main())
