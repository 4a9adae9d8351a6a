"""Nodes: page workers on other machines, reached through Dask. Only this package knows Dask."""
