"""The message to the process that enters the texts of a project into its search index."""

from msgspec import Struct


class IndexTexts(Struct, tag=True, frozen=True, array_like=True):
    """Enter what is new: the only message to the process.

    `follows`: continue with what is committed, until it is no longer wanted.
    """

    project: str
    follows: bool = False
