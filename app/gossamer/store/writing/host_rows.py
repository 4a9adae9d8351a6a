"""Writes what a crawl learns about hosts: robots.txt, checks, archive records, certificates."""

import sqlite3

from gossamer.model.store_batch import StoreBatch
from gossamer.store.certificate_table import write_certificates
from gossamer.store.robots_table import write_robots
from gossamer.store.site_check_table import write_site_checks
from gossamer.store.writing.archive_rows import write_host_responses


def write_host_rows(connection: sqlite3.Connection, batch: StoreBatch) -> None:
    """Write that of a batch, in the transaction that is open."""
    write_robots(connection, batch.robots)
    write_site_checks(connection, batch.site_checks)
    write_host_responses(connection, batch.host_responses)
    write_certificates(connection, batch.certificates)
