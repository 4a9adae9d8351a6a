"""Checks .github/workflows with actionlint.

Usage: python3 packaging/lint_workflows.py

Exit code 1 if something is wrong.
"""

from __future__ import annotations

import sys

from release_tools import prepared_tools, run_tool
from script_arguments import script_arguments
from shell import REPO


def main() -> int:
    """Check them; return the exit code."""
    if not prepared_tools():
        return 1
    workflows = sorted((REPO / ".github" / "workflows").glob("*.yml"))
    done = run_tool("actionlint", "-no-color", *workflows)
    print(done.stdout, end="")
    return min(done.returncode, 1)


if __name__ == "__main__":
    script_arguments(__doc__)
    sys.exit(main())
