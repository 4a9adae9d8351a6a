"""Yes-or-no facts of a page, as bits of a few numbers: markup, content, directives.

The bits are stored in project files: a bit, once assigned, keeps its meaning.
"""

from enum import IntFlag
from typing import Final


class MarkupFlag(IntFlag):
    """What is unusual about the elements of a page. Stored in `visit.markup`.

    "Outside head" is decided by the tree that the HTML Standard builds. Empty headings do not
    count in MULTIPLE_H1 and MULTIPLE_H2.
    """

    MULTIPLE_TITLES = 1 << 0
    TITLE_OUTSIDE_HEAD = 1 << 1
    MULTIPLE_DESCRIPTIONS = 1 << 2
    DESCRIPTION_OUTSIDE_HEAD = 1 << 3
    MULTIPLE_KEYWORDS = 1 << 4
    MULTIPLE_H1 = 1 << 5
    H1_ALT_TEXT = 1 << 6
    """The text of an h1 is the alternative text of an image."""
    H1_NON_SEQUENTIAL = 1 << 7
    """The first h1 is not the first heading."""
    MULTIPLE_H2 = 1 << 8
    H2_NON_SEQUENTIAL = 1 << 9
    """The first h2 is not the next heading of another level after the h1."""
    MULTIPLE_CANONICALS = 1 << 10
    CONFLICTING_CANONICALS = 1 << 11
    """Canonicals, in elements and headers, that name different URLs."""
    CANONICAL_RELATIVE = 1 << 12
    CANONICAL_FRAGMENT = 1 << 13
    CANONICAL_INVALID_ATTRIBUTE = 1 << 14
    """A canonical element with hreflang, lang, media or type."""
    CANONICAL_OUTSIDE_HEAD = 1 << 15
    ROBOTS_OUTSIDE_HEAD = 1 << 16
    HREFLANG_OUTSIDE_HEAD = 1 << 17
    HREFLANG = 1 << 18
    """Names alternates in other languages, in elements or headers."""
    HREFLANG_INVALID_CODE = 1 << 19
    PAGINATION = 1 << 20
    """Has rel=next or rel=prev, in elements or headers."""
    MULTIPLE_PAGINATION = 1 << 21
    """Several rel=next that differ, or several rel=prev."""
    INVALID_IN_HEAD = 1 << 22
    """An element in the head, as written, that ends the head of the tree."""
    BODY_BEFORE_HTML = 1 << 23
    HEAD_NOT_FIRST = 1 << 24
    MISSING_HEAD = 1 << 25
    MULTIPLE_HEADS = 1 << 26
    MISSING_BODY = 1 << 27
    MULTIPLE_BODIES = 1 << 28
    AJAX_FRAGMENT = 1 << 29
    """`<meta name="fragment" content="!">`: the old AJAX crawling scheme."""
    NO_LANGUAGE = 1 << 30
    """`<html>` has no lang attribute, or an empty one."""
    EMPTY_LINK = 1 << 31
    """A link without any text, alternative text or aria-label."""
    EMPTY_BUTTON = 1 << 32
    MISSING_LABEL = 1 << 33
    """A form field without label, aria-label, aria-labelledby or title."""
    HEADING_SKIPPED = 1 << 34
    """A heading more than one level below the one before it."""
    CANONICAL_EMPTY = 1 << 35
    """The only canonical elements have an empty href."""
    MISSING_ALT = 1 << 36
    """An image without alt, aria-label, aria-labelledby, title or role=presentation or none."""
    AMP = 1 << 37
    """`<html amp>` or `<html ⚡>`: an AMP page."""
    LATER_SELF_CANONICAL = 1 << 38
    """A canonical after the first of elements, or of headers, names the page itself."""


