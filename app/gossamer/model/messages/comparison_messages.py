"""The message of a shell to the process that compares two projects."""

from msgspec import Struct

from gossamer.model.project_queries import Filter


class StartComparison(Struct, tag=True, frozen=True, array_like=True):
    """Compare two projects into the file `result`: the only message to the process.

    `mapping` has pairs of prefixes of addresses, `fields` the names of the fields to compare, and
    `filter_` says which URLs.
    """

    before: str
    after: str
    result: str
    mapping: tuple[tuple[str, str], ...]
    fields: tuple[str, ...]
    filter_: Filter = Filter()
