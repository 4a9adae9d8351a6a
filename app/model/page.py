"""What is learnt from one answer: facts about the page, links, and the answer itself."""

from enum import IntEnum

from msgspec import Struct

from app.model.outcome import Outcome


class LinkKind(IntEnum):
    """The element a link was found in. Stored in `link.kind`."""

    ANCHOR = 1
    AREA = 2
    FRAME = 3
    """`<frame src>` and `<iframe src>`."""
    REDIRECT = 4
    """The Location of a 3xx answer."""
    IMAGE = 5
    SCRIPT = 6
    STYLESHEET = 7
    CANONICAL = 8
    ALTERNATE = 9
    PAGINATION = 10
    """`<link rel="next">` and `<link rel="prev">`."""
    ICON = 11
    MEDIA = 12
    """`<video> <audio> <source> <track> <embed> <object>`."""
    FORM = 13
    OTHER = 14
    """Any other `<link href>`."""


FOLLOWED_KINDS = frozenset({LinkKind.ANCHOR, LinkKind.AREA, LinkKind.FRAME})
"""Kinds whose targets are crawled. Redirects are followed too, within the redirect limit."""


class Link(Struct, frozen=True, array_like=True, gc=False):
    """One link as it stands in a page, in document order.

    `target` indexes `Visit.targets`. `text` is the anchor text, or the alternative text of an
    image; white space collapsed, at most 500 characters. `rel` is the attribute's tokens in
    lower case, separated by one space.
    """

    target: int
    kind: LinkKind
    text: str = ""
    rel: str = ""


class PageFacts(Struct, frozen=True, array_like=True, gc=False):
    """What an HTML page says about itself. Texts are clean (see `app.model.text`).

    Texts are None when the element is missing and "" when it is there but empty. `title`, `h1`,
    `description`, `robots` are from the first such element. `canonical` is resolved, or as
    written where it is no URL. `language` is the lang attribute of `<html>`. `word_count` counts
    words of the visible text. `content_hash` is 16 bytes of BLAKE2b over the decoded body.
    """

    title: str | None = None
    h1: str | None = None
    description: str | None = None
    robots: str | None = None
    canonical: str | None = None
    language: str | None = None
    word_count: int = 0
    content_hash: bytes = b""


class Extract(Struct, frozen=True, gc=False):
    """What a page's bytes yield: facts, distinct targets, links.

    `targets` are WHATWG-serialised URLs without fragment, each once, in order of first
    appearance; what cannot be parsed as a URL stands there as written.
    """

    facts: PageFacts
    charset: str
    targets: list[str]
    links: list[Link]


class Visit(Struct, frozen=True, array_like=True):
    """One hop: what came of asking one URL once. The page worker's answer to a job.

    `status` is None when no usable answer came. `headers` are as received, in order. `location`
    is the redirect's target, resolved and serialised without fragment; None unless `outcome` is
    REDIRECT. `content_type` is the MIME type alone, in lower case. `size_bytes` is the decoded
    body (as far as it was read), `raw_bytes` what came over the wire for it. `ttfb_ms` is the
    time to the response headers, `elapsed_ms` to the last byte. `fetched_at` is Unix time in
    seconds. `detail` is the technical detail of a failure, one line. `truncated` says that the
    body was cut: by a cap or by the server.
    """

    outcome: Outcome
    status: int | None = None
    reason: str = ""
    headers: list[tuple[str, str]] = []
    location: str | None = None
    content_type: str = ""
    charset: str = ""
    size_bytes: int = 0
    raw_bytes: int = 0
    ttfb_ms: int = 0
    elapsed_ms: int = 0
    fetched_at: float = 0.0
    detail: str = ""
    transient: bool = False
    """Worth another try: the failure may pass."""
    truncated: bool = False
    facts: PageFacts | None = None
    targets: list[str] = []
    links: list[Link] = []
