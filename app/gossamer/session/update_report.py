"""The report of the command line to the window about newer versions."""

import msgspec


class UpdateReport(msgspec.Struct, frozen=True):
    """This version, the latest, whether that is newer, and the page to get it from."""

    version: str
    latest: str
    is_newer: bool
    page: str
