"""Resolves `aria-labelledby`: replaces its ids by the text of the elements that have them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, TypeAlias

from gossamer.extract.parsed_elements import ALT_MARK, MAX_LINE, Attributes, Element
from gossamer.model.text_cleaning import one_line

LABELLED_BY: Final = "aria-labelledby"
MAX_LABEL_NODES: Final = 50_000
"""Nodes of a page that are read for the texts of labels: ids may lead to nested elements."""
_MAX_REFERENCES: Final = 10_000
"""Distinct values of the attribute in a page that are resolved."""
_MAX_IDS: Final = 20
"""Ids of one value that are followed."""
FindLabels: TypeAlias = Callable[[Collection[str]], Iterable[tuple[str, Attributes, str]]]
"""Returns id, attributes and text of the elements that have one of these ids, in document order."""


def has_references(elements: Iterable[Element]) -> bool:
    """Whether an element is labelled by others."""
    return any(LABELLED_BY in each[1] for each in elements)


def resolve_references(elements: Iterable[Element], find_labels: FindLabels) -> None:
    """Replace each `aria-labelledby` by the text that its ids lead to, "" for none.

    By "Accessible Name and Description Computation", step 2B: an element's own aria-label takes
    precedence over its text, which does over its title; of several with an id, the first one
    counts.
    """
    labelled = [each.attributes for each in elements if LABELLED_BY in each.attributes]
    values = dict.fromkeys(attributes[LABELLED_BY] or "" for attributes in labelled)
    ids = {value: value.split()[:_MAX_IDS] for value in [*values][:_MAX_REFERENCES]}
    names: dict[str, str] = {}
    for own, attributes, text in find_labels(frozenset().union(*ids.values())):
        if own not in names:
            names[own] = _name(attributes, text)
    texts = {value: _joined(names, each) for value, each in ids.items()}
    for attributes in labelled:
        attributes[LABELLED_BY] = texts.get(attributes[LABELLED_BY] or "", "")


def label_of(attributes: Attributes) -> str:
    """The name that a resolved `aria-labelledby` or an `aria-label` gives an element."""
    return attributes.get(LABELLED_BY) or attributes.get("aria-label") or ""


def _name(attributes: Attributes, text: str) -> str:
    for said in (attributes.get("aria-label"), attributes.get("alt"), text.removeprefix(ALT_MARK)):
        if said and said.strip():
            return one_line(said, MAX_LINE).strip()
    return one_line(attributes.get("title") or "", MAX_LINE).strip()


def _joined(names: Mapping[str, str], ids: Iterable[str]) -> str:
    return " ".join(filter(None, (names.get(each) for each in ids)))[:MAX_LINE]
