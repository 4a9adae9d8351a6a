"""Declares the facts of a page that people look at most: title, description, first headings."""

from typing import Annotated

from msgspec import Struct

from gossamer.model.fields.field_declaration import ColumnSet, Field, FieldGroup, FieldKind

_PAGE = FieldGroup.PAGE
_SEO = (ColumnSet.SEO,)


class CorePageFields(Struct, frozen=True, array_like=True, gc=False):
    """A part of PageFields. In the project file, these columns come first."""

    title: Annotated[
        str | None,
        Field(
            "Title",
            export="Title 1",
            compared=True,
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
            compared=True,
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
            compared=True,
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
            compared=True,
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
            width=20,
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
            compared=True,
            doc="words of the text that counts as content; NULL if it is not a page",
            column="words",
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    content_hash: Annotated[
        bytes | None,
        Field(
            "Hash", export="Hash", doc="the first 16 bytes of the SHA-256 hash of the decoded body"
        ),
    ] = None
    title_pixels: Annotated[
        int | None,
        Field(
            "Title width",
            export="Title 1 Pixel Width",
            doc="the width of the title in a search result, in pixels",
            kind=FieldKind.PIXELS,
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
            kind=FieldKind.PIXELS,
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
