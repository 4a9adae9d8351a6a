"""The checkout that the tests of this folder look at."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def committed_files() -> list[Path]:
    """Return the files that git holds and that are there, sorted."""
    # Whoever owns the checkout: on build machines that is often another user.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in listing.split("\0") if name]
    return sorted(path for path in paths if path.is_file())


def text_of(path: Path) -> str | None:
    """Return the text of a file, or None if it is binary."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
