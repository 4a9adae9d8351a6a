"""Summarises the structured data of a page: its formats, types and faults."""

from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, TopicFacts
from gossamer.extract.parsed_elements import ParsedElements
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.structured_faults import encode_faults
from gossamer.model.text_cleaning import clean_text

_MAX_TYPES: Final = 500
_JSON_LD: Final = int(ContentFlag.JSON_LD)
_RICH_RESULT_FEATURE: Final = int(ContentFlag.RICH_RESULT_FEATURE)


def structured_data_facts(parsed: ParsedElements, markup: bytes) -> TopicFacts:
    """The facts for machines of a page in UTF-8 with these elements.

    Takes hardly any time on pages without such data: then none of the modules that read it is
    loaded.
    """
    scripts = [element[2] for element in parsed.by_tag.get("script", ()) if element[2]]
    is_typed = parsed.has_items
    if not (scripts or is_typed):
        return NOTHING
    from gossamer.extract.structured_data.data_items import FLAGS, all_items  # noqa: PLC0415 - see above
    from gossamer.extract.structured_data.structured_data_reader import (  # noqa: PLC0415 - see above
        read_structured_data,
    )
    from gossamer.extract.structured_data.typed_markup import typed_items  # noqa: PLC0415 - see above

    data, is_json_ld = read_structured_data(scripts, typed_items(markup) if is_typed else [])
    content = _JSON_LD if is_json_ld else 0
    for item in data.items:
        content |= int(item.format.value)
    for fault in data.faults:
        content |= FLAGS[fault.kind]
    if data.features:
        content |= _RICH_RESULT_FEATURE
    types = [name for item in all_items(data.items) for name in item.types]
    values: dict[str, str | int] = {}
    if types:
        values["structured_types"] = clean_text(", ".join(dict.fromkeys(types)), _MAX_TYPES)
        values["structured_type_count"] = len(types)
    faults = encode_faults((fault.kind, fault.place, fault.said) for fault in data.faults)
    if faults is not None:
        values["structured_faults"] = faults
    return TopicFacts(values, 0, content)
