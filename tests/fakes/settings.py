"""Values of settings that are not the default, of each kind, and how they are typed as options."""

from enum import Enum
from typing import Any, get_args

from gossamer.cli.setting_options import spelling
from gossamer.model.custom_definitions import CustomExtraction, CustomSearch, SearchLocation
from gossamer.model.settings.crawl_settings import DECLARED, DEFAULTS, SETTINGS
from gossamer.model.settings.setting_types import (
    Addresses,
    Choice,
    ClusterLocation,
    ContentExclusions,
    CustomExtractions,
    CustomSearches,
    Folder,
    Headers,
    HeaderValue,
    LinkKinds,
    Number,
    Patterns,
    ProgramPath,
    Proxy,
    SegmentDefinitions,
    Servers,
    ServerUrl,
    Switch,
    UserAgent,
    Viewport,
    Words,
)

_EXAMPLES: dict[type, Any] = {
    HeaderValue: "de, en;q=0.5",
    UserAgent: "Test/1",
    Proxy: "http://127.0.0.1:3128",
    Patterns: ("/docs/", "a b"),
    ContentExclusions: ("nav", ".menu", "#side"),
    SegmentDefinitions: ("Blog=address contains /b/", "Thin #00ff00=words < 9"),
    Addresses: ("https://a.example/s.xml", "https://b.example/t.xml"),
    Servers: ("a.test:443", "b.test:8443"),
    Headers: (("X-C", "e: f"), ("X-D", "g")),
    LinkKinds: ("frame", "anchor"),
    Words: ("en", "de_AT"),
    Folder: "/dictionaries",
    ProgramPath: "/usr/bin/chromium",
    Viewport: "1280x800",
    ServerUrl: "http://127.0.0.1:8081",
    ClusterLocation: "tcp://127.0.0.1:8786",
    CustomSearches: (
        CustomSearch("Terms", "and conditions", place=SearchLocation.TEXT, match_case=True),
        CustomSearch("Analytics", "UA-", place=SearchLocation.SCRIPTS),
    ),
    CustomExtractions: (CustomExtraction("Price", "span.price", all_matches=True),),
}
_TYPED: dict[type, list[str]] = {
    CustomSearches: ["Terms=text:case:and conditions", "Analytics=scripts:UA-"],
    CustomExtractions: ["Price=all:css:span.price"],
}


def another_value(name: str) -> Any:  # noqa: ANN401 - settings have values of many types
    """A value for the setting `name` that is not its default."""
    default = getattr(DEFAULTS, name)
    match SETTINGS[name].values:
        case Number(low=low):
            found = low + 3 if low + 3 != default else low + 4
            kind = DECLARED[name].type
            return int(found) if int in {kind, *get_args(kind)} else float(found)
        case Switch():
            return not default
        case Choice():
            return next(member for member in DECLARED[name].type if member is not default)
        case Words(called="a content type"):
            return ("text/html", "image/*")
        case other:
            return _EXAMPLES[type(other)]


def as_typed(name: str, value: Any) -> list[str]:  # noqa: ANN401 - likewise
    """The arguments of a command line that give the setting `name` this value."""
    match SETTINGS[name].values:
        case Switch():
            return [spelling(name)]
        case LinkKinds():
            return [spelling(name), ",".join(value)]
        case Headers():
            return [word for pair in value for word in (spelling(name), ": ".join(pair))]
        case (
            Patterns()
            | Addresses()
            | Servers()
            | ContentExclusions()
            | SegmentDefinitions()
            | Words()
        ):
            return [word for each in value for word in (spelling(name), each)]
        case CustomSearches() | CustomExtractions() as values:
            return [word for each in _TYPED[type(values)] for word in (spelling(name), each)]
        case _:
            return [spelling(name), value.value if isinstance(value, Enum) else str(value)]
