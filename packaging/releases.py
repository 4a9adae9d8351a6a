"""The releases, as CHANGELOG.md tells them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from desktop_metadata import VERSION
from packages import source_time
from shell import REPO

if TYPE_CHECKING:
    from pathlib import Path

CHANGELOG = REPO / "CHANGELOG.md"
_HEADING = re.compile(
    r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$", re.MULTILINE
)
_UNRELEASED = "Unreleased"


@dataclass(frozen=True)
class Release:
    """A release, or what will be the next one."""

    version: str
    date: str
    """Year, month and day; of what is not released, when the source was last committed."""
    is_released: bool
    text: str
    """What the changelog says of it, in Markdown, without its heading."""

    @property
    def paragraphs(self) -> list[str]:
        """What stands before its areas: the release in a few sentences, without line breaks."""
        introduction = self.text.partition("\n### ")[0].strip()
        return [" ".join(each.split()) for each in introduction.split("\n\n") if each.strip()]


def releases(changelog: Path = CHANGELOG) -> list[Release]:
    """All of them, the newest first. What is unreleased goes by the version of the source."""
    text = changelog.read_text("utf-8")
    found = list(_HEADING.finditer(text))
    ends = [heading.start() for heading in found[1:]] + [len(text)]
    result = []
    for heading, end in zip(found, ends, strict=True):
        body = text[heading.end() : end].strip()
        released = heading["version"] != _UNRELEASED
        if not released and not body:
            continue
        version = heading["version"] if released else VERSION
        result.append(Release(version, heading["date"] or source_date(), released, body))
    return result


def source_date() -> str:
    """The day of $SOURCE_DATE_EPOCH, else of the last commit, else the first of 1980, in UTC."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or source_time()
    return datetime.fromtimestamp(int(seconds), UTC).date().isoformat()
