"""Which links of a URL show what an audit rule is about."""

from collections.abc import Callable

from msgspec import Struct

from gossamer.model.link_kinds import LinkKind


class LinkTest(Struct, frozen=True):
    """Links on a URL, or with `inbound` to it, that meet all of these conditions.

    `kinds`: any of these; `traits`: all of these bits; `path_type`: how the URL is written.
    `targets` are GLOB patterns of addresses. `rel` is a word of the link's rel, `not_rel` words of
    which it has none; `is_textless` says that it has no text. `is_internal` says whether the URL at
    its other end is one of the site; None for any. Without `to_itself`, that is another one. With
    `to_measured`, it leads to the URL whose id the rule measured. `accepts` decides by the text of
    the link and the language of the URL. A link is shown as the address at its other end, preceded
    by its text if `tells_text`.
    """

    kinds: tuple[LinkKind, ...] = ()
    traits: int = 0
    path_type: int = 0
    targets: tuple[str, ...] = ()
    rel: str = ""
    not_rel: tuple[str, ...] = ()
    is_textless: bool = False
    is_internal: bool | None = None
    to_itself: bool = True
    inbound: bool = False
    to_measured: bool = False
    tells_text: bool = False
    accepts: Callable[[str, str | None], bool] | None = None
