"""Spells commands as a user would type them, for advice on how to continue."""

import shlex
import subprocess
import sys
from pathlib import Path

from gossamer.model.cluster_address import NO_CLUSTER, ClusterChoice


def suggested_command(*words: object) -> str:
    """The command `gossamer` with these arguments, for the shell of the system."""
    command = ["gossamer", *map(str, words)]
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


def resume_command(
    project: Path,
    cluster: ClusterChoice = NO_CLUSTER,
    *,
    on_nodes: bool = False,
    login_values: str = "",
) -> str:
    """The command that resumes a project, or a folder of shards, where and as it was crawled.

    The project does not have that, nor the file with the values for its login form.
    """
    where: list[str] = []
    if cluster.address:
        where += ["--cluster", cluster.address]
        where += ["--insecure-cluster"] if cluster.is_insecure else []
        where += ["--shards-on-nodes"] if on_nodes else []
    secrets = ["--login-values", login_values] if login_values else []
    return suggested_command("resume", project, *where, *secrets)
