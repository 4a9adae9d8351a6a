"""Declares what only a comparison of two crawls knows of a URL: these are no facts of one crawl."""

from typing import Final

from gossamer.model.fields.field_declaration import DeclaredField, Field, FieldKind

SIMILARITY: Final = DeclaredField(
    "content_similarity",
    int,
    Field(
        "Content similarity",
        note="How much of the text is the same as before, estimated from sketches",
        export="Content Similarity",
        kind=FieldKind.PERCENT,
        compared=True,
    ),
)
"""Not a fact of a page, but of its two states: 100 before, and what is left after."""
OUTLINKS: Final = DeclaredField(
    "outlinks",
    int,
    Field(
        "Outlinks",
        note="Links that visitors can follow: the targets that are gone, and those that came",
        export="Outlinks",
        compared=True,
    ),
)
"""Not the number of links, but their targets: how many were lost, how many were gained."""
HREFLANG: Final = DeclaredField(
    "hreflang",
    str,
    Field(
        "Hreflang",
        note="Languages and addresses that a page names: those that are gone, and those that came",
        export="Hreflang",
        compared=True,
    ),
)
"""Not all entries of a page, but those that only one side has."""
OF_BOTH_SIDES: Final = frozenset({OUTLINKS.name, HREFLANG.name, SIMILARITY.name})
"""Fields that are not facts of one side."""
