"""The program as a process: it ends and says what its command line does in the test's process.

Most tests of commands run that, which is adapted to them; here each kind of them is a process.
"""

import sys
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.program import gossamer, gossamer_alone
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="both would be processes there")

WRITING: Final[tuple[tuple[str, ...], ...]] = (
    ("audit", "x.gossamer", "--junit", "issues.xml"),
    ("copy", "x.gossamer", "-o", "y.gossamer"),
    ("export", "x.gossamer", "pages", "-o", "pages.csv"),
    ("recrawl", "x.gossamer", "-o", "z.gossamer", "-q"),
    ("resume", "x.gossamer", "-q"),
    ("rescue", "x.gossamer", "-o", "rescued.gossamer"),
)
READING: Final[tuple[tuple[str, ...], ...]] = (
    ("info", "x.gossamer"),
    ("info", "missing.gossamer"),
    ("export", "x.gossamer", "links", "-o", "-", "--format", "csv"),
    ("settings", "x.gossamer"),
    ("audit", "x.gossamer", "--fail-on", "high"),
    ("compare", "x.gossamer", "y.gossamer", "-q"),
    ("sql", "x.gossamer", "SELECT count(*) FROM url"),
    ("search", "x.gossamer", "home"),
    ("no-such-command",),
)


def test_commands_end_and_print_as_processes_as_they_do_here(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/a", "/gone"], title="Home")
    site.page("/a")
    crawled = gossamer_alone("crawl", site.url(), "-o", "x.gossamer", "-q", cwd=tmp_path)
    assert (crawled.returncode, crawled.stderr) == (0, "")
    for words in WRITING:
        assert gossamer_alone(*words, cwd=tmp_path).returncode == 0, words
    files = {words[words.index("-o") + 1] for words in WRITING if "-o" in words}
    assert files < {path.name for path in tmp_path.iterdir()}
    for words in READING:
        alone, here = (each(*words, cwd=tmp_path) for each in (gossamer_alone, gossamer))
        assert (alone.returncode, alone.stdout) == (here.returncode, here.stdout), words
        assert alone.stderr == here.stderr, words
        assert alone.stdout or alone.stderr, words
