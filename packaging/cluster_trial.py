"""Tries the recipes of packaging/cluster as far as one machine without containers can.

Usage: .venv/bin/python packaging/cluster_trial.py [plain] [tls] [ssh]

plain and tls run the commands of the compose files, read from there, as processes: a scheduler,
three workers and a coordinator that crawls the demo site; tls with certificates made by the script.
ssh has ssh_cluster.py start nodes over a real SSH server on loopback, with a configuration, a port
and keys of its own (Debian's openssh-server; root). Each compares what was crawled with a crawl on
this machine alone. Without arguments, all three. Exit code 1 if something went wrong.
"""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own, for one function
from script_arguments import ANY_NUMBER, script_arguments
from shell import REPO, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CLUSTER: Final = REPO / "packaging" / "cluster"
PROGRAMS: Final = Path(sys.executable).parent
_WAIT_S: Final = 120.0
_LOOPBACK: Final = "127.0.0.1"


class TrialError(Exception):
    """What went wrong, in a sentence."""


def main(arguments: Sequence[str]) -> int:
    """Try what is named; return the exit code."""
    names, _ = script_arguments(__doc__, arguments, operands=ANY_NUMBER)
    trials = {"plain": composed, "tls": composed_with_tls, "ssh": by_ssh}
    if unknown := [name for name in names if name not in trials]:
        say(f"there is no trial {unknown[0]}: {', '.join(trials)}.")
        return 2
    failed = 0
    with ExitStack() as stack:
        tmp = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gossamer-trial-")))
        root = stack.enter_context(demo_site(tmp))
        expected = crawled(root, tmp / "alone.gossamer", [])
        for name in names or trials:
            folder = tmp / name
            folder.mkdir()
            try:
                found = trials[name](root, folder)
                if found != expected:
                    raise TrialError(f"crawled {found}, alone {expected}")  # noqa: TRY301 - one way
                say(f"{name}: yes ({sum(found.values())} URLs as on one machine)")
            except TrialError as e:
                say(f"{name}: FAILED: {e}")
                failed = 1
    return failed


