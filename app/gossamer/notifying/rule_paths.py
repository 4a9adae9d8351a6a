"""Where notification rules are, and whether there are any: all that most crawls need."""

from pathlib import Path
from typing import Final

from gossamer.model.errors import KnownError
from gossamer.session.default_paths import config_folder, outbox_path
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.series_file import Series
from gossamer.store.series_paths import series_path

RULES_SETTING: Final = "notification_rules"
"""Of a series."""


def rules_path() -> Path:
    """The file of the rules for all crawls. It may not exist yet."""
    return config_folder() / "notifications.json"


def may_tell(project: Path) -> bool:
    """Whether there may be rules for a crawl, or messages that wait.

    That takes some milliseconds, and crawls have already imported what it imports.
    """
    if rules_path().exists() or outbox_path().exists():
        return True
    try:
        series = Series(series_path(read_identity(project)[0]))
        return series.path.exists() and RULES_SETTING in series.setting_names()
    except KnownError:  # whoever reads it reports what is wrong
        return True
