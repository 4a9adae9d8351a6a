"""What each setting of a crawl means: the docstring below its field, in Markdown."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def setting_meanings(package: Path) -> dict[str, str]:
    """By the name of the setting, each in one line."""
    found: dict[str, str] = {}
    for path in sorted((package / "model" / "settings").glob("*_settings.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found |= _docstrings(node)
    return found


def _docstrings(node: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: " ".join(str(said.value.value).split())
        for field, said in zip(node.body, node.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(said, ast.Expr)
        and isinstance(said.value, ast.Constant)
    }
