"""Decides whether a crawl may use the cluster that was chosen."""

from importlib.util import find_spec

from gossamer.model.cluster_address import ClusterChoice, parse_cluster
from gossamer.model.errors import UsageError
from gossamer.model.secrets import Secrets


def ensure_usable(choice: ClusterChoice, secrets: Secrets, library: str = "distributed") -> None:
    """Raise UsageError where Dask is missing, or where others could read the crawl's secrets."""
    if not choice.address:
        return
    address = parse_cluster(choice.address)
    if find_spec(library) is None:
        raise UsageError(
            "A cluster needs Dask, which is not installed; get Gossamer with it by pip install "
            "'gossamer-core[cluster]' in a virtual environment, or crawl on this machine alone."
        )
    if secrets and not address.is_private and not choice.is_insecure:
        raise UsageError(
            "This crawl has passwords or cookies, and the connection to {cluster} is not "
            "encrypted; use a cluster with TLS (tls://), or --insecure-cluster to send them all "
            "the same.",
            cluster=address.scheduler,
        )
