"""What a session says of its crawl host and of what it lacks."""

from typing import Final

from app.model.errors import CrawlHostError, KnownError, ProjectError
from app.model.messages import Trouble
from app.model.secrets import SecretNames

DIED: Final = (
    "The crawl stopped because its process ended; what it had found is safe. Press Resume to go on."
)


def missing(names: tuple[SecretNames, ...]) -> str:
    """That these secrets are to be given."""
    return (
        f"This crawl needs {'; '.join(map(str, names))}: no project file holds that."
        " Give it in the settings of the window, or with --auth, --cookie or --header."
    )


def error_of(trouble: Trouble) -> KnownError:
    """The same as an exception."""
    if trouble.exit_code == ProjectError.exit_code:
        return ProjectError(trouble.sentence)
    return CrawlHostError(trouble.sentence)
