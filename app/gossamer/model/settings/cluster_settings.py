"""Declares where a crawl's pages are fetched: on this machine, or on the nodes of a cluster."""

import os
from typing import Annotated, Self

from msgspec.structs import replace

from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.settings.request_settings import RequestSettings
from gossamer.model.settings.setting_declaration import (
    ChangePolicy,
    Option,
    Reuse,
    Section,
    Setting,
)
from gossamer.model.settings.setting_types import ClusterLocation, Switch


class ClusterSettings(RequestSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where pages are fetched. A part of CrawlSettings.

    No file has it: it is chosen again whenever a project is opened, because a scheduler that
    somebody else names could run programs here.
    """

    cluster: Annotated[
        str,
        Setting(
            "Where",
            "tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, local:4 for four nodes here, "
            "or the name of a cluster; empty: this computer.",
            Section.LIMITS,
            ClusterLocation(),
            Option(
                "Fetch on a Dask cluster: tcp://HOST:PORT, tls://HOST:PORT, local:N, or its name.",
                metavar="ADDRESS",
            ),
            called="Cluster",
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.NONE,
        ),
    ] = ""
    """Fetch and read pages on the nodes of a [cluster](how-to/cluster.md): the address of a Dask
    scheduler, `tcp://HOST:PORT` or `tls://HOST:PORT`, its
    [name](how-to/cluster.md#give-clusters-names), or `local:N` for N nodes on this machine. Empty:
    on this machine, without a cluster. It is not saved in projects: choose it each time.
    """
    insecure_cluster: Annotated[
        bool,
        Setting(
            "Send secrets to the cluster unencrypted",
            "Whoever can read the connection gets the passwords and cookies of the crawl.",
            Section.LIMITS,
            Switch(),
            Option("Send passwords and cookies to a cluster without TLS, too."),
            called="Insecure cluster",
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.NONE,
            needs="cluster",
        ),
    ] = False
    """Send passwords, cookies and other secrets to nodes also over connections that others can
    read. Without it, such a crawl needs `tls://` or a cluster on this machine. It is not saved in
    projects.
    """

    @property
    def local_page_workers(self) -> int:
        """How many page workers the crawl has on this machine."""
        return 0 if self.cluster else self.processes or os.cpu_count() or 1

    @property
    def cluster_choice(self) -> ClusterChoice:
        """The cluster of a run, which is not part of the project."""
        return ClusterChoice(self.cluster, self.insecure_cluster)

    def on_cluster(self, choice: ClusterChoice) -> Self:
        """The settings with this choice."""
        return replace(self, cluster=choice.address, insecure_cluster=choice.is_insecure)
