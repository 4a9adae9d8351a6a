"""The verb `package` of packaging/dev.py: which kinds there are, and what it refuses."""

import subprocess
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT


def test_each_kind_of_package_has_a_function_that_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import packages  # noqa: PLC0415 - found only now

    missing = [
        kind
        for kind, module in packages.KINDS.items()
        if not callable(getattr(__import__(module), "build", None))
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "package: say which kind of package to make: deb, wheel, "),
        (("parcel",), "package: say which kind of package to make: deb, wheel, "),
        (("deb", "deb12", "--fast"), "package deb: there is no option --fast; "),
        (("wheel", "--cros"), "package wheel: there is no option --cros; "),
        (("folder", "here"), "package folder: here is too much; "),
        (("image", "--cluster", "--base"), "package image: argument --base: expected one argument"),
        (("appimage",), "package appimage: the following arguments are required: --runtime; "),
    ],
)
def test_what_a_kind_does_not_know_is_refused_before_set_up(
    words: tuple[str, ...],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import dev  # noqa: PLC0415 - found only now

    monkeypatch.setattr(dev, "prepare", None)  # not to be called
    with pytest.raises(SystemExit) as ended:
        dev.main(["package", *words])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"dev.py {sentence}")
    assert said.count("\n") == 1


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
