"""The value types of settings; `check` raises UsageError with a sentence for the user.

The kind of value decides the field in the window's form (`gui/settings/settings_fields.py`) and how
an option is read (`cli/setting_options.py`). Values have the type of the setting when they are
checked.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from gossamer.model.cluster_address import parse_cluster
from gossamer.model.custom_definitions import (
    CustomExtraction,
    CustomSearch,
    check_definitions,
)
from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import LinkKind
from gossamer.model.login_form import LoginForm
from gossamer.model.request_headers import check_headers, check_public_headers
from gossamer.model.settings.proxy_address import parse_proxy
from gossamer.model.text_cleaning import MAX_TYPED_CHARACTERS, one_line
from gossamer.model.translatable import Sentence, Translatable

_SERVER: Final = lazy_pattern(r"(?i)https?://[^\s/@?#]+(/[^\s@?#]*)?")
_VIEWPORT: Final = lazy_pattern(r"[0-9]{1,5}x[0-9]{1,5}")
_LEAST_PIXELS: Final = 100
_MOST_PIXELS: Final = 8_192
KIND_NAMES: Final[dict[str, LinkKind]] = {
    kind.name.lower(): kind for kind in LinkKind if kind.declaration.is_setting
}
"""The kinds of links that settings may name."""


class Number(Struct, frozen=True):
    """A number from `low` to `high`, or None if the type has it, called `none`."""

    low: float
    high: float
    unit: Sentence = ""
    """What the form shows after the number, including the space between."""
    none: Sentence = ""
    scale: int = 1
    """What the form divides the number by."""

    def check(self, name: Translatable, value: float | None) -> None:
        """Raise UsageError, which calls the setting `name`, if it is out of bounds."""
        if value is not None and not self.low <= value <= self.high:
            raise UsageError(
                "{setting} must be between {low:,} and {high:,}.",
                setting=name,
                low=self.low,
                high=self.high,
            )


class Switch(Struct, frozen=True):
    """On or off. Its option sets the value that is not the default."""

    def check(self, name: Translatable, value: object) -> None:
        """Both can be used."""


class Choice(Struct, frozen=True):
    """A member of an enum; `labels` are in the order of the members."""

    labels: tuple[Sentence, ...]

    def check(self, name: Translatable, value: object) -> None:
        """All members can be used."""


class HeaderValue(Struct, frozen=True):
    """The value of the request header `header`; `none` says what "" means."""

    header: str
    none: Sentence

    def check(self, _name: Translatable, value: str) -> None:
        """Raise UsageError if it cannot be sent."""
        _check_lengths([value])
        check_headers([(self.header, value)])


class UserAgent(Struct, frozen=True):
    """The value of the User-Agent header, which may be typed as the name of a preset."""

    def check(self, _name: Translatable, value: str) -> None:
        """Raise UsageError if it cannot be sent."""
        _check_lengths([value])
        check_headers([("User-Agent", value)])


class Proxy(Struct, frozen=True):
    """The address of a proxy, see `gossamer.model.settings.proxy_address`; None is none."""

    example: str

    def check(self, _name: Translatable, value: str | None) -> None:
        """Raise UsageError, which does not quote it, if it is no such address."""
        if value is not None:
            _check_lengths([value])
            parse_proxy(value)


class ClusterLocation(Struct, frozen=True):
    """Where the nodes of a crawl are, see `gossamer.model.cluster_address`; "" is no cluster."""

    def check(self, _name: Translatable, value: str) -> None:
        """Raise UsageError if it is not such an address."""
        if value:
            parse_cluster(value)


class Patterns(Struct, frozen=True):
    """Regular expressions."""

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is invalid or empty."""
        _check_lengths(value)
        for pattern in value:
            _check_pattern(pattern)


class Addresses(Struct, frozen=True):
    """URLs as typed: a missing scheme is filled in."""

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is too long; other errors are found later."""
        _check_lengths(value)


class Servers(Struct, frozen=True):
    """Servers that speak HTTPS, each as "host:port"."""

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is invalid."""
        for server in value:
            if not re.fullmatch(r"[^\s/@]+:[0-9]{1,5}", server):
                raise UsageError(
                    "{server!r} is not a server; write it as HOST:PORT.", server=server
                )


class Headers(Struct, frozen=True):
    """Names and values of request headers: for every server if `public`, else for the site alone.

    The values of those that are not public are secrets, which no file has.
    """

    public: bool

    def check(self, _name: Translatable, value: Collection[tuple[str, str]]) -> None:
        """Raise UsageError, which quotes no value, about the first that cannot be sent."""
        if self.public:
            check_public_headers(value)
        else:
            check_headers(value)