class ContentFlag(IntFlag):
    """What is remarkable in text, links, forms and headers of a page. Stored in `visit.content`."""

    LOREM_IPSUM = 1 << 0
    MIXED_CONTENT = 1 << 1
    """An HTTPS page that loads a resource over plain HTTP."""
    INSECURE_FORM = 1 << 2
    """An HTTPS page with a form that is sent over plain HTTP."""
    HAS_FORM = 1 << 3
    UNSAFE_CROSS_ORIGIN = 1 << 4
    """A link to another origin with target=_blank and neither noopener nor noreferrer."""
    PROTOCOL_RELATIVE = 1 << 5
    """A resource whose URL begins with `//`."""
    LOCALHOST_LINK = 1 << 6
    UNCRAWLABLE_LINK = 1 << 7
    """`javascript:`, or `<a>` with onclick or routerLink and without href."""
    NO_ANCHOR_TEXT = 1 << 8
    """An internal link without anchor text."""
    GENERIC_ANCHOR_TEXT = 1 << 9
    """An internal link whose anchor text says nothing of its target, such as "click here"."""
    NOFOLLOW_LINK = 1 << 10
    """An internal link with rel=nofollow."""
    MISSING_HSTS = 1 << 11
    MISSING_CSP = 1 << 12
    MISSING_CONTENT_TYPE_OPTIONS = 1 << 13
    MISSING_FRAME_OPTIONS = 1 << 14
    MISSING_REFERRER_POLICY = 1 << 15
    BAD_CONTENT_TYPE = 1 << 16
    """A Content-Type that is missing, malformed, or not that of the content."""
    INSECURE_COOKIE = 1 << 17
    """A cookie without Secure, HttpOnly or SameSite."""
    JSON_LD = 1 << 18
    MICRODATA = 1 << 19
    RDFA = 1 << 20
    STRUCTURED_DATA_PARSE_ERROR = 1 << 21
    STRUCTURED_DATA_ERROR = 1 << 22
    STRUCTURED_DATA_WARNING = 1 << 23
    RICH_RESULT_ERROR = 1 << 24
    RICH_RESULT_WARNING = 1 << 25
    RICH_RESULT_FEATURE = 1 << 26
    ANCHORS_CUT = 1 << 27
    """The page has more ids than `anchor_ids` keeps."""
    PASSWORD_FIELD = 1 << 28
    """A field for a password."""


class Directive(IntFlag):
    """What robots are told, in meta elements and X-Robots-Tag. Stored in `visit.directives`."""

    INDEX = 1 << 0
    NOINDEX = 1 << 1
    FOLLOW = 1 << 2
    NOFOLLOW = 1 << 3
    NONE = 1 << 4
    NOARCHIVE = 1 << 5
    NOSNIPPET = 1 << 6
    MAX_SNIPPET = 1 << 7
    MAX_IMAGE_PREVIEW = 1 << 8
    MAX_VIDEO_PREVIEW = 1 << 9
    NOODP = 1 << 10
    NOYDIR = 1 << 11
    NOIMAGEINDEX = 1 << 12
    NOTRANSLATE = 1 << 13
    UNAVAILABLE_AFTER = 1 << 14
    REFRESH = 1 << 15
    """A refresh that is no redirect: it waits longer than a second, or loads the page again."""
    ALL = 1 << 16


class RenderFlag(IntFlag):
    """How the rendered page differs from its HTML, and what a phone shows of it.

    Stored in `visit.javascript`. `MOBILE_FLAGS` are of pages rendered as a phone shows them.
    """

    NOINDEX_ONLY_IN_HTML = 1 << 0
    NOFOLLOW_ONLY_IN_HTML = 1 << 1
    CANONICAL_ONLY_IN_RENDERED = 1 << 2
    CANONICAL_MISMATCH = 1 << 3
    TITLE_ONLY_IN_RENDERED = 1 << 4
    TITLE_UPDATED = 1 << 5
    DESCRIPTION_ONLY_IN_RENDERED = 1 << 6
    DESCRIPTION_UPDATED = 1 << 7
    H1_ONLY_IN_RENDERED = 1 << 8
    H1_UPDATED = 1 << 9
    LINKS = 1 << 10
    """Hyperlinks that are not in the HTML."""
    CONTENT = 1 << 11
    """Text that is not in the HTML."""
    BLOCKED_RESOURCES = 1 << 12
    """Files of the page that robots.txt blocks."""
    ERRORS = 1 << 13
    WARNINGS = 1 << 14
    SMALL_TARGETS = 1 << 15
    """Links or buttons too small and too close to each other."""
    WIDE_CONTENT = 1 << 16
    """Content wider than the screen."""
    SMALL_TEXT = 1 << 17
    """Much text that is too small to be read."""
    OVERLAY = 1 << 18
    """Most of the screen is covered by what stays above the content."""
    WEB_SOCKETS = 1 << 19
    """Scripts wanted a WebSocket, and got none."""


MOBILE_FLAGS: Final = (
    RenderFlag.SMALL_TARGETS | RenderFlag.WIDE_CONTENT | RenderFlag.SMALL_TEXT | RenderFlag.OVERLAY
)
"""Those of pages rendered as a phone shows them."""
