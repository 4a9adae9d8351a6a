"""Declares the facts that an HTML page states about itself; `extract/facts` fills them in."""

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
            doc="the first `<title>`",
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
            doc="the first `<h1>`",
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
            doc='the first `<meta name="description">`',
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
            doc='the first `<link rel="canonical">`, resolved, or as written if it is not a URL',
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
            doc="words of the visible text; NULL if it is not a page",
            column="words",
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    content_hash: Annotated[
        bytes | None,
        Field(export="Hash", doc="the first 16 bytes of the SHA-256 hash of the decoded body"),
    ] = None


class PageFacts(PageFields, frozen=True, array_like=True, gc=False):
    """The facts of one page.

    `phrases` are hashes of some of what it says, the same for the same text; the crawl uses them
    and keeps none.
    """

    phrases: list[int] = []
