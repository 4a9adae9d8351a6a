"""The settings of Dask that Gossamer changes: Dask ignores those that it does not know."""

import dask
import distributed  # noqa: F401 - it has settings of its own

from gossamer.cluster.local_dask_settings import LOCAL_DASK_SETTINGS


def test_dask_has_all_settings_that_a_cluster_on_this_machine_changes() -> None:
    for name, value in LOCAL_DASK_SETTINGS.items():
        assert dask.config.get(name) != value, name
