"""Converts the filter of one crawl to one for every crawl of the series, and back."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from gossamer.model.errors import UsageError
from gossamer.model.facets import FACETS, is_value
from gossamer.model.fields.field_declaration import LARGEST
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.portable_filters import FILTER_VERSION, PortableFilter, SavedFilter
from gossamer.model.project_queries import Filter, facet_values
from gossamer.session.series import series_of
from gossamer.store.reading.reader import Reader


class FilterNames(Protocol):
    """Translates between ids and names of folders and URLs; a Reader does."""

    def folder_address(self, folder: int) -> str:
        """The address of a folder."""
        ...

    def folder_at(self, address: str) -> int | None:
        """The id of the folder with an address."""
        ...

    def lookup(self, url: str) -> int | None:
        """The id of a URL."""
        ...

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """URLs by their ids."""
        ...


def portable_filter(names: FilterNames, filter_: Filter) -> PortableFilter:
    """A filter of one crawl in a form that applies to every crawl of the site."""
    folder = None if filter_.folder is None else names.folder_address(filter_.folder)
    found_on = None
    if filter_.found_on is not None:
        found_on = next((each.url for each in names.records([filter_.found_on])), None)
    return PortableFilter(
        text=filter_.text,
        expression=filter_.expression,
        folder=folder,
        found_on=found_on,
        time_ms=filter_.time_ms,
        facets={facet: tuple(sorted(values, key=str)) for facet, values in filter_.facets},
        search=filter_.search,
    )


def local_filter(names: FilterNames, saved: SavedFilter) -> Filter:
    """A saved filter with the ids of a crawl; UsageError about what that does not know."""
    portable = saved.filter_
    if portable.version != FILTER_VERSION or not _is_known(portable):
        raise UsageError(
            "The filter {name!r} was saved by a newer Gossamer; update Gossamer to use it.",
            name=saved.name,
        )
    folder = None if portable.folder is None else names.folder_at(portable.folder)
    found_on = None if portable.found_on is None else names.lookup(portable.found_on)
    for wanted, found in ((portable.folder, folder), (portable.found_on, found_on)):
        if wanted is not None and found is None:
            raise UsageError(
                "The filter {name!r} is about {address}, which this crawl does not know.",
                name=saved.name,
                address=wanted,
            )
    return Filter(
        text=portable.text,
        expression=portable.expression,
        folder=folder,
        found_on=found_on,
        time_ms=portable.time_ms,
        facets=facet_values(**portable.facets),
        search=portable.search,
    )


def saved_filter_of(project: Path, name: str) -> Filter:
    """The filter of that name in the series of a project; UsageError if there is none."""
    saved = series_of(project).saved_filters()
    found = next((each for each in saved if each.name.casefold() == name.strip().casefold()), None)
    if found is None:
        raise _not_there(name, (each.name for each in saved))
    with Reader(project) as reader:
        return local_filter(reader, found)


def _not_there(name: str, known: Iterable[str]) -> UsageError:
    names = ", ".join(known)
    if not names:
        return UsageError("There is no saved filter {name!r}: none is saved yet.", name=name)
    return UsageError(
        "There is no saved filter {name!r}; there are: {names}.", name=name, names=names
    )


def _is_known(portable: PortableFilter) -> bool:
    """Whether there are such facets and values in this version."""
    times = (each for each in portable.time_ms or () if each is not None)
    return all(0 <= each <= LARGEST for each in times) and all(
        facet in FACETS and is_value(facet, value)
        for facet, values in portable.facets.items()
        for value in values
    )
