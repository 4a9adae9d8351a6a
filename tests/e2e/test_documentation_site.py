"""The builder of the documentation refuses what leads nowhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

pytest.importorskip("sphinx", reason="Sphinx is installed for development only")

BUILD = """
import sys
from pathlib import Path
import documentation
texts = {
    "index": sys.argv[1],
    "zh/index": "# 文档\\n\\n所有页面。\\n",
    "b": sys.argv[2],
}
try:
    documentation.build(texts, Path(sys.argv[3]))
    with documentation.served(Path(sys.argv[3])) as address:
        documentation.check_links(address)
except documentation.DocumentationError as error:
    sys.exit(str(error))
"""
CONTENTS = "## Pages\n\n- [B](b.md)\n- [中文](zh/index.md)\n"


B = "# B\n\nIssue, low priority\n\nWhat B is. How to use it.\n"


def built(start: str, folder: Path, other: str = B) -> "subprocess.CompletedProcess[str]":
    """Build a site of three pages, and check it."""
    script = folder / "build.py"
    script.write_text(f'if __name__ == "__main__":\n{_indented(BUILD)}', encoding="utf-8")
    return subprocess.run(
        [
            sys.executable,
            script,
            f"# Start\n\nHere is every page. {start}.\n\n{CONTENTS}",
            other,
            folder / "site",
        ],
        env={"PYTHONPATH": str(ROOT / "packaging"), "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def _indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.splitlines())


def test_a_site_whose_links_hold_is_built_in_both_languages(tmp_path: Path) -> None:
    done = built("[there](b.md#b)", tmp_path)
    assert done.returncode == 0, done.stderr
    chinese = (tmp_path / "site" / "zh" / "index.html").read_text(encoding="utf-8")
    assert 'lang="zh-CN"' in chinese
    assert 'href="../index.html"' in chinese
    page = (tmp_path / "site" / "b.html").read_text(encoding="utf-8")
    assert "<title>B - Gossamer documentation</title>" in page
    assert '<meta name="description" content="What B is. How to use it.">' in page
    assert "<h1>B</h1>" in page
    search = (tmp_path / "site" / "zh" / "_static" / "language_data.js").read_text("utf-8")
    assert "window.Stemmer = EnglishStemmer" in search
    assert "var splitQuery" in search
    assert '"\\u6587\\u6863"' in (tmp_path / "site" / "zh" / "searchindex.js").read_text("utf-8")


def test_links_that_sphinx_knows_to_lead_nowhere_fail_the_build(tmp_path: Path) -> None:
    done = built("[gone](c.md) [gone](b.md#d)", tmp_path)
    assert done.returncode != 0
    assert "Sphinx warns" in done.stderr
    assert "'c.md'" in done.stderr
    assert "'d'" in done.stderr


def test_what_only_a_crawl_finds_fails_the_check(tmp_path: Path) -> None:
    links = '<a href="c.html">gone</a> <a href="b.html#d">gone</a>'
    done = built(links, tmp_path, "# B\n\nNot a sentence\n")
    assert done.returncode != 0
    for check in ("errors", "URL: Broken Bookmark", "Meta Description: Missing"):
        assert f"--fail-on {check}: 1 found" in done.stderr
    assert "links lead nowhere, or pages have no name of their own" in done.stderr
    for listed in ("/c.html", "/b.html#d", "/b.html,"):
        assert listed in done.stdout
