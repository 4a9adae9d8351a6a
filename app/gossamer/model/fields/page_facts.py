"""Declares the facts that an HTML page states about itself; `extract/facts/` fills them in."""

from typing import Annotated

from gossamer.model.fields.core_page_fields import CorePageFields
from gossamer.model.fields.field_declaration import ColumnSet, Field, FieldGroup, FieldKind
from gossamer.model.page_prose import PageProse

_PAGE = FieldGroup.PAGE
_SEO = (ColumnSet.SEO,)


class PageFields(CorePageFields, frozen=True, array_like=True, gc=False):
    """The facts of a page that the project file keeps. Texts are clean (see `model.text_cleaning`).

    They are None when the element is missing and "" when it is there but empty; all are None for
    anything but a page.
    """

    heading_levels: Annotated[
        str | None,
        Field(
            "Heading levels",
            export="Heading Levels",
            doc="levels of the headings that are not empty, in order, such as `1223`; at most 200",
            kind=FieldKind.HEADINGS,
            group=_PAGE,
            width=20,
        ),
    ] = None
    heading_texts: Annotated[
        str | None,
        Field(
            "Other headings",
            note="The headings after the first two H1 and H2",
            export="Other Headings",
            doc=(
                "the texts of the other headings among `heading_levels`: of h3 to h6, and of h1 and"
                " h2 after the second; one a line, of at most 200 characters; at most 8,000"
                " together; NULL for none"
            ),
            kind=FieldKind.LINES,
            group=_PAGE,
            width=30,
            folded=True,
        ),
    ] = None
    canonical_header: Annotated[
        str | None,
        Field(
            "Canonical (HTTP)",
            export="HTTP Canonical 1",
            doc=(
                "the first canonical of the Link headers, resolved; of a file, the first that is"
                " another URL, if there is one"
            ),
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            width=36,
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
            width=36,
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
            width=36,
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
            width=36,
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
            width=36,
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
            width=36,
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
            width=36,
        ),
    ] = None
    refresh: Annotated[
        str | None,
        Field(
            "Meta refresh",
            export="Meta Refresh 1",
            doc='the first `<meta http-equiv="refresh">` outside of `noscript`, as written',
            group=_PAGE,
            width=20,
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
            width=20,
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
    javascript: Annotated[
        int | None,
        Field(
            doc="[flags](#javascript) for how the rendered page differs from its HTML",
        ),
    ] = None
    directives: Annotated[
        int | None,
        Field(
            doc="[flags](#directives) of its directives for robots",
        ),
    ] = None
    structured_types: Annotated[
        str | None,
        Field(
            "Structured data",
            export="Structured Data Types",
            compared=True,
            doc="the types of its structured data items, each once, comma-separated",
            group=_PAGE,
            sets=_SEO,
            pooled=True,
        ),
    ] = None
    structured_type_count: Annotated[
        int | None,
        Field(doc="how many types its structured data items have together; NULL for none"),
    ] = None
    structured_faults: Annotated[
        str | None,
        Field(
            doc="[faults](#faults-of-structured-data) of its structured data; NULL for none",
            pooled=True,
        ),
    ] = None
    sketch: Annotated[
        bytes | None,
        Field(doc="a sketch of the text that counts as content: 128 bytes; NULL without text"),
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
    language_found: Annotated[
        str | None,
        Field(
            "Language found",
            note="The language of the text itself, as far as it was looked for",
            export="Language Found",
            doc="the language of the text, as a code of ISO 639-1; NULL if it was not looked for",
            facet="language_found",
            width=11,
            group=_PAGE,
            sets=_SEO,
            pooled=True,
        ),
    ] = None
    dictionary: Annotated[
        str | None,
        Field(
            "Dictionary",
            note="What checked the spelling; empty if there is no dictionary for the language",
            export="Dictionary",
            doc=(
                "the dictionary that the spelling was checked with, such as `en_US`; empty if there"
                " is none for the language of the page; NULL if spelling was not checked"
            ),
            facet="dictionary",
            group=_PAGE,
            sets=_SEO,
            pooled=True,
        ),
    ] = None
    grammar_language: Annotated[
        str | None,
        Field(
            doc=(
                "the language that LanguageTool checked the grammar in, such as `en-US`; NULL if it"
                " was not checked"
            ),
            pooled=True,
        ),
    ] = None
    text_errors: Annotated[
        str | None,
        Field(
            doc="[errors](#text-errors) of spelling and grammar, ignored ones too; NULL for none"
        ),
    ] = None
    crawler_robots: Annotated[
        str | None,
        Field(
            "Robots by crawler",
            note="What the page asks of individual crawlers by name",
            export="Crawler Meta Robots",
            doc=(
                "the directives of robots `<meta>` elements with the names of known crawlers, such"
                " as `googlebot: noindex; bingbot: nosnippet`; if the crawl goes by one of these"
                " names, also those for all `robots`, apart; NULL for none"
            ),
            group=_PAGE,
            width=20,
            pooled=True,
        ),
    ] = None
    violated_rules: Annotated[
        str | None,
        Field(
            "Accessibility rules",
            note="The rules of axe that the page breaks",
            export="Accessibility Rules",
            doc=(
                "the ids of the rules of axe-core that the rendered page breaks, sorted,"
                " comma-separated; empty for none; NULL if it was not checked"
            ),
            kind=FieldKind.AXE_RULES,
            group=_PAGE,
            width=24,
            pooled=True,
        ),
    ] = None


class PageFacts(PageFields, frozen=True, array_like=True, gc=False):
    """The facts of one page.

    `phrases` are hashes of samples of its text, the same for the same text; the crawl uses them and
    keeps none. `prose` is its text if a server is to check that: the page worker removes it before
    it passes the facts on.
    """

    phrases: list[int] = []  # noqa: RUF012 - a Struct copies it
    prose: PageProse | None = None
