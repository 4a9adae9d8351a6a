"""Which options of the settings a command offers, and which of them were given."""

from typing import Any, NamedTuple


class GivenOptions(NamedTuple):
    """What was typed after a command."""

    settings: dict[str, Any]
    """By name, without secrets."""
    run: dict[str, Any]
    """What every crawl is given besides, by the fields of `CrawlCommand`."""


class OptionsOffered(NamedTuple):
    """Which options a command offers, after its own parameter `after`.

    On `resume` they are for what can change once a crawl has begun, without defaults; there are no
    switches, as those could not say "as before". Help shows the defaults unless those of a project
    apply. A command that never `asks_network` has no options for logins or headers.
    """

    after: str
    resume: bool
    are_defaults_shown: bool = True
    asks_network: bool = True
