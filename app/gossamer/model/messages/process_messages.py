"""The reports of a process that does one thing for a shell, and ends."""

from msgspec import Struct

from gossamer.model.translatable import Translatable


class ProcessStep(Struct, tag=True, frozen=True, array_like=True):
    """Its progress: `done` of `total` steps, and the current stage, which is a sentence."""

    stage: str
    done: int
    total: int


class ProcessEnded(Struct, tag=True, frozen=True, array_like=True):
    """The work is done, or failed for a reason; the process ends after it."""

    reason: Translatable | None = None
    exit_code: int = 0


ProcessReport = ProcessStep | ProcessEnded
