"""Declares the facts that an HTML page states about itself; `extract/facts/` fills them in."""

from typing import Annotated

from msgspec import Struct

from gossamer.model.fields.field_declaration import ColumnSet, Field, FieldGroup, FieldKind

_PAGE = FieldGroup.PAGE
_SEO = (ColumnSet.SEO,)


class PageFields(Struct, frozen=True, array_like=True, gc=False):
    """The facts of a page that the project file keeps. Texts are clean (see `model.text_cleaning`).

    They are None when the element is missing and "" when it is there but empty; all are None of
    what is no page.
    """

    title: Annotated[
        str | None,
        Field(
            "Title",
            export="Title 1",
            doc="the first `<title>` that is not empty",
            width=30,
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=(ColumnSet.ESSENTIALS, ColumnSet.SEO),
            folded=True,
        ),
    ] = None
    h1: Annotated[
        str | None,
        Field(
            "H1",
            export="H1-1",
            doc="the first `<h1>` that is not empty",
            width=26,
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
        ),
    ] = None
    description: Annotated[
        str | None,
        Field(
            "Meta description",
            export="Meta Description 1",
            doc='the first `<meta name="description">` that is not empty',
            width=26,
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
        ),
    ] = None
    canonical: Annotated[
        str | None,
        Field(
            "Canonical",
            export="Canonical Link Element 1",
            doc=(
                'the first `<link rel="canonical">` whose href is not empty, resolved, or as'
                " written if it is not a URL"
            ),
            width=36,
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    robots: Annotated[
        str | None,
        Field(
            "Meta robots",
            export="Meta Robots 1",
            doc=(
                'the combined directives of `<meta name="robots">` and of those with the crawler\'s'
                " name"
            ),
            group=_PAGE,
            in_table=False,
            pooled=True,
        ),
    ] = None
    language: Annotated[
        str | None,
        Field(
            "Language",
            export="Language",
            doc="the `lang` attribute of `<html>`",
            width=11,
            group=_PAGE,
            sets=_SEO,
            pooled=True,
            folded=True,
        ),
    ] = None
    word_count: Annotated[
        int | None,
        Field(
            "Word count",
            export="Word Count",
            doc="words of the text that counts as content; NULL if it is not a page",
            column="words",
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    content_hash: Annotated[
        bytes | None,
        Field(export="Hash", doc="the first 16 bytes of the SHA-256 hash of the decoded body"),
    ] = None
    title_pixels: Annotated[
        int | None,
        Field(
            "Title width",
            export="Title 1 Pixel Width",
            doc="the width of the title in a search result, in pixels",
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    title_2: Annotated[
        str | None,
        Field(
            "Title 2",
            export="Title 2",
            doc="the second `<title>` that is not empty",
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
            width=26,
        ),
    ] = None
    description_pixels: Annotated[
        int | None,
        Field(
            "Description width",
            export="Meta Description 1 Pixel Width",
            doc="the width of the description in a search result, in pixels",
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    description_2: Annotated[
        str | None,
        Field(
            "Meta description 2",
            export="Meta Description 2",
            doc='the second `<meta name="description">` that is not empty',
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
            width=26,
        ),
    ] = None
    keywords: Annotated[
        str | None,
        Field(
            "Meta keywords",
            export="Meta Keywords 1",
            doc='the first `<meta name="keywords">` that is not empty',
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
            width=26,
        ),
    ] = None
    h1_2: Annotated[
        str | None,
        Field(
            "H1 2",
            export="H1-2",
            doc="the second `<h1>` that is not empty",
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
            width=26,
        ),
    ] = None
    h2: Annotated[
        str | None,
        Field(
            "H2",
            export="H2-1",
            doc="the first `<h2>` that is not empty",
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
            width=26,
        ),
    ] = None
    h2_2: Annotated[
        str | None,
        Field(
            "H2 2",
            export="H2-2",
            doc="the second `<h2>` that is not empty",
            kind=FieldKind.SNIPPET,
            group=_PAGE,
            sets=_SEO,
            folded=True,
            width=26,
        ),
    ] = None
    heading_levels: Annotated[
        str | None,
        Field(
            "Heading levels",
            export="Heading Levels",
            doc="levels of the headings that are not empty, in order, such as `1223`; at most 200",
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    canonical_header: Annotated[
        str | None,
        Field(
            "Canonical (HTTP)",
            export="HTTP Canonical",
            doc="the first canonical of the Link headers, resolved",
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    next_url: Annotated[
        str | None,
        Field(
            "rel=next",
            export='rel="next" 1',
            doc='the first `<link rel="next">`, resolved',
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    prev_url: Annotated[
        str | None,
        Field(
            "rel=prev",
            export='rel="prev" 1',
            doc='the first `<link rel="prev">`, resolved',
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    next_header: Annotated[
        str | None,
        Field(
            "rel=next (HTTP)",
            export='HTTP rel="next" 1',
            doc="the first rel=next of the Link headers, resolved",
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    prev_header: Annotated[
        str | None,
        Field(
            "rel=prev (HTTP)",
            export='HTTP rel="prev" 1',
            doc="the first rel=prev of the Link headers, resolved",
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    amp_url: Annotated[
        str | None,
        Field(
            "AMP page",
            export="amphtml Link Element",
            doc='the first `<link rel="amphtml">`, resolved',
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    mobile_url: Annotated[
        str | None,
        Field(
            "Mobile page",
            export="Mobile Alternate Link",
            doc='the first `<link rel="alternate">` for small screens by its media attribute',
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    refresh: Annotated[
        str | None,
        Field(
            "Meta refresh",
            export="Meta Refresh 1",
            doc='the first `<meta http-equiv="refresh">` outside of `noscript`, as written',
            group=_PAGE,
            in_table=False,
            pooled=True,
        ),
    ] = None
    viewport: Annotated[
        str | None,
        Field(
            "Viewport",
            export="Viewport",
            doc='the first `<meta name="viewport">`',
            group=_PAGE,
            in_table=False,
            pooled=True,
        ),
    ] = None
    sentence_count: Annotated[
        int | None,
        Field(
            "Sentences",
            export="Sentence Count",
            doc="sentences in the text that counts as content",
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    syllable_count: Annotated[
        int | None,
        Field(
            doc="syllables in the text that counts as content, estimated by groups of vowels",
        ),
    ] = None
    text_length: Annotated[
        int | None,
        Field(
            doc="characters of the visible text of the body",
        ),
    ] = None
    markup: Annotated[
        int | None,
        Field(
            doc="[flags](#markup) of the markup",
        ),
    ] = None
    content: Annotated[
        int | None,
        Field(
            doc="[flags](#content) of text, links, forms and headers",
        ),
    ] = None
    directives: Annotated[
        int | None,
        Field(
            doc="[flags](#directives) for what robots are told",
        ),
    ] = None
    structured_types: Annotated[
        str | None,
        Field(
            "Structured data",
            export="Structured Data Types",
            doc="the types of its structured data items, each once, comma-separated",
            group=_PAGE,
            sets=_SEO,
            pooled=True,
        ),
    ] = None
    sketch: Annotated[
        bytes | None,
        Field(doc="a MinHash of the text that counts as content: 128 bytes; NULL without text"),
    ] = None
    anchor_ids: Annotated[
        bytes | None,
        Field(
            doc=(
                "a hash of 16 bits of each distinct id and name that a fragment can lead to,"
                " rising; NULL for none"
            )
        ),
    ] = None


class PageFacts(PageFields, frozen=True, array_like=True, gc=False):
    """The facts of one page.

    `phrases` are hashes of some of what it says, the same for the same text; the crawl uses them
    and keeps none.
    """

    phrases: list[int] = []
