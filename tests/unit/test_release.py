"""What packaging/release.py puts beside packages, and when it refuses."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.checkout import ROOT


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return import_module("release")


def changelog(folder: Path, heading: str) -> list[object]:
    path = folder / "CHANGELOG.md"
    path.write_text(f"# Changelog\n\n## {heading}\n\nNews.\n\n### Window\n\n- One.\n", "utf-8")
    known: list[object] = import_module("releases").releases(path)
    return known


def test_notes_are_the_section_of_the_version(release: ModuleType, tmp_path: Path) -> None:
    known = changelog(tmp_path, "[1.2.0] - 2026-11-23")
    notes = release.notes_of("v1.2.0", known, "1.2.0")
    assert notes == "News.\n\n### Window\n\n- One."
    assert release.notes_of(None, known, "1.2.0") == notes


@pytest.mark.parametrize(
    ("tag", "heading", "said"),
    [
        ("v1.3.0", "[1.2.0] - 2026-11-23", "the tag is v1.3.0 and"),
        ("1.2.0", "[1.2.0] - 2026-11-23", "the tag is 1.2.0 and"),
        ("v1.2.0", "[1.1.0] - 2026-11-23", "CHANGELOG.md has no section"),
        ("v1.2.0", "[Unreleased]", "CHANGELOG.md has no section"),
    ],
)
def test_a_tag_needs_its_version_and_its_section(
    release: ModuleType, tmp_path: Path, tag: str, heading: str, said: str
) -> None:
    known = changelog(tmp_path, heading)
    with pytest.raises(import_module("shell").SetupError, match=said):
        release.notes_of(tag, known, "1.2.0")


def test_checksums_are_those_of_every_file_but_their_own(
    release: ModuleType, tmp_path: Path
) -> None:
    for name in ("b.whl", "a.tar.gz", "SHA256SUMS", ".c.part"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "trials").mkdir()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert release.checksums(tmp_path) == f"{empty}  a.tar.gz\n{empty}  b.whl\n"


def test_the_sbom_is_about_gossamer_and_names_what_wheels_contain_of_others(
    release: ModuleType,
) -> None:
    listed = [{"bom-ref": name, "name": name} for name in ("gossamer", "gossamer-core")]
    needs = [
        {"ref": "gossamer", "dependsOn": ["gossamer-core"]},
        {"ref": "gossamer-core", "dependsOn": ["lxml"]},
    ]
    made = release.completed({"components": listed, "dependencies": needs})
    assert made["metadata"]["component"]["type"] == "application"
    assert [each["name"] for each in made["components"]] == ["gossamer-core", "axe-core"]
    [core] = [each for each in made["dependencies"] if each["ref"] == "gossamer-core"]
    assert [each.partition("==")[0] for each in core["dependsOn"]] == ["axe-core", "lxml"]
