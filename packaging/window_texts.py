"""What the window says: every text that is to be translated, as the code has it.

Qt's own lupdate reads Python by its words alone and loses the context of functions outside of
classes; here Python's parser reads it. A text is translated in the context that it is looked up in:

- `self.tr("…")`: the class it stands in;
- `QCoreApplication.translate("Context", "…")` and `QT_TRANSLATE_NOOP("Context", "…")`: that one;
- `_tr("…")`: the one named in the module's `_tr = translator("Context")`;
- below the window, a KnownError made of a literal, every literal in what is annotated as
  `Sentence`, every member of an enum that says `_value_: Sentence`, and every literal given to a
  parameter or field so annotated, of `said("…")` or of a declaration such as a setting's: the
  context "Sentences". The command line speaks English: it is left out;
- the docstring of a setting, which the help shows: "SettingMeanings".
"""

from __future__ import annotations

import ast
import gc
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from setting_meanings import setting_meanings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SENTENCES: Final = "Sentences"
MEANINGS: Final = "SettingMeanings"
_SENTENCE: Final = "Sentence"
_OUTSIDE: Final = ("cli", "demo")
"""Folders that no window shows anything of."""

_Naming = ast.ClassDef | ast.FunctionDef | ast.ImportFrom
_NAMING: Final = (ast.ClassDef, ast.FunctionDef, ast.ImportFrom)
_BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
"""What of a statement has statements in it."""
_LEAVES: Final = (ast.Constant, ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.alias)
"""Most nodes; no call is in them."""


@dataclass(frozen=True, order=True)
class Text:
    """A text in its context. `plural`: it counts something, and has a form for each number."""

    context: str
    source: str
    comment: str = ""
    plural: bool = False


class UntranslatableError(Exception):
    """Texts that are put together where they stand, so that nobody can translate them."""


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Look for no garbage: a thousand syntax trees are none, and each look goes through them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_without_collecting()
def window_texts(package: Path) -> list[Text]:
    """All texts in the package, each once, by context and then as they come.

    Raises UntranslatableError with a line for each place that says something which is no literal.
    """
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8"), str(path))
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).parts[0] not in _OUTSIDE
    }
    named = {path: _naming(tree) for path, tree in trees.items()}
    bases = _bases(named.values())
    known_errors = _known_errors(bases)
    modules = {path: _module_name(path, package) for path in trees}
    parameters = {modules[path]: _parameters(nodes) for path, nodes in named.items()}
    found: dict[Text, None] = {}
    wrong: list[str] = []
    for path, tree in trees.items():
        takes_sentences = _known_here(tree, named[path], parameters, modules[path])
        module = _Module(known_errors, takes_sentences, frozenset().union(*bases.values()), tree)
        module.visit(tree)
        found.update(dict.fromkeys(module.texts))
        wrong += [f"{path}:{line}: {what}" for line, what in module.wrong]
    if wrong:
        raise UntranslatableError("\n".join(wrong))
    meanings = setting_meanings(package).values()
    found |= {Text(MEANINGS, meaning): None for meaning in meanings}
    return sorted(found, key=lambda text: text.context)


def _module_name(path: Path, package: Path) -> str:
    """How other modules import the one in the file `path`."""
    return ".".join((package.name, *path.relative_to(package).with_suffix("").parts))


def _naming(tree: ast.Module) -> list[_Naming]:
    """All in a module that gives something a name: statements, which no expression contains."""
    found: list[_Naming] = []
    left: deque[ast.AST] = deque([tree])
    while left:
        node = left.popleft()
        if isinstance(node, _NAMING):
            found.append(node)
        for block in _BLOCKS:
            left.extend(getattr(node, block, ()))
    return found


def _bases(modules: Iterable[Sequence[_Naming]]) -> dict[str, set[str]]:
    """Each class, by name, and what it is derived from."""
    return {
        node.name: {_base_name(base) for base in node.bases}
        for nodes in modules
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }


def _base_name(base: ast.expr) -> str:
    """The name of a base class, generic or not; "" for one of another module's namespace."""
    if isinstance(base, ast.Subscript):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


def _known_errors(bases: Mapping[str, set[str]]) -> frozenset[str]:
    """KnownError and what is derived from it, by name."""
    known = {"KnownError"}
    while more := {name for name in bases if bases[name] & known} - known:
        known |= more
    return frozenset(known)


def _parameters(nodes: Sequence[_Naming]) -> dict[str, dict[str, int]]:
    """Of each function and class, by name, the parameters that take sentences, and their places.

    The fields of a class are its parameters, as those of a NamedTuple, dataclass or Struct are.
    """
    found: dict[str, dict[str, int]] = {}
    for node in nodes:
        parameters: list[tuple[str, ast.expr | None]] = []
        if isinstance(node, ast.FunctionDef):
            arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            parameters = [(each.arg, each.annotation) for each in arguments]
        elif isinstance(node, ast.ClassDef):
            fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            parameters = [
                (each.target.id, each.annotation)
                for each in fields
                if isinstance(each.target, ast.Name)
            ]
        takes = {
            name: place
            for place, (name, annotation) in enumerate(parameters)
            if annotation is not None and _is_sentence(annotation)
        }
        if takes and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = takes
    return found


