"""What a session says of its crawl host and of what it lacks."""

from typing import Final

from gossamer.model.errors import CrawlHostError, KnownError, ProjectError, UsageError
from gossamer.model.messages import Trouble
from gossamer.model.secrets import SecretNames
from gossamer.model.translatable import Sentence, Translatable, enumerated

DIED: Final[Sentence] = (
    "The crawl stopped because its process ended; what it had found is safe. Press Resume to go on."
)

NOT_NOTED: Final[Sentence] = (
    "The crawl was cancelled, but its process could not write that into the project and was ended;"
    " what it had found before is safe. Check the disk of the project."
)
OPENING: Final[Sentence] = (
    "Still opening the project: after a crawl that was cut off, that of a large one takes a while."
)
_HUNG: Final[Sentence] = (
    "The crawl process had hung and was ended; what it had found is safe. Press Resume to go on."
)
_STARTED_AGAIN: Final[Sentence] = (
    "The crawl process had hung and was ended; what it had found is safe. It is started again."
)


def hung(*, again: bool) -> Trouble:
    """What is told of a crawl process that fell silent; `again` if it is replaced at once."""
    sentence = Translatable(_STARTED_AGAIN if again else _HUNG)
    return Trouble(sentence, CrawlHostError.exit_code, again)


def missing(names: tuple[SecretNames, ...]) -> UsageError:
    """The error that says which secrets are to be given."""
    return UsageError(
        "This crawl needs {secrets}: no project file holds that. Give it in the settings of the"
        " window, or with --auth, --cookie or --header.",
        secrets=enumerated([needed.said for needed in names]),
    )


def error_of(trouble: Trouble) -> KnownError:
    """The same as an exception."""
    known = ProjectError if trouble.exit_code == ProjectError.exit_code else CrawlHostError
    return known(trouble.sentence)
