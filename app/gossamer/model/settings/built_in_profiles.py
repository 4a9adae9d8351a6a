"""The built-in settings profiles, named by their purpose."""

from enum import StrEnum

from gossamer.model.settings.scope_settings import OUTLINK_NAMES


class Profile(StrEnum):
    """A set of settings that a user chooses at once."""

    POLITE = "polite"
    """Slowly, so that nobody minds: for other people's sites."""
    FAST = "fast"
    """As fast as it goes: for one's own server, with leave to load it."""
    LINKS = "links"
    """Pages and the links between them, without images, scripts and styles."""


CHANGES: dict[str, dict[str, object]] = {
    Profile.POLITE: {
        "workers": 2,
        "max_per_host": 2,
        "rate": 1.0,
        "external_rate": 0.5,
        "obey_robots": True,
        "follow_nofollow": False,
        "guard": True,
    },
    Profile.FAST: {
        "workers": 64,
        "max_per_host": None,
        "rate": None,
        "external_rate": 5.0,
    },
    Profile.LINKS: {
        "follow_kinds": OUTLINK_NAMES,
        "check_kinds": (),
    },
}
"""What each profile sets; what it does not name stays as it is."""


def values_of(name: str) -> list[object]:
    """What profiles set the setting `name` to."""
    return [changes[name] for changes in CHANGES.values() if name in changes]
