"""AppImage, Flatpak, image, Windows and macOS: what can be decided without their systems."""

import plistlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.checkout import ROOT


@pytest.fixture(autouse=True)
def packaging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))


def module(name: str) -> Any:  # noqa: ANN401 - what mypy cannot find
    return __import__(name)


def test_an_appimage_wants_a_runtime(tmp_path: Path) -> None:
    text = tmp_path / "runtime"
    text.write_text("#!/bin/sh\n")
    for path, said in ((tmp_path / "none", "cannot be read"), (text, "is no runtime")):
        with pytest.raises(module("shell").SetupError, match=said):
            module("appimage").refuse_unless_runtime(path)


def test_an_appimage_is_the_runtime_and_behind_it_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appimage = module("appimage")
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"\x7fELF\2\1\1\0AI\2" + b"start program")
    appimage.refuse_unless_runtime(runtime)

    def squash(command: list[str], _complaint: str) -> bool:
        Path(command[2]).write_bytes(b"hsqs of " + Path(command[1]).name.encode())
        return True

    monkeypatch.setattr(appimage, "run_quietly", squash)
    folder = tmp_path / "folder"
    folder.mkdir()
    made = appimage.joined(runtime, folder, tmp_path)
    assert made.read_bytes() == runtime.read_bytes() + b"hsqs of folder"
    assert made.stat().st_mode & 0o111
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".part")] == []


def test_macos_opens_projects_with_the_app() -> None:
    information = module("macos_bundle").information()
    assert plistlib.loads(plistlib.dumps(information)) == information
    (opened,) = information["CFBundleDocumentTypes"]
    (exported,) = information["UTExportedTypeDeclarations"]
    assert opened["LSItemContentTypes"] == [exported["UTTypeIdentifier"]]
    tags = exported["UTTypeTagSpecification"]
    assert tags["public.filename-extension"] == ["gossamer"]
    rights = plistlib.loads((ROOT / "packaging/macos/entitlements.plist").read_bytes())
    assert set(rights.values()) == {True}


@pytest.mark.parametrize("script", ["folder/journey.sh", "macos/notarise.sh"])
def test_shell_scripts_can_be_parsed(script: str) -> None:
    subprocess.run(["sh", "-n", str(ROOT / "packaging" / script)], check=True)


def test_the_installer_removes_nothing_that_it_did_not_bring() -> None:
    """Folders are removed whole only where the program alone has put something."""
    text = (ROOT / "packaging/windows/gossamer.nsi").read_text("utf-8")
    removed = {line.split('"')[1] for line in text.splitlines() if "RMDir /r" in line}
    assert removed == {r"$INSTDIR\_internal", r"$INSTDIR\LICENSES"}
    assert "RequestExecutionLevel user" in text
    assert "HKLM" not in text


def test_the_flatpak_asks_for_what_both_distributions_need_and_pins_each_wheel(
    tmp_path: Path,
) -> None:
    flatpak = module("flatpak")
    needs = " ".join(flatpak.requirements())
    assert "aiohttp" in needs
    assert "PySide6-Essentials" in needs
    wheel = tmp_path / "a-1-py3-none-any.whl"
    wheel.write_bytes(b"abc")
    source = flatpak.source_of(wheel)
    assert source["sha256"].startswith("ba7816bf")
    manifest = flatpak.manifest([source])
    assert source in manifest["modules"][0]["sources"]
    given = [each for each in manifest["finish-args"] if "filesystem" in each]
    assert given == ["--filesystem=xdg-documents"]


@pytest.mark.parametrize("tool", ["buildah", "podman", "docker"])
def test_an_image_is_built_and_written_by_each_tool(tool: str, tmp_path: Path) -> None:
    container_image = module("container_image")
    target = tmp_path / "image.tar"
    variant = container_image.Variant(base="localhost/debian:13")
    commands = container_image.commands(tool, tmp_path, target, variant)
    words = [word for command in commands for word in command]
    assert {command[0] for command in commands} == {tool}
    assert "--build-arg=BASE=localhost/debian:13" in words
    assert any(str(target) in word for word in words)
    plain = container_image.commands(tool, tmp_path, target, container_image.Variant())
    assert not any("--build-arg" in word for command in plain for word in command)
    variant = container_image.Variant(cluster=True)
    words = [
        word
        for command in container_image.commands(tool, tmp_path, target, variant)
        for word in command
    ]
    assert "--build-arg=EXTRAS=[cluster]" in words
    assert f"--tag={container_image.NAME}-cluster" in words
