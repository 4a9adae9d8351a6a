"""Pictures are well-formed, say in words what they show, and have colours for both schemes."""

from xml.etree import ElementTree as ET

from tests.bench.svg_chart import HEIGHT, WIDTH, Axis, Curve, chart

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = chart(
    "A & B",
    "More <is> more.",
    (Axis("nodes", (1, 10, 100), logarithmic=True), Axis("pages", (0, 50))),
    [Curve("line", 0, [(1, 0), (100, 50)]), Curve("", 1, [(10, 25)], points=True)],
)


def test_a_chart_is_told_in_words_too() -> None:
    root = ET.fromstring(DRAWN)  # noqa: S314 - it was made above
    assert root.findtext(f"{SVG}title") == "A & B"
    assert root.findtext(f"{SVG}desc") == "More <is> more."
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert {"nodes", "pages", "line", "100"} <= set(texts)


def test_values_lie_where_the_axes_have_them() -> None:
    root = ET.fromstring(DRAWN)  # noqa: S314 - likewise
    [point] = root.iter(f"{SVG}circle")
    line = next(each for each in root.iter(f"{SVG}path")).get("d", "")
    (left, bottom), (right, top) = (
        tuple(map(float, place.split())) for place in line.removeprefix("M").split(" L")
    )
    assert 0 < left < right < WIDTH
    assert 0 < top < bottom < HEIGHT
    assert float(point.get("cx", "")) == (left + right) / 2, "10 is midway between 1 and 100"
    assert float(point.get("cy", "")) == (top + bottom) / 2


def test_a_chart_has_colours_for_light_and_dark() -> None:
    light, _, dark = DRAWN.partition("prefers-color-scheme: dark")
    for name in (".page", "text", ".c0", ".c3"):
        assert f"{name} {{" in light
        assert f"{name} {{" in dark
