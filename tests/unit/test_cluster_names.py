"""Names that people give to clusters, in a file of theirs."""

from pathlib import Path

import pytest

from gossamer.model.errors import UsageError
from gossamer.session.cluster_names import FILE_NAME, address_of, cluster_names


def test_a_name_stands_for_the_address_of_a_cluster(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('[clusters]\noffice = "tls://10.0.0.5:8786"\n')
    assert address_of("office", tmp_path) == "tls://10.0.0.5:8786"
    for other in ("local:2", "tcp://office:1", "", "Office"):
        assert address_of(other, tmp_path) == other


def test_without_a_file_there_are_no_names(tmp_path: Path) -> None:
    assert cluster_names(tmp_path) == {}
    assert address_of("office", tmp_path) == "office"


@pytest.mark.parametrize(
    "text",
    ["[clusters", 'clusters = "a"', '[clusters]\na = "http://a"', "[clusters]\na = 1", "\xff"],
)
def test_a_file_that_cannot_be_used_is_told_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="latin-1")
    with pytest.raises(UsageError, match=FILE_NAME):
        cluster_names(tmp_path)
