"""Parses `--where FACET=VALUE` into the filter of an export, with the window's facets."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.audit.rule_catalogue import nearest_names, rule_named
from gossamer.cli.terminal import listed
from gossamer.model.content_types import ContentKind
from gossamer.model.custom_definitions import CustomOutcome
from gossamer.model.errors import UsageError
from gossamer.model.facets import (
    CONTENT_KIND,
    CUSTOM,
    FACET_FIELDS,
    FACETS,
    OF_RULES,
    ORIGIN,
    SINGLE,
    STATUS_CLASS,
    type_of_value,
)
from gossamer.model.fields.field_declaration import LARGEST
from gossamer.model.project_queries import NO_RESPONSE, Facet, Filter, Value, facet_values
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.store.project import stored_settings

WHERE_FACETS: Final = {name.replace("_", "-"): name for name in FACETS if name not in SINGLE}
"""The facets, as spelled on the command line."""


def chosen_filter(project: Path, where: Sequence[str], saved_filter: str | None) -> Filter:
    """The saved filter, if one is named, with --where overriding its values."""
    typed = filter_of(where, lambda: stored_settings(project))
    if saved_filter is None:
        return typed
    from gossamer.session.saved_filters import saved_filter_of  # noqa: PLC0415 - few need it

    saved = saved_filter_of(project, saved_filter)
    return replace(saved, facets=facet_values(**(dict(saved.facets) | dict(typed.facets))))


def filter_of(
    texts: Sequence[str], settings: Callable[[], CrawlSettings] = lambda: DEFAULTS
) -> Filter:
    """Parse FACET=VALUE options: values of one facet are combined with OR, facets with AND.

    `settings` returns those of the project, whose thresholds are in the names of issues. UsageError
    for an unknown facet or value.
    """
    values: dict[Facet, list[Value]] = defaultdict(list)
    for text in texts:
        name, equals, value = text.partition("=")
        facet = WHERE_FACETS.get(name.strip().lower())
        if facet is None or not equals:
            known = listed(list(WHERE_FACETS), "or")
            raise UsageError(f"{text!r} is not FACET=VALUE; the facets are {known}.")
        if facet in OF_RULES:
            values[facet].append(rule_number(value, settings()))
            continue
        if facet == CUSTOM:
            values[facet].append(_custom(value.strip(), settings()))
            continue
        try:
            values[facet].append(_value(facet, value.strip()))
        except (ValueError, KeyError, StopIteration):
            raise UsageError(f"{name} cannot be {value.strip()!r}; {_example(facet)}.") from None
    return Filter(facets=facet_values(**values))


def _value(facet: Facet, text: str) -> Value:
    """Parse one value; ValueError, KeyError or StopIteration if the facet has no such value."""
    if (parse := _WITHOUT_FIELD.get(facet)) is not None:
        return parse(text)
    declared = FACET_FIELDS[facet]
    unknown, of_type = declared.field.unknown, type_of_value(facet)
    if unknown is not None and text.lower() == "none":
        return unknown
    if issubclass(of_type, IntEnum):
        text = text.upper().replace("-", "_")
        return int(of_type[text])
    if issubclass(of_type, StrEnum):
        return str(next(each for each in of_type if each.casefold() == text.casefold()))
    value: Value = of_type(text)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(text)
    return value


def rule_number(name: str, settings: CrawlSettings) -> int:
    """The number of the audit rule with this full name; UsageError with similar ones if none."""
    rule = rule_named(name, settings)
    if rule is not None:
        return rule.number
    near = listed(nearest_names(name, settings), "or")
    raise UsageError(f"There is no issue {name.strip()!r}; did you mean {near}?")


def _custom(text: str, settings: CrawlSettings) -> str:
    """NAME of a custom search or extraction, or NAME:missing, NAME:failed."""
    numbers = {each.name.casefold(): each.number for each in reversed(settings.definitions)}
    for outcome in CustomOutcome:
        name = text.casefold().removesuffix(f":{outcome}")
        if name in numbers:
            return outcome.facet_value(numbers[name])
    known = listed([each.name for each in settings.definitions], "or")
    if not known:
        raise UsageError("This crawl has no custom searches and extractions.")
    raise UsageError(
        f"There is no custom search or extraction {text!r}; use {known},"
        " with :missing or :failed after it for pages where it found nothing or failed."
    )


def _status_class(text: str) -> int:
    if text.lower() == "none":
        return NO_RESPONSE
    if not re.fullmatch("[1-9](xx)?", text.lower()):
        raise ValueError(text)
    return int(text[0])


_WITHOUT_FIELD: Final[dict[Facet, Callable[[str], Value]]] = {
    STATUS_CLASS: _status_class,
    ORIGIN: str,
    CONTENT_KIND: lambda text: ContentKind(text.lower()),
}


def _example(facet: Facet) -> str:
    """A hint on how to spell the values of a facet."""
    if facet == STATUS_CLASS:
        return "use a class such as 4xx, or none"
    if facet == CONTENT_KIND:
        return f"use {listed(list(ContentKind), 'or')}"
    declared = FACET_FIELDS[facet]
    of_type = type_of_value(facet)
    if declared.field.example or not issubclass(of_type, Enum):
        return declared.field.example
    members = list(of_type)
    names = [each.name.lower() if isinstance(each, IntEnum) else each.value for each in members]
    return f"use {listed(names, 'or')}"
