from gossamer.extract.css_and_srcset_urls import srcset_urls
from tests.cases import each_case


@each_case(
    ("text", "urls"),
    [
        *(("", []), (",", []), (" , ,", []), ("a", ["a"]), (" a ", ["a"]), ("a,", ["a"])),
        *(("a,,,", ["a"]), (",,a", ["a"]), ("a 1x", ["a"]), ("\t\na\f\r1x\t", ["a"])),
        *(("a 1x, b 2x", ["a", "b"]), ("a 1x,b 2x", ["a", "b"]), ("a, b", ["a", "b"])),
        ("a,b", ["a,b"]),
        ("a,b 1x,c,d", ["a,b", "c,d"]),
        ("a\xa0", ["a\xa0"]),
        ("a\x0b1x", ["a\x0b1x"]),
        ("a?w=1,h=2 100w", ["a?w=1,h=2"]),
        ("data:image/png;base64,AA== 1x, b 2x", ["data:image/png;base64,AA==", "b"]),
    ],
)
def test_candidates_are_parted_as_the_standard_says(text: str, urls: list[str]) -> None:
    assert srcset_urls(text) == urls


@each_case(
    ("text", "urls"),
    [
        ("a 1x 1x (, b 1x, ), c", ["c"]),
        ("a 1x 1x (((, b 1x, ), c", ["c"]),
        ("a 1x 1x [, b 1x, ], c", ["b", "]", "c"]),
        ("a, b (", ["a"]),
        ("a, b (,", ["a"]),
        ("a x(1, b), c", ["c"]),
        ('a 1x 1x ", b, c', ["b", "c"]),
    ],
)
def test_commas_in_parentheses_part_nothing(text: str, urls: list[str]) -> None:
    assert srcset_urls(text) == urls


@each_case(
    "descriptors",
    [
        *("1x", "0x", "-0x", ".5x", "1.5x", "1e3x", "1E-2x", "1.5e+1x", "1w", "007w", "1w 1h"),
        "1h 1w",
    ],
)
def test_descriptors_that_make_sense(descriptors: str) -> None:
    assert srcset_urls(f"a {descriptors}, b") == ["a", "b"]


@each_case(
    "descriptors",
    [
        *("x", "w", "1", "-1x", "+1x", "1.x", "1X", "1e1.5x", "Infinityx", "NaNx", "1xx", "1 x"),
        *("0w", "-1w", "1.0w", "1e1w", "1W", "00w", "1h", "0h 1w", "1w 0h", "foo", "1x foo"),
        *("1x 1x", "1w 1w", "1w 1x", "1x 1w", "1h 1h", "1w 1h 1h", "1x 1h", "1w 1h 1x", "\u0661w"),
    ],
)
def test_a_candidate_whose_descriptors_make_none_is_left_out(descriptors: str) -> None:
    assert srcset_urls(f"a {descriptors}, b") == ["b"]


@each_case("part", ["(", "a ", ",", "a (", "a,", "a 1x(", "a,,", "a (a", "9"])
def test_long_malformed_attributes_yield_as_few_candidates_as_short_ones(part: str) -> None:
    # Nobody would see the end of this test if each looked through all that follows.
    for start, end in (("", ""), ("a ", "x")):
        short, long = (srcset_urls(start + part * times + end) for times in (1_000, 300_000))
        assert len(short) == len(long) <= 2
