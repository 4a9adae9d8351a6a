"""What goes into the frozen folder, and what the frozen program leaves to others."""

import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gossamer.ipc.process_start import lasting_command, program_command
from tests.architecture.checkout import ROOT
from tests.cases import each_case

LIBRARY, EXTENSION, SYMLINK = "BINARY", "EXTENSION", "SYMLINK"
QT = "PySide6/Qt"


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import folder_contents  # noqa: PLC0415 - found only now

    return folder_contents


@pytest.fixture
def hook() -> dict[str, object]:
    return runpy.run_path(str(ROOT / "packaging" / "folder" / "frozen_environment.py"))


def test_a_folder_of_the_checkout_is_no_package_though_a_distribution_names_it(
    contents: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checkout" / "built-things").mkdir(parents=True)
    (tmp_path / "environment" / "library").mkdir(parents=True)
    (tmp_path / "environment" / "module.py").touch()
    for name in ("checkout", "environment"):
        monkeypatch.syspath_prepend(str(tmp_path / name))
    names = ("built-things", "library", "module", "not-there")
    found = [name for name in names if contents.is_installed(name, tmp_path / "environment")]
    assert found == ["library", "module"]


def test_libraries_stay_as_long_as_something_that_stays_is_linked_with_them(
    contents: ModuleType,
) -> None:
    collected = [
        contents.CollectedFile(place, f"/from/{place}", kind)
        for place, kind in (
            (f"{QT}/plugins/platforms/libqxcb.so", LIBRARY),
            (f"{QT}/plugins/platformthemes/libqgtk3.so", LIBRARY),
            (f"{QT}/lib/libQt6Core.so.6", LIBRARY),
            ("libgtk-3.so.0", LIBRARY),
            ("libcairo.so.2", LIBRARY),  # of GTK
            ("libxcb.so.1", LIBRARY),
            ("libXau.so.6", LIBRARY),  # of xcb
            ("libfontconfig.so.1", LIBRARY),  # the system's
            ("libpython3.11.so.1.0", LIBRARY),  # loaded by the start program
            ("_cffi_backend.cpython-311-x86_64-linux-gnu.so", EXTENSION),  # imported by name
        )
    ]
    links = {
        "libqxcb.so": ["libQt6Core.so.6", "libxcb.so.1", "libfontconfig.so.1", "libc.so.6"],
        "libqgtk3.so": ["libgtk-3.so.0"],
        "libgtk-3.so.0": ["libcairo.so.2"],
        "libxcb.so.1": ["libXau.so.6", "libxcb.so.1"],
    }
    kept = contents.wanted_binaries(collected, lambda path: links.get(Path(path).name, []))
    assert [Path(each.place).name for each in kept] == [
        "libqxcb.so",
        "libQt6Core.so.6",
        "libxcb.so.1",
        "libXau.so.6",
        "libpython3.11.so.1.0",
        "_cffi_backend.cpython-311-x86_64-linux-gnu.so",
    ]
    links_kept = contents.standing_links(
        [
            contents.CollectedFile("libQt6Core.so.6", f"{QT}/lib/libQt6Core.so.6", SYMLINK),
            contents.CollectedFile("libQt6Quick.so.6", f"{QT}/lib/libQt6Quick.so.6", SYMLINK),
        ],
        kept,
    )
    assert [each.place for each in links_kept] == ["libQt6Core.so.6"]


@each_case(
    ("place", "stays"),
    [
        (f"{QT}/plugins/printsupport/libcupsprintersupport.so", True),
        ("libcups.so.2", False),
        (f"{QT}/plugins/platforms/libqoffscreen.so", True),
        (f"{QT}/plugins/platforms/libqeglfs.so", False),
        (f"{QT}/plugins/xcbglintegrations/libqxcb-glx-integration.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\styles\\qmodernwindowsstyle.dll", True),
        (f"{QT}/translations/qtbase_zh_CN.qm", True),
        (f"{QT}/translations/qtbase_de.qm", False),
        ("gossamer/resources/translations/gossamer_zh_CN.qm", True),
        ("selectolax/lexbor.c", False),
        ("numpy/__init__.pyi", False),
        ("hunspell/dictionaries/en_US.dic", False),
        ("numpy/_core/tests/data/a.csv", False),
        ("py3langid/data/model.npz.xz", True),
        ("publicsuffixlist/public_suffix_list.dat", True),
        ("libEGL.so.1", False),
    ],
)
def test_plugins_translations_and_libraries_of_the_system(
    contents: ModuleType, place: str, stays: bool
) -> None:
    assert contents.is_wanted(place) is stays


def test_programs_that_it_starts_are_not_given_its_libraries(hook: dict[str, object]) -> None:
    restore = hook["restore_environment"]
    assert callable(restore)
    environment = {"LD_LIBRARY_PATH": "/opt/gossamer/_internal", "_PYI_ARCHIVE_FILE": "x", "A": "1"}
    restore(environment)
    assert environment == {"A": "1"}
    environment = {"LD_LIBRARY_PATH": "/opt/g/_internal:/own", "LD_LIBRARY_PATH_ORIG": "/own"}
    restore(environment)
    assert environment == {"LD_LIBRARY_PATH": "/own"}


@pytest.mark.parametrize(
    ("environment", "there", "expected"),
    [
        ({}, {"/built/here"}, {}),
        ({}, {"/etc/pki/tls/certs/ca-bundle.crt"}, "/etc/pki/tls/certs/ca-bundle.crt"),
        ({"SSL_CERT_FILE": "/own"}, {"/etc/ssl/ca-bundle.pem"}, "/own"),
        ({}, set(), {}),
    ],
)
def test_certificates_are_those_of_the_system_it_runs_on(
    hook: dict[str, object], environment: dict[str, str], there: set[str], expected: object
) -> None:
    trust = hook["trust_system"]
    assert callable(trust)
    trust(environment, ["/built/here", None], there.__contains__)
    assert environment.get("SSL_CERT_FILE", {}) == expected


def test_licences_of_one_name_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import frozen_licences  # noqa: PLC0415 - found only now

    files = [tmp_path / "a" / "LICENSE", tmp_path / "b" / "LICENSE"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text(str(file))
    frozen_licences.copy_licences(tmp_path / "out", files)
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["LICENSE", "LICENSE-2"]
    from shell import SetupError  # noqa: PLC0415 - likewise

    with pytest.raises(SetupError, match="which is missing"):
        frozen_licences.copy_licences(tmp_path / "out", [tmp_path / "LGPL-3"])


def test_a_timer_starts_the_file_of_an_appimage_and_not_its_mount(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = {"APPIMAGE": "/home/me/Gossamer.AppImage", "APPDIR": "/tmp/.mount_a"}  # noqa: S108 - as runtimes do
    terminal = {"APPIMAGE": "/home/me/Terminal.AppImage", "APPDIR": "/tmp/.mount_b"}  # noqa: S108 - likewise
    assert lasting_command(own) == program_command()  # from a checkout, in a terminal of AppImage
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/tmp/.mount_a/gossamer")  # noqa: S108 - likewise
    assert lasting_command(own) == ["/home/me/Gossamer.AppImage"]
    assert lasting_command(terminal) == lasting_command({}) == ["/tmp/.mount_a/gossamer"]  # noqa: S108 - likewise