class LinkKinds(Struct, frozen=True):
    """Kinds of links, by the names in KIND_NAMES."""

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is invalid."""
        for kind in value:
            if kind not in KIND_NAMES:
                raise UsageError(
                    "{kind!r} is not a link type; the types are {known}.",
                    kind=kind,
                    known=", ".join(sorted(KIND_NAMES)),
                )


class ContentExclusions(Struct, frozen=True):
    """Elements, .classes and #ids whose text does not count as content."""

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is none of these."""
        _check_lengths(value)
        for each in value:
            if not re.fullmatch(r"[.#]?[A-Za-z_][\w-]*", each):
                raise UsageError(
                    "{exclusion!r} is not an element, .class or #id; write it as nav, .menu or "
                    "#menu.",
                    exclusion=each,
                )


class Words(Struct, frozen=True):
    """Texts without white space, each `called` so in a sentence and fully matching `pattern`."""

    called: Sentence
    pattern: str = r"\S+"

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is invalid."""
        _check_lengths(value)
        for each in value:
            if not re.fullmatch(self.pattern, each):
                raise UsageError(
                    '"{text}" is not {what}; correct or remove it.',
                    text=one_line(each, 80),
                    what=Translatable(self.called),
                )


class Folder(Struct, frozen=True):
    """The path of a folder, "" for none; whether it exists is checked when it is used."""

    def check(self, name: Translatable, value: str) -> None:
        """Raise UsageError if no folder can be called so."""
        _check_lengths([value])
        if "\0" in value:
            raise UsageError("{setting} is not the path of a folder.", setting=name)


class ProgramPath(Struct, frozen=True):
    """The path or name of a program, "" for none; whether it exists is checked on use."""

    def check(self, name: Translatable, value: str) -> None:
        """Raise UsageError if no program can be called so."""
        _check_lengths([value])
        if "\0" in value:
            raise UsageError("{setting} is not the path of a program.", setting=name)


class Viewport(Struct, frozen=True):
    """Width and height of a page in CSS pixels, such as "1280x800"; "" for none."""

    def check(self, name: Translatable, value: str) -> None:
        """Raise UsageError if it is invalid, or no page is shown in that size."""
        sides = [int(side) for side in value.split("x")] if _VIEWPORT.fullmatch(value) else []
        if value and not all(_LEAST_PIXELS <= side <= _MOST_PIXELS for side in sides or [0]):
            raise UsageError(
                "{setting} must be a width and a height between {low:,} and {high:,}, such as"
                " 1280x800.",
                setting=name,
                low=_LEAST_PIXELS,
                high=_MOST_PIXELS,
            )


class ServerUrl(Struct, frozen=True):
    """The http or https address of a server, "" for none."""

    example: str

    def check(self, name: Translatable, value: str) -> None:
        """Raise UsageError if it is invalid, or has a password in it, which would be kept."""
        _check_lengths([value])
        if value and not (_SERVER.fullmatch(value) and _has_host(value)):
            raise UsageError(
                "{setting} must be an address such as {example}, without user name and query.",
                setting=name,
                example=self.example,
            )


def _has_host(url: str) -> bool:
    """Whether host and port of a URL can be read."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


class CustomSearches(Struct, frozen=True):
    """Custom searches. The syntax of patterns is checked by `extract.pattern_syntax`."""

    def check(self, name: Translatable, value: Sequence[CustomSearch]) -> None:
        """Raise UsageError about the first that cannot be used."""
        check_definitions(name, value)


class CustomExtractions(Struct, frozen=True):
    """Custom extractions. The syntax of patterns is checked by `extract.pattern_syntax`."""

    def check(self, name: Translatable, value: Sequence[CustomExtraction]) -> None:
        """Raise UsageError about the first that cannot be used."""
        check_definitions(name, value)


class SegmentDefinitions(Struct, frozen=True):
    """Segments, each as NAME=CONDITION; see `gossamer.model.segments`."""

    def check(self, _name: Translatable, value: Collection[str]) -> None:
        """Raise UsageError about the first that is invalid."""
        from gossamer.model.segments import parse_segments  # noqa: PLC0415 - it knows all fields

        _check_lengths(value)
        parse_segments(tuple(value))


class RecordedForm(Struct, frozen=True):
    """A login form, None for none; see `gossamer.model.login_form`."""

    def check(self, _name: Translatable, value: LoginForm | None) -> None:
        """Raise UsageError if it cannot be used."""
        if value is not None:
            value.check()


class MadeByProgram(Struct, frozen=True):
    """A value that nobody types: it follows from what is done with the crawl."""

    def check(self, name: Translatable, value: object) -> None:
        """It can be used."""


Values: TypeAlias = (
    Number
    | Switch
    | Choice
    | HeaderValue
    | UserAgent
    | Proxy
    | ClusterLocation
    | Patterns
    | Addresses
    | Servers
    | Headers
    | LinkKinds
    | Words
    | Folder
    | ServerUrl
    | ProgramPath
    | Viewport
    | ContentExclusions
    | SegmentDefinitions
    | CustomSearches
    | CustomExtractions
    | RecordedForm
    | MadeByProgram
)


def _check_lengths(texts: Iterable[str]) -> None:
    for text in texts:
        if len(text) > MAX_TYPED_CHARACTERS:
            raise UsageError(
                '"{text}" is longer than {most:,} characters; shorten it.',
                text=one_line(text[:MAX_TYPED_CHARACTERS], 80),
                most=MAX_TYPED_CHARACTERS,
            )


def _check_pattern(pattern: str) -> None:
    if not pattern:
        raise UsageError("An empty pattern matches every URL; fill it in or remove it.")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as e:
        raise UsageError(
            "The pattern {pattern} is not a regular expression: {why}; correct or remove it.",
            pattern=f'"{one_line(pattern, 80)}"',
            why=str(e),
        ) from e
