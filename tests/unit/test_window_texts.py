"""The texts of the window as they are found in the code."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.checkout import ROOT

sys.path.append(str(ROOT / "packaging"))
MODULE = runpy.run_path(str(ROOT / "packaging" / "window_texts.py"))
SAID = "def said(template: Sentence, /, **values): ..."
DECLARATION = """
class Declaration(NamedTuple):
    size: int
    label: Sentence
    choices: tuple[Sentence, ...] = ()
"""


def found(folder: Path, code: str, place: str = "gui/a.py") -> set[tuple[str, str]]:
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code)
    texts: list[Any] = MODULE["window_texts"](folder)
    return {(text.context, text.source) for text in texts}


@pytest.mark.parametrize(
    ("code", "context", "source"),
    [
        ('class Bar:\n    def f(self): return [self.tr("One") for _ in ()]', "Bar", "One"),
        ('QCoreApplication.translate("About", "Two " "words")', "About", "Two words"),
        ('X = {1: QT_TRANSLATE_NOOP("Facet", "Three")}', "Facet", "Three"),
        ('_tr = translator("List")\n_tr("Four")', "List", "Four"),
        (f'{SAID}\nsaid("Five {{n}}", n=5)', "Sentences", "Five {n}"),
        ('class E(KnownError): ...\nclass F(E): ...\nraise F("Six")', "Sentences", "Six"),
        ('SEVEN: dict[int, Sentence] = {7: "Seven"}', "Sentences", "Seven"),
        ('EIGHT: Final[tuple[Sentence, ...]] = ("Eight",)', "Sentences", "Eight"),
        (f'{DECLARATION}\nDeclaration(9, "Nine")', "Sentences", "Nine"),
        (f'{DECLARATION}\nDeclaration[int](9, "Nine")', "Sentences", "Nine"),
        (f'{DECLARATION}\nclass D(Declaration[int]): ...\nD(label="Ni")', "Sentences", "Ni"),
        (
            f'{DECLARATION}\na = partial(Declaration, size=1)\nb = partial(a)\nb(label="Ten")',
            "Sentences",
            "Ten",
        ),
        (f'{DECLARATION}\na: Annotated[int, Declaration(1, label="Te")]', "Sentences", "Te"),
        ('class Group(StrEnum):\n    _value_: Sentence\n    A = "Twelve"', "Sentences", "Twelve"),
        (f'{DECLARATION}\nDeclaration(1, "", choices=("Eleven",))', "Sentences", "Eleven"),
    ],
)
def test_every_way_to_say_something_is_found(
    tmp_path: Path, code: str, context: str, source: str
) -> None:
    assert found(tmp_path, code) == {(context, source)}


def test_what_counts_has_plurals(tmp_path: Path) -> None:
    found(tmp_path, 'class A:\n    def f(self, n): self.tr("%n page(s)", "shown", n)')
    (text,) = MODULE["window_texts"](tmp_path)
    assert (text.comment, text.plural) == ("shown", True)


@pytest.mark.parametrize(
    "code",
    [
        'class A:\n    def f(self): self.tr(f"{self} pages")',
        'class A:\n    def f(self): self.tr("a" + "b")',
        'class A:\n    def f(self): self.view.tr("a")',
        'class A(B):\n    def f(self, n): self.tr("%n", "", n)\nclass C(A): ...',
        'raise UsageError(f"No {name}")\nclass UsageError(KnownError): ...',
        f'said("No {{}}".format(1))\n{SAID}',
    ],
)
def test_what_cannot_be_translated_is_named_with_its_line(tmp_path: Path, code: str) -> None:
    line = 2 if code.startswith("class") else 1
    with pytest.raises(MODULE["UntranslatableError"], match=rf"a\.py:{line}: "):
        found(tmp_path, code)


def test_the_command_line_speaks_english(tmp_path: Path) -> None:
    assert found(tmp_path, 'said("One")', "cli/a.py") == set()
