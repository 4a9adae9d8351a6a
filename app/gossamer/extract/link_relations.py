"""The kind of link that a relation means, for `<link>` and Link headers alike."""

from collections.abc import Collection

from gossamer.model.link_kinds import LinkKind

_KINDS_BY_REL = (
    ("stylesheet", LinkKind.STYLESHEET),
    ("canonical", LinkKind.CANONICAL),
    ("icon", LinkKind.ICON),
    ("apple-touch-icon", LinkKind.ICON),
    ("apple-touch-icon-precomposed", LinkKind.ICON),
    ("mask-icon", LinkKind.ICON),
    ("next", LinkKind.PAGINATION),
    ("prev", LinkKind.PAGINATION),
    ("previous", LinkKind.PAGINATION),
    ("alternate", LinkKind.ALTERNATE),
)


def kind_by_rel(tokens: Collection[str]) -> LinkKind:
    """The kind of a link with these relations, in lower case.

    The first of the table that is among them: "alternate stylesheet" is a style sheet.
    """
    for token, kind in _KINDS_BY_REL:
        if token in tokens:
            return kind
    return LinkKind.OTHER
