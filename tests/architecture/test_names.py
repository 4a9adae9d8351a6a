"""A name means one thing: no public class is defined twice, no module is named like another."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.architecture.checkout import ROOT

APP: Final = ROOT / "app" / "gossamer"
SAME_MEANING: Final = {
    "__init__.py": "a package",
    "__main__.py": "a package that can be run",
    "main.py": "where a shell begins: the command line, the window",
}
"""Files that stand in several folders because they mean the same in each."""
CLASS: Final = re.compile(r"^class ([^\W_]\w*)", re.MULTILINE)
"""A public one, outside of others: to parse all modules would take a second."""
DEFINITION: Final = r"(?m)(^|\s)((class|def) {0}\b|{0}\b(: [^\n]*)?( =|$))"
"""For `str.format`: that of a class, a function, a constant, a member or a field."""
ALIAS: Final = re.compile(r"^([A-Z]\w*[a-z]\w*)(?:: TypeAlias)? = ", re.MULTILINE)
"""A public type alias or type variable of a module."""


def modules() -> Iterator[Path]:
    """All modules of the program."""
    yield from sorted(APP.rglob("*.py"))


def test_no_public_class_name_is_defined_twice() -> None:
    """A reader who meets a class knows which one it is."""
    defined = defaultdict(list)
    for path in modules():
        for name in CLASS.findall(path.read_text(encoding="utf-8")):
            defined[name].append(str(path.relative_to(APP)))
    assert len(defined) > 1000
    assert {name: places for name, places in defined.items() if len(places) > 1} == {}


def test_no_type_alias_has_the_name_of_a_class() -> None:
    """A reader who meets a name that is a class knows that it is this class."""
    texts = {path: path.read_text(encoding="utf-8") for path in modules()}
    classes = {name for text in texts.values() for name in CLASS.findall(text)}
    aliases = {path.name: classes & {*ALIAS.findall(text)} for path, text in texts.items()}
    assert {name: taken for name, taken in aliases.items() if taken} == {}


def test_no_module_name_stands_in_two_folders() -> None:
    """A reader who is told the name of a file finds it."""
    found = defaultdict(list)
    for path in modules():
        found[path.name].append(str(path.parent.relative_to(APP)))
    several = {name: folders for name, folders in found.items() if len(folders) > 1}
    assert {name: folders for name, folders in several.items() if name not in SAME_MEANING} == {}
    assert SAME_MEANING.keys() - {path.name for path in modules()} == set()


def test_few_modules_of_the_window_stand_outside_its_feature_folders() -> None:
    """What belongs to a feature stands in its folder."""
    beside = [path.name for path in (APP / "gui").glob("*.py")]
    assert len(beside) <= 10, beside


def test_the_glossary_names_existing_modules_and_classes() -> None:
    """Each place that it gives for a term is a module or folder, and each name stands in it."""
    for row in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines():
        place = row.rpartition(" | ")[2] if row.startswith("| ") else ""
        module = None
        for named in re.findall(r"`([^`]+)`", place):
            if "/" in named:
                module = APP / f"{named}.py"
                assert module.is_file() or (APP / named).is_dir(), named
            else:
                assert module is not None, row
                text = module.read_text(encoding="utf-8")
                assert all(re.search(DEFINITION.format(part), text) for part in named.split(".")), (
                    row
                )