def _known_here(
    tree: ast.Module,
    nodes: Sequence[_Naming],
    by_module: Mapping[str, dict[str, dict[str, int]]],
    module: str,
) -> dict[str, dict[str, int]]:
    """What `_parameters` tells of the functions and classes that a module has or imports.

    Classes of the module have the fields of those that they are derived from, too; and what the
    module binds with `partial`, to keywords alone, takes what the whole takes.
    """
    known = dict(by_module[module])
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            there = by_module.get(node.module or "", {})
            known |= {
                each.asname or each.name: there[each.name]
                for each in node.names
                if each.name in there
            }
    for node in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for base in known.keys() & map(_base_name, node.bases):
            known[node.name] = {**known[base], **known.get(node.name, {})}
    for name, whole in _partials(tree).items():
        if whole in known:
            known[name] = known[whole]
    return known


def _partials(tree: ast.Module) -> dict[str, str]:
    """What is assigned in `name = partial(whole, ...)`, and its whole, by name."""
    found = {}
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="partial"), args=[ast.Name(id=whole)]),
            ):
                found[name] = whole
    return found


def _is_sentence(annotation: ast.expr) -> bool:
    """Whether an annotation is `Sentence`, or has it in a collection or union."""
    names = {each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)}
    return _SENTENCE in names


def _declares_sentences(statement: ast.stmt) -> bool:
    """Whether this is `_value_: Sentence`, which in an enum says what its members are."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id="_value_"), annotation=annotation):
            return _is_sentence(annotation)
    return False


class _Module(ast.NodeVisitor):
    """Collects the `texts` of one module, and what is `wrong` in it, by line."""

    def __init__(
        self,
        known_errors: frozenset[str],
        parameters: Mapping[str, Mapping[str, int]],
        derived_from: frozenset[str],
        tree: ast.Module,
    ) -> None:
        self.texts: list[Text] = []
        self.wrong: list[tuple[int, str]] = []
        self._derived_from = derived_from
        self._known_errors = known_errors
        self._parameters = parameters
        self._context = _context_of_module(tree)
        self._classes: list[str] = []

    def generic_visit(self, node: ast.AST) -> None:
        """Visit all in a node but leaves: of a whole package in half the time."""
        for field in node._fields:
            value = getattr(node, field, None)
            for each in value if isinstance(value, list) else (value,):
                if isinstance(each, ast.AST) and not isinstance(each, _LEAVES):
                    self.visit(each)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        if any(map(_declares_sentences, node.body)):
            self.texts += [
                Text(SENTENCES, _constant(member.value))
                for member in node.body
                if isinstance(member, ast.Assign)
            ]
        self.generic_visit(node)
        self._classes.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and _is_sentence(node.annotation):
            self._add_constants(node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="tr"), args=[said, *more]):
                self._add_in_class(owner, said, more)
            case ast.Call(func=ast.Name(id="_tr"), args=[said, *more]):
                self._add(self._context, said, more)
            case ast.Call(
                func=ast.Name(id="QT_TRANSLATE_NOOP" | "translate")
                | ast.Attribute(attr="translate"),
                args=[ast.Constant(value=str(context)), said, *more],
            ):
                self._add(context, said, more)
            case ast.Call(func=ast.Name(id=name), args=[said, *_]) if name in self._known_errors:
                self._add(SENTENCES, said, ())
            case ast.Call(func=ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name))) if (
                name in self._parameters
            ):
                self._add_given(node, self._parameters[name])
            case _:
                pass
        self.generic_visit(node)

    def _add_in_class(self, owner: ast.expr, said: ast.expr, more: Sequence[ast.expr]) -> None:
        if not (isinstance(owner, ast.Name) and owner.id == "self" and self._classes):
            self.wrong.append((said.lineno, "whose context this is cannot be told; use self.tr"))
        elif len(more) > 1 and self._classes[-1] in self._derived_from:
            # PySide asks the derived class first, and takes the number it puts in for an answer.
            self.wrong.append((said.lineno, "here plurals need QCoreApplication.translate"))
        else:
            self._add(self._classes[-1], said, more)

    def _add(self, context: str, said: ast.expr, more: Sequence[ast.expr]) -> None:
        source = _constant(said)
        if source and context:
            # What follows is a comment, the number of what is counted, or both.
            comment = _constant(more[0]) if more else ""
            plural = any(not isinstance(each, ast.Constant) for each in more)
            self.texts.append(Text(context, source, comment, plural))
        elif not isinstance(said, (ast.Name, ast.Attribute, ast.Subscript)):
            self.wrong.append((said.lineno, "a text must be a literal, and its values apart"))

    def _add_given(self, call: ast.Call, parameters: Mapping[str, int]) -> None:
        """Add what the `parameters` that take sentences are given, one by one or in collections."""
        named = {each.arg: each.value for each in call.keywords}
        for name, place in parameters.items():
            given = call.args[place] if place < len(call.args) else named.get(name)
            if isinstance(given, (ast.Dict, ast.Tuple, ast.List)):
                self._add_constants(given)
            elif given is not None and (not isinstance(given, ast.Constant) or given.value):
                self._add(SENTENCES, given, ())

    def _add_constants(self, value: ast.expr) -> None:
        values = value.values if isinstance(value, ast.Dict) else [value]
        for each in values:
            if isinstance(each, (ast.Tuple, ast.List)):
                self.texts += [Text(SENTENCES, _constant(item)) for item in each.elts]
            elif _constant(each):
                self.texts.append(Text(SENTENCES, _constant(each)))


def _context_of_module(tree: ast.Module) -> str:
    """The context of `_tr = translator("Context")` in a module; "" without one."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="_tr")], value=ast.Call(args=[context])):
                return _constant(context)
    return ""


def _constant(node: ast.expr) -> str:
    """The text of a literal, "" of anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""
