"""The verb `package` of packaging/dev.py: which kinds there are, and what it refuses."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT


def dev(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / "packaging" / "dev.py"), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_each_kind_of_package_has_a_function_that_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import packages  # noqa: PLC0415 - found only now

    missing = [
        kind
        for kind, module in packages.KINDS.items()
        if not callable(getattr(__import__(module), "build", None))
    ]
    assert missing == []


@pytest.mark.parametrize("arguments", [(), ("parcel",)])
def test_an_unknown_kind_is_refused_with_those_that_are_known(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import packages  # noqa: PLC0415 - found only now

    done = dev("package", *arguments)
    assert done.returncode == 2
    assert f"which kind of package to make: {', '.join(packages.KINDS)}." in done.stderr


def test_the_time_of_packages_is_that_of_the_last_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import packages  # noqa: PLC0415 - found only now

    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert packages.source_time(tmp_path) == "315532800"  # what zip files can say at the earliest
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    commit = [*git, "commit", "-q", "--allow-empty", "-m", "x", "--date", "2026-01-02T03:04:05Z"]
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(commit, cwd=tmp_path, check=True)
    assert packages.source_time(tmp_path) == "1767323045"
