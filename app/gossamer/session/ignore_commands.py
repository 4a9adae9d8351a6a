"""Ignores issues of a project in the name of the user, and undoes that."""

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.session.current_user import user_name
from gossamer.store.issue_ignoring import ignore_issues, stop_ignoring


def ignore(project: Path, ignored: Sequence[IgnoredIssue]) -> None:
    """Ignore these from now on, in the name of the user; see `ignore_issues`."""
    author, now = user_name(), time.time()
    ignore_issues(project, [replace(each, author=author, ignored_at=now) for each in ignored])


def take_back(project: Path, ignored: Sequence[IgnoredIssue]) -> int:
    """Stop ignoring these; returns how many of them were ignored."""
    return stop_ignoring(project, ignored)
