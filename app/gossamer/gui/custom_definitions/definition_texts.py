"""The names of custom searches and extractions, their parts and outcomes in the window."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import listed, spoken
from gossamer.model.custom_definitions import (
    FAILURE_NAMES,
    CustomDefinition,
    CustomFailure,
    CustomOutcome,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchCondition,
    SearchLocation,
    outcome_and_number,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable

_CONTEXT: Final = "CustomDefinitions"
_tr = translator("CustomDefinitions")
_PLACES: Final = {
    SearchLocation.HTML: QT_TRANSLATE_NOOP("CustomDefinitions", "HTML"),
    SearchLocation.TEXT: QT_TRANSLATE_NOOP("CustomDefinitions", "Visible text"),
    SearchLocation.ELEMENT: QT_TRANSLATE_NOOP("CustomDefinitions", "Elements"),
    SearchLocation.HEAD: QT_TRANSLATE_NOOP("CustomDefinitions", "Head"),
    SearchLocation.SCRIPTS: QT_TRANSLATE_NOOP("CustomDefinitions", "Scripts"),
}
_CONDITIONS: Final = {
    SearchCondition.CONTAINS: QT_TRANSLATE_NOOP("CustomDefinitions", "contains"),
    SearchCondition.DOES_NOT_CONTAIN: QT_TRANSLATE_NOOP("CustomDefinitions", "does not contain"),
}
_METHODS: Final = {
    ExtractionMethod.CSS: QT_TRANSLATE_NOOP("CustomDefinitions", "CSS selector"),
    ExtractionMethod.XPATH: QT_TRANSLATE_NOOP("CustomDefinitions", "XPath"),
    ExtractionMethod.REGEX: QT_TRANSLATE_NOOP("CustomDefinitions", "Regular expression"),
}
_PARTS: Final = {
    ExtractedPart.TEXT: QT_TRANSLATE_NOOP("CustomDefinitions", "Text"),
    ExtractedPart.INNER_HTML: QT_TRANSLATE_NOOP("CustomDefinitions", "Inner HTML"),
    ExtractedPart.ATTRIBUTE: QT_TRANSLATE_NOOP("CustomDefinitions", "Attribute"),
    ExtractedPart.COUNT: QT_TRANSLATE_NOOP("CustomDefinitions", "Number of matches"),
}


def place_name(place: SearchLocation) -> str:
    """The name of a searched location, such as "Visible text"."""
    return QCoreApplication.translate(_CONTEXT, _PLACES[place])


def condition_name(condition: SearchCondition) -> str:
    """The name of a condition, such as "does not contain"."""
    return QCoreApplication.translate(_CONTEXT, _CONDITIONS[condition])


def method_name(method: ExtractionMethod) -> str:
    """The name of a method, such as "CSS selector"."""
    return QCoreApplication.translate(_CONTEXT, _METHODS[method])


def part_name(part: ExtractedPart) -> str:
    """The name of an extracted part, such as "Inner HTML"."""
    return QCoreApplication.translate(_CONTEXT, _PARTS[part])


def failure_name(failure: CustomFailure) -> str:
    """The name of a failure, such as "Timed out"."""
    return spoken(Translatable(FAILURE_NAMES[failure]))


def outcome_name(definition: CustomDefinition, outcome: CustomOutcome) -> str:
    """The name of an outcome of a definition, such as "Terms: does not contain"."""
    if outcome is CustomOutcome.FAILED:
        template = _tr("{name}: timed out or failed")
    elif isinstance(definition, CustomSearch):
        is_found = outcome is CustomOutcome.FOUND
        template = _tr("{name}: contains") if is_found else _tr("{name}: does not contain")
    else:
        is_found = outcome is CustomOutcome.FOUND
        template = _tr("{name}: extracted") if is_found else _tr("{name}: nothing extracted")
    return template.format(name=formatting.clean(definition.name))


def outcomes_of(definition: CustomDefinition) -> list[CustomOutcome]:
    """The outcomes in the order of the menus, the one that the definition looks for first."""
    lacks = SearchCondition.DOES_NOT_CONTAIN
    if isinstance(definition, CustomSearch) and definition.condition is lacks:
        return [CustomOutcome.MISSING, CustomOutcome.FOUND, CustomOutcome.FAILED]
    return list(CustomOutcome)


def custom_text(facet_value: str, settings: CrawlSettings) -> str:
    """The name of a value of the facet `custom`; its number if the definition is gone."""
    outcome, number = outcome_and_number(facet_value)
    for each in settings.definitions:
        if each.number == number:
            return outcome_name(each, outcome)
    return facet_value


def summary(definition: CustomDefinition) -> str:
    """A description of a definition in a line."""
    if isinstance(definition, CustomSearch):
        template = _tr("{location}: {condition} {pattern}")
        parts = [
            template.format(
                location=definition.selector or place_name(definition.place),
                condition=condition_name(definition.condition),
                pattern=definition.pattern,
            )
        ]
        if definition.regex:
            parts.append(method_name(ExtractionMethod.REGEX))
        if definition.match_case:
            parts.append(_tr("Match case"))
        return listed(parts)
    part = definition.attribute or part_name(definition.part)
    parts = [f"{method_name(definition.method)} {definition.pattern}", part]
    if definition.all_matches:
        parts.append(_tr("All matches"))
    return listed(parts)
