"""The translations: complete, and nothing lost on the way from one language to the other."""

import ast
import re
import runpy
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from gossamer.model import errors
from tests.architecture.checkout import ROOT

FOLDER = ROOT / "resources" / "translations"
FILES = sorted(FOLDER.glob("*.ts"))
ENGLISH = "gossamer_en.ts"
NUMBER = re.compile(r"%(?:L?n|\d)")
ACCESS_KEY = re.compile(r"&(?![&\s])(.)")
HAN = re.compile("[\u4e00-\u9fff]")
LINK_TARGET = re.compile(r"\]\([^)]*\)")
HALF_WIDTH = re.compile("[\u4e00-\u9fff][,.;:?!()](?!&)|[,.;:?!()][\u4e00-\u9fff]")
UNSPACED = re.compile("[\u4e00-\u9fff][A-Za-z0-9%]|[A-Za-z0-9][\u4e00-\u9fff]")
SAME: frozenset[str] = frozenset(
    {
        "{n}%",
        "Beautiful Soup",
        "Cookie",
        "Cookies",
        "CSS",
        "CSV",
        "HTML",
        "Parquet",
        "JSON Lines",
        "Nofollow",
        "Open Graph",
        "Rel",
        "SEO",
        "TLS",
        "&Webhook",
        "{done} of {total}",
        "{n} of {total}",
    }
)
"""What Chinese says without a Chinese character."""

SPEAKERS = frozenset(
    {"said"} | {name for name in vars(errors) if name.endswith("Error") and name != "BugError"}
)
"""What makes a sentence of a template and its values."""
SPEAKS = re.compile(rf"\b(?:{'|'.join(sorted(SPEAKERS))})\s*\(")
"""Found in each file that makes one: to parse the others would take longer than all else."""

COMPOSING = ("Sentences", "Words")
"""Contexts of what only puts others together, too."""

Message = tuple[str, str, list[str], bool]


def messages(file: Path) -> list[Message]:
    """Context, source, forms of the translation, and whether it is unfinished."""
    found: list[Message] = []
    for context in ET.parse(file).getroot().iter("context"):  # noqa: S314 - our own file
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            forms = [form.text or "" for form in translation.iter("numerusform")]
            found.append(
                (
                    context.findtext("name", ""),
                    message.findtext("source", ""),
                    forms or [translation.text or ""],
                    translation.get("type") is not None,
                )
            )
    return found


def told(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Sentences that are given values at once, with the call that does so."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        first = node.args[0]
        if node.func.id not in SPEAKERS or not isinstance(first, ast.Constant):
            continue
        if (
            isinstance(first.value, str)
            and node.keywords
            and all(each.arg for each in node.keywords)
        ):
            yield node, first.value


def test_each_sentence_is_given_the_values_that_it_names() -> None:
    wrong: list[str] = []
    count = 0
    for file in (ROOT / "app" / "gossamer").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for call, sentence in told(ast.parse(text)) if SPEAKS.search(text) else ():
            count += 1
            named = {name.partition(".")[0] for name, _, _ in fields(sentence)}
            if named != {each.arg for each in call.keywords}:
                wrong.append(f"{file.relative_to(ROOT)}:{call.lineno}: {sentence}")
    assert wrong == []
    assert count > 400


ALL = [(file, message) for file in FILES for message in messages(file)]
NAMES = [f"{file.stem}-{message[0]}-{message[1][:40]}" for file, message in ALL]


def fields(text: str) -> set[tuple[str, str, str]]:
    """The values of a template: name, format, conversion."""
    return {
        (name, form or "", conversion or "")
        for _, name, form, conversion in Formatter().parse(text)
        if name is not None
    }


def test_the_files_have_what_the_code_says_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise: python3 packaging/dev.py generate, and translate what it names."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    update = runpy.run_path(str(ROOT / "packaging" / "translations.py"))["update_sources"]
    for file in FILES:
        shutil.copy(file, tmp_path)
    assert update(Path(sys.executable), tmp_path) == 0
    for file in FILES:
        assert messages(tmp_path / file.name) == messages(file), file.name


def test_nothing_is_unfinished() -> None:
    assert ALL
    missing = [
        f"{file.name}: {context}: {source}"
        for file, (context, source, forms, unfinished) in ALL
        if unfinished or not all(forms)
    ]
    assert missing == []


def test_values_and_access_keys_are_kept() -> None:
    for file, (context, source, forms, _) in ALL:
        for form in forms:
            where = f"{file.name}: {context}: {source}"
            if "{" in source:
                assert fields(form) == fields(source), where
            assert set(NUMBER.findall(form)) == set(NUMBER.findall(source)), where
            assert ACCESS_KEY.findall(form.upper()) == ACCESS_KEY.findall(source.upper()), where
            assert source.endswith("…") == form.endswith("…"), where


def test_chinese_is_written_as_chinese_is() -> None:
    """Its own punctuation, and a space between Chinese and Latin words."""
    for context, source, (form,), _ in messages(FOLDER / "gossamer_zh_CN.ts"):
        where = f"{context}: {source}: {form}"
        assert HAN.search(form) or source in SAME or context in COMPOSING, where
        assert "(*." in source or not HALF_WIDTH.search(LINK_TARGET.sub("]", form)), where
        assert not UNSPACED.search(form), where
