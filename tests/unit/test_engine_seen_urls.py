"""Known URLs packed into numbers: what is looked at in a hurry, and what it stands for."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.engine.seen_urls import id_of, improvable_bits, improves, pack, rank_of
from gossamer.model.discovery_rank import (
    MAX_HOPS,
    NOFOLLOWED,
    RECORDED,
    UNLINKED,
    Rank,
    SitemapRole,
)

depths = st.integers(0, 5) | st.sampled_from([UNLINKED, NOFOLLOWED, RECORDED])
hops = st.integers(0, 3) | st.integers(MAX_HOPS - 1, MAX_HOPS)
ranks = st.builds(Rank, depths, hops, st.booleans(), st.sampled_from(list(SitemapRole)[:-1]))


def hardly_bettered(packed: int, rank: Rank) -> bool:
    """What admission asks before it looks closer."""
    return packed & improvable_bits(rank) <= rank.depth


@given(st.integers(1, 2**40), ranks)
def test_an_entry_holds_id_and_rank(url_id: int, rank: Rank) -> None:
    packed = pack(url_id, rank)
    assert (id_of(packed), rank_of(packed)) == (url_id, rank)


@given(st.integers(1, 2**40), ranks, ranks)
def test_no_better_way_is_overlooked(url_id: int, known: Rank, found: Rank) -> None:
    packed = pack(url_id, known)
    if hardly_bettered(packed, found):
        assert not improves(packed, found)


@given(known=depths, found=depths, as_file=st.booleans())
def test_of_links_the_hasty_look_tells_all(known: int, found: int, *, as_file: bool) -> None:
    """Between pages, to which no redirects lead, it need not be looked closer."""
    packed, way = pack(1, Rank(known, as_file=as_file)), Rank(found)
    assert hardly_bettered(packed, way) is not improves(packed, way)
