"""Names of files hold on every system, whatever a user or a host name brings along."""

import unicodedata
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.file_names import MAX_NAME_BYTES, file_name
from tests.cases import each_case

ENDS = ("", ".log", "-0a1b2c3d.log", " 2026-11-20 11.00.00 (2).gossamer", " pages.csv")
DEVICES = ("CON", "con", "PRN", "AUX", "NUL", "COM1", "COM\u00b9", "LPT9", "CONIN$", "CONOUT$")
ODD = st.one_of(
    st.text(st.characters(codec=None), max_size=300),
    st.text("./\\ -:*\0\u202e\ud800漢é", max_size=300),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(DEVICES),
        st.sampled_from(("", ".", ".x", " .x", " ." * 99)),
        st.text(max_size=3),
    ),
)


@given(ODD, st.sampled_from(ENDS))
def test_a_file_name_is_valid_on_every_system(stem: str, end: str) -> None:
    name = file_name(stem, end)
    assert len(name.encode()) <= MAX_NAME_BYTES
    assert name.endswith(end)
    assert len(name) > len(end)
    assert name.partition(".")[0].rstrip().upper() not in DEVICES
    assert PureWindowsPath(name).name == Path(name).name == name
    assert not set(name) & set('<>:"/\\|?*')
    assert not {unicodedata.category(letter) for letter in name} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not name.startswith((".", "-", " "))
    assert not name.endswith((" ", "."))


@given(ODD)
def test_a_valid_file_name_is_unchanged(stem: str) -> None:
    name = file_name(stem)
    assert file_name(name) == name


@given(ODD)
def test_a_file_with_the_name_can_be_created(
    tmp_path_factory: pytest.TempPathFactory, stem: str
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = folder / file_name(stem, ".gossamer.migrating-journal")
    path.write_bytes(b"")
    assert path.is_file()
    path.unlink()


@each_case(
    ("stem", "name"),
    [
        ("example.com", "example.com.log"),
        ("Bücher, 漢字 (2)", "Bücher, 漢字 (2).log"),
        ("con.example.com", "_con.example.com.log"),
        ("NUL", "_NUL.log"),
        ("console", "console.log"),
        ("..", "_.log"),
        ("", "_.log"),
        (" . ", "_.log"),
        (".hidden", "hidden.log"),
        ("--help", "help.log"),
        ("../../etc/passwd", "etc-passwd.log"),
        ("C:\\a?b", "C--a-b.log"),
        ("fdp\u202eexe", "fdp-exe.log"),
        ("a\nb\x1b[31m\udcff", "a-b-[31m-.log"),
        ("x" * 300, "x" * 136 + ".log"),
        ("漢" * 300, "漢" * 45 + ".log"),
        ("con" + " " * 300 + "x", "_con.log"),
    ],
)
def test_file_names_of_typical_titles(stem: str, name: str) -> None:
    assert file_name(stem, ".log") == name
