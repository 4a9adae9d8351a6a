"""Decides whether a crawl can use the chosen cluster."""

from importlib.util import find_spec

from gossamer.model.cluster_address import parse_cluster
from gossamer.model.errors import UsageError
from gossamer.model.secrets import Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings


def ensure_usable(settings: CrawlSettings, secrets: Secrets, library: str = "distributed") -> None:
    """Raise UsageError if the cluster that `settings` name is of no use, or not safe.

    Dask is missing, or others could read the crawl's secrets.
    """
    if not settings.cluster:
        return
    address = parse_cluster(settings.cluster)
    if find_spec(library) is None:
        raise UsageError(
            "A cluster needs Dask, which is not installed; get Gossamer with it by pip install "
            "'gossamer-core[cluster]' in a virtual environment, or crawl on this machine alone."
        )
    if secrets and not address.is_private and not settings.insecure_cluster:
        raise UsageError(
            "This crawl has passwords or cookies, and the connection to {cluster} is not "
            "encrypted; use a cluster with TLS (tls://), or --insecure-cluster to send them all "
            "the same.",
            cluster=address.scheduler,
        )
