"""Brings the audit of a project up to date in the foreground, with progress, until an interrupt."""

from pathlib import Path

from gossamer.cli.foreground_child_task import run_in_foreground
from gossamer.session.audit_process import audit_project
from gossamer.store.reading.reader import Reader


def ensure_audited(project: Path, *, quiet: bool) -> bool:
    """Decide the rules of the audit again if anything has changed since; False if interrupted.

    A project that is being crawled is audited as it is now. KnownError if it cannot be written.
    """
    with Reader(project) as reader:
        if reader.audit_state().is_current:
            return True
    return run_in_foreground("Audit", lambda show: audit_project(project, show), quiet=quiet)
