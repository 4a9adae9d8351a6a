"""`dev.py package deb`: Debian packages for the releases named, each built in a system of its own.

A fresh chroot of the release (see chroots.py) gets Debian's build tools by apt and the libraries by
pip, with the Python of that release. Then dpkg-buildpackage puts the packages together without a
network. Options: names of releases such as deb12 or noble (default: Debian 12 and 13), and
`--no-lint`, which leaves out lintian.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING

import desktop_metadata as about
import wheels
from chroots import fresh_chroot
from releases import releases
from shell import REPO, SetupError, say

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from chroots import Chroot

DEFAULT_RELEASES = ("deb12", "deb13")
SOURCES = (
    *("app/gossamer/__init__.py", "packaging", "resources/icons"),
    *("docs/images", "docs/zh/images"),
)
TEXTS = ("CHANGELOG.md", "LICENSE")
TEMPLATES = REPO / "packaging" / "debian"
SCRIPTS = ("postinst", "prerm")
PACKAGES = ("gossamer", "gossamer-core")
TREE = "/build/gossamer"
_BUILD_TOOLS = ("build-essential", "debhelper", "dpkg-dev", "python3", "python3-pip")
_WIDTH = 78


def add_options(parser: ArgumentParser) -> None:
    """What `dev.py package deb` takes."""
    parser.add_argument("releases", nargs="*", metavar="RELEASE")
    parser.add_argument("--no-lint", action="store_true")


def build(dist: Path, options: Namespace) -> list[Path]:
    """Build the packages of each release that `options` name."""
    made = []
    with tempfile.TemporaryDirectory(prefix="gossamer-deb-") as name:
        own = [path for path in wheels.build_wheels(Path(name)) if path.suffix == ".whl"]
        for release in options.releases or DEFAULT_RELEASES:
            with fresh_chroot(release) as system:
                built = built_in(system, own)
                if not options.no_lint:
                    lint(system, built)
                made += [wheels.moved(path, dist) for path in built]
    return made


def built_in(system: Chroot, own: Sequence[Path]) -> list[Path]:
    """Build the packages in a fresh system, of Gossamer's `own` wheels; their paths there."""
    say(f"building Debian packages in {system.folder} ...")
    system.install(*_BUILD_TOOLS)
    python = system.path("/usr/bin/python3").readlink().name
    target = DebianRelease.of(system.path("/etc/os-release").read_text("utf-8"), python)
    lay_out(system.path(TREE), target)
    for path in own:
        system.copy(path, f"{TREE}/wheels/{path.name}")
    download_wheels(system)
    required(system, ["apt-get", "-qq", "-y", "build-dep", "./"], "installing build dependencies")
    environment = {"OLD_APPSTREAM": "1"} if target.has_old_appstream else {}
    command = ["dpkg-buildpackage", "--build=binary", "--no-sign"]
    required(system, command, "dpkg-buildpackage", environment=environment, network=False)
    return sorted(system.path(TREE).parent.glob("*.deb"))


@dataclass(frozen=True)
class DebianRelease:
    """The release that packages are for."""

    codename: str
    label: str
    """What tells its packages from those of other releases: deb12, ubuntu24.04."""
    python: str
    """The command of its Python, with its version."""

    @property
    def version(self) -> str:
        """Of its packages; those for a newer release are newer."""
        return f"{debian_version(about.VERSION)}-1~{self.label}"

    @property
    def has_old_appstream(self) -> bool:
        """Whether its software centres know nothing of AppStream 1.0."""
        return self.codename in {"bookworm", "jammy"}

    @classmethod
    def of(cls, os_release: str, python: str) -> DebianRelease:
        """From the system's /etc/os-release and the name of its Python."""
        told = dict(line.split("=", 1) for line in os_release.splitlines() if "=" in line)
        fields = {name: text.strip('"') for name, text in told.items()}
        codename = fields["VERSION_CODENAME"]
        system = "deb" if fields["ID"] == "debian" else fields["ID"]
        return cls(codename, system + fields.get("VERSION_ID", codename), python)


def debian_version(version: str) -> str:
    """A version as Debian orders it: what comes before a release has a tilde."""
    return re.sub(r"\.?(dev|a|b|rc)(\d+)$", r"~\1\2", version)


