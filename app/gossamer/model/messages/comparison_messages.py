"""The message of a shell to the process that compares two projects."""

from msgspec import Struct


class StartComparison(Struct, tag=True, frozen=True, array_like=True):
    """Compare two projects into the file `result`: the only message to the process.

    `mapping` has pairs of prefixes of addresses, `fields` the names of the fields to compare.
    """

    before: str
    after: str
    result: str
    mapping: tuple[tuple[str, str], ...]
    fields: tuple[str, ...]