@contextmanager
def running(
    command: Sequence[str], log: Path, env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block; what it says goes to a file."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=log.parent,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def said(log: Path, pattern: str, process: subprocess.Popen[bytes]) -> str:
    """Wait until the process has said this; the first group. TrialError if it never does."""
    until = time.monotonic() + _WAIT_S
    while time.monotonic() < until:
        text = log.read_text(encoding="utf-8", errors="replace")
        if found := re.search(pattern, text):
            return found[1] if found.groups() else found[0]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise TrialError(f"{log.name} said: {log.read_text('utf-8', 'replace')[-2000:]}")


@contextmanager
def demo_site(tmp: Path) -> Iterator[str]:
    """The address of the demo site, while the block lasts."""
    log = tmp / "site.log"
    with running([str(PROGRAMS / "gossamer"), "demo", "--serve"], log) as site:
        yield said(log, r"http://\S+", site)


def crawled(
    root: str, project: Path, options: Sequence[str], env: Mapping[str, str] | None = None
) -> dict[str, int]:
    """Crawl, and tell how many URLs had which outcome."""
    command = [str(PROGRAMS / "gossamer"), "crawl", root, "--output", str(project), *options]
    return finished([*command, "--json", "--quiet"], project, env)


def finished(
    command: Sequence[str], project: Path, env: Mapping[str, str] | None = None
) -> dict[str, int]:
    """Run a crawl to its end, and tell how many URLs of its project had which outcome."""
    done = subprocess.run(
        command,
        env={**os.environ, **(env or {})},
        check=False,
        capture_output=True,
        text=True,
        timeout=_WAIT_S,
    )
    if not project.exists() or done.returncode:
        raise TrialError(f"the crawl ended with {done.returncode}: {done.stderr[-2000:]}")
    info = [str(PROGRAMS / "gossamer"), "info", str(project), "--json"]
    told = subprocess.run(info, check=True, capture_output=True, text=True)
    outcomes: dict[str, int] = json.loads(told.stdout)["outcomes"]
    return outcomes


# Compose


def composed(root: str, folder: Path) -> dict[str, int]:
    """What compose.yaml starts, as processes."""
    return _composed(root, folder, ["compose.yaml"])


def composed_with_tls(root: str, folder: Path) -> dict[str, int]:
    """The same with compose.tls.yaml, after its certificates were made."""
    made = ["sh", str(CLUSTER / "certificates.sh"), "certificates", _LOOPBACK]
    subprocess.run(made, cwd=folder, check=True, env={**os.environ, "OWNER": str(os.getuid())})
    return _composed(root, folder, ["compose.yaml", "compose.tls.yaml"])


def _composed(root: str, folder: Path, files: Sequence[str]) -> dict[str, int]:
    services = merged(files)
    values = {"ROOT": root, "CORES": "1", "WORKERS": "8"}
    places = {
        "scheduler:8786": f"{_LOOPBACK}:{free_port()}",
        "/data": str(folder),
        "/certificates": str(folder / "certificates"),
    }
    port = places["scheduler:8786"].rpartition(":")[2]
    with ExitStack() as stack:
        for number, name in enumerate(("scheduler", "worker", "worker", "worker")):
            command, env = as_process(services[name], values, places, port)
            log = folder / f"{name}{number}.log"
            process = stack.enter_context(running(command, log, env))
            sign = "Scheduler at:" if name == "scheduler" else "Registered to:"
            said(log, sign, process)
        command, env = as_process(services["coordinator"], values, places, port)
        return finished([*command, "--json", "--quiet"], folder / "crawl.gossamer", env)


def merged(files: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The services of compose files, later ones over earlier ones as compose does it."""
    services: dict[str, dict[str, Any]] = {}
    for file in files:
        content = yaml.safe_load((CLUSTER / file).read_text(encoding="utf-8"))
        for name, service in content["services"].items():
            known = services.setdefault(name, {})
            env = {**known.get("environment", {}), **service.get("environment", {})}
            known.update(service)
            known["environment"] = env
    return services


def as_process(
    service: Mapping[str, Any], values: Mapping[str, str], places: Mapping[str, str], port: str
) -> tuple[list[str], dict[str, str]]:
    """The command of a service and its environment, with places of this machine."""
    words = [*service.get("entrypoint", ["tini", "--", "gossamer"]), *service["command"]]
    words = words[words.index("--") + 1 :]

    def placed(text: str) -> str:
        text = re.sub(r"\$\{(\w+)[^}]*\}", lambda found: values[found[1]], text)
        text = text.replace("://0.0.0.0", f"://{_LOOPBACK}")
        for there, here in places.items():
            text = text.replace(there, here)
        return port if text == "8786" else text

    env = {name: placed(value) for name, value in service["environment"].items()}
    return [str(PROGRAMS / words[0]), *map(placed, words[1:])], env


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind((_LOOPBACK, 0))
        port: int = found.getsockname()[1]
    return port


# SSH


def by_ssh(root: str, folder: Path) -> dict[str, int]:
    """Nodes that ssh_cluster.py starts over a real SSH server."""
    log = folder / "cluster.log"
    with ssh_server(folder) as server:
        command = [sys.executable, str(CLUSTER / "ssh_cluster.py"), "--python", sys.executable]
        command += ["--port", str(server), "--key", str(folder / "key"), "--cores", "1"]
        command += ["--known-hosts", str(folder / "known_hosts"), "--user", getpass.getuser()]
        command += ["--scheduler-port", str(free_port()), *[_LOOPBACK] * 3]
        with running(command, log) as cluster:
            address = said(log, r"tcp://[\d.:]+", cluster)
            project = folder / "crawl.gossamer"
            return crawled(root, project, ["--cluster", address, "--workers", "8"])


@contextmanager
def ssh_server(folder: Path) -> Iterator[int]:
    """The port of an SSH server that lets the key in this folder in."""
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise TrialError("there is no sshd: apt-get install openssh-server")
    for name in ("key", "host_key"):
        made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(made, check=True)
    port = free_port()
    shutil.copy(folder / "key.pub", folder / "authorized_keys")
    host = (folder / "host_key.pub").read_text(encoding="utf-8")
    (folder / "known_hosts").write_text(f"[{_LOOPBACK}]:{port} {host}", encoding="utf-8")
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress {_LOOPBACK}\nHostKey {folder}/host_key\n"
        f"AuthorizedKeysFile {folder}/authorized_keys\nStrictModes no\nUsePAM no\n"
        f"PidFile none\nPasswordAuthentication no\n",
        encoding="utf-8",
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    log = folder / "sshd.log"
    with running([program, "-D", "-e", "-f", str(folder / "sshd_config")], log) as server:
        said(log, "Server listening", server)
        yield port


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
