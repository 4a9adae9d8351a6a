"""The commands of the how-to guides do what the guides say; translations have the same ones."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT
from tests.e2e.program import run_line
from tests.fakes.browsers import NEEDS_BROWSER
from tests.sites import Site

GUIDES = ROOT / "docs" / "how-to"
LIVE, STAGING = "https://www.example.com/", "https://staging.example.com/"
RENDERED = {"accessibility", "javascript"}
TESTED_ELSEWHERE = {"archive", "cluster"}
"""These need an archive or a cluster; what they do is tested in tests/integration."""
OTHER_MACHINES = "--cluster tcp://"
"""Lines with this need machines that are not there; so do those of the guides above."""
WRITES = re.compile(r"(?:-o|--output) (\S+)")
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the guides are for a POSIX shell")


def lines_of(guide: Path) -> list[str]:
    """The commands of a guide, in their order."""
    blocks: list[str] = _BLOCK.findall(guide.read_text(encoding="utf-8"))
    return [line for block in blocks for line in block.splitlines()]


def guides() -> Iterator[object]:
    """The guides that have commands; a browser is needed where they render."""
    for guide in sorted(GUIDES.glob("*.md")):
        marks = [NEEDS_BROWSER] if guide.stem in RENDERED else []
        if lines_of(guide) and guide.stem not in TESTED_ELSEWHERE:
            yield pytest.param(guide, id=guide.stem, marks=marks)


@pytest.fixture
def public(site: Site) -> Site:
    """A site with something to find for each guide."""
    links = ["/gone", "/old", "/shop/?sort=price", "/script.html", "/shoes"]
    site.page("/", title="Home", links=links, body='<p class="price">5</p><img src="/a.png">')
    site.redirect("/old", "/new", status=301)
    site.page("/new", title="New", links=["/"])
    site.page("/shoes", title="Red shoes", links=["/"])
    site.page("/script.html", title="", body="<div id=app></div><script>app.x = 1</script>")
    site.page("/shop/?sort=price", title="Shop", links=["/"])
    site.robots(f"User-agent: *\nDisallow:\nSitemap: {site.url('/sitemap.xml')}\n")
    listed = f"<url><loc>{site.url('/new')}</loc></url><url><loc>{site.url('/old')}</loc></url>"
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    sitemap = f'<urlset xmlns="{namespace}">{listed}</urlset>'
    site.file("/sitemap.xml", sitemap.encode(), "application/xml")
    return site


@pytest.mark.parametrize("guide", list(guides()))
def test_the_commands_of_a_guide_run_one_after_the_other(
    guide: Path, public: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "CONFIG", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home"))
    moves = f"Old,New\n{public.url('/old')},{public.url('/new')}\n"
    (tmp_path / "moves.csv").write_text(moves, encoding="utf-8")
    with Site() as staging:
        staging.page("/", title="")
        for written in lines_of(guide):
            if OTHER_MACHINES in written:
                continue
            line = written.replace(LIVE, public.url("/")).replace(STAGING, staging.url("/"))
            if "schedule add" in line:
                line += " --timer none"
            done = run_line(line, tmp_path)
            allowed = {0, 5} if "--fail-on" in line else {0}
            assert done.returncode in allowed, f"{written}\n{done.stdout}\n{done.stderr}"
            for output in WRITES.findall(line):
                assert output == "-" or (tmp_path / output).exists(), written
    assert not (tmp_path / "old-addresses.txt").exists() or "http" in (
        tmp_path / "old-addresses.txt"
    ).read_text(encoding="utf-8")