def lay_out(tree: Path, target: DebianRelease) -> None:
    """Put together a source tree as Debian's tools want it."""
    for source in SOURCES:
        ignored = shutil.ignore_patterns("__pycache__")
        path = REPO / source
        if path.is_dir():
            shutil.copytree(path, tree / source, ignore=ignored)
        else:
            (tree / source).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, tree / source)
    for text in TEXTS:
        shutil.copyfile(REPO / text, tree / text)
    debian = tree / "debian"
    (debian / "source").mkdir(parents=True)
    (debian / "source" / "format").write_text("3.0 (quilt)\n", encoding="utf-8")
    (debian / "control").write_text(control(), encoding="utf-8")
    (debian / "changelog").write_text(changelog(target), encoding="utf-8")
    for name in ("rules", "command"):
        shutil.copyfile(TEMPLATES / name, debian / name)
        (debian / name).chmod(0o755)
    for package, script in itertools.product(PACKAGES, SCRIPTS):
        text = (TEMPLATES / script).read_text("utf-8")
        filled = text.replace("@PACKAGE@", package).replace("@PYTHON@", target.python)
        (debian / f"{package}.{script}").write_text(filled, encoding="utf-8")
    for path in TEMPLATES.glob("*.lintian-overrides"):
        shutil.copyfile(path, debian / path.name)


def control() -> str:
    """The declaration of the packages, with what desktop_metadata.py says of Gossamer."""
    paragraphs = (
        textwrap.indent(textwrap.fill(each.english, _WIDTH), " ") for each in about.DESCRIPTION
    )
    filled = {
        "@HOMEPAGE@": f"{about.HOMEPAGE}/",
        "@SUMMARY@": about.SUMMARY.english[0].lower() + about.SUMMARY.english[1:],
        "@DESCRIPTION@": "\n .\n".join(paragraphs),
    }
    text = (TEMPLATES / "control").read_text("utf-8")
    for mark, value in filled.items():
        text = text.replace(mark, value)
    return text


def maintainer() -> str:
    """Name and address of who maintains the packages."""
    (line,) = re.findall(r"^Maintainer: (.+)$", control(), flags=re.MULTILINE)
    return str(line)


def changelog(target: DebianRelease) -> str:
    """The newest release only: all of them are in CHANGELOG.md, which is installed too."""
    newest = releases()[0]
    when = format_datetime(datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC))
    said = newest.paragraphs or [f"Release {newest.version}."]
    items = [textwrap.indent(textwrap.fill(each, _WIDTH - 4), "    ") for each in said]
    body = "\n".join("  * " + item.lstrip() for item in items)
    head = f"gossamer ({target.version}) {target.codename}; urgency=medium"
    return f"{head}\n\n{body}\n\n -- {maintainer()}  {when}\n"


def download_wheels(system: Chroot) -> None:
    """Have pip fetch everything that Gossamer needs, in the pinned versions, as wheels."""
    pip = ["python3", "-m", "pip", "--disable-pip-version-check", "--no-input", "download"]
    options = ["--quiet", "--only-binary", ":all:", "--find-links", "wheels", "--dest", "wheels"]
    pins = ["--constraint", "packaging/constraints.txt"]
    required(system, [*pip, *options, *pins, "gossamer"], "downloading the libraries")


def lint(system: Chroot, built: Sequence[Path]) -> None:
    """Have lintian look at the packages; SetupError if it finds an error."""
    system.install("lintian")
    names = [f"../{path.name}" for path in built]
    command = ["lintian", "--fail-on", "error", "--tag-display-limit", "0", *names]
    required(system, command, "lintian")


def required(
    system: Chroot,
    command: Sequence[str],
    purpose: str,
    *,
    environment: Mapping[str, str] | None = None,
    network: bool = True,
) -> None:
    """Run a command in the source tree of a system, or raise SetupError with what it said."""
    inside = ["env", "--chdir", TREE, *command]
    done = system.run(
        inside,
        environment=environment,
        network=network,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SetupError(f"{purpose} did not work:\n{done.stdout.rstrip()}")
    if os.environ.get("GOSSAMER_VERBOSE"):
        print(done.stdout)
