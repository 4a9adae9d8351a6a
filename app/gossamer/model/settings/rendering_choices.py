"""What the settings of rendering choose from."""

from enum import StrEnum


class RenderMode(StrEnum):
    """Which pages are rendered."""

    OFF = "off"
    AUTO = "auto"
    ON = "on"


class RenderDevice(StrEnum):
    """The device that pages believe they are shown on."""

    DESKTOP = "desktop"
    MOBILE = "mobile"


class RenderWait(StrEnum):
    """How scripts are waited for."""

    VIRTUAL = "virtual"
    REAL = "real"
