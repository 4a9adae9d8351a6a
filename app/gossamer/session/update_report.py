"""What the command line tells the window about newer versions."""

import msgspec


class UpdateReport(msgspec.Struct, frozen=True):
    """This version, the latest, whether that is newer, and the page where it is to be had."""

    version: str
    latest: str
    is_newer: bool
    page: str
