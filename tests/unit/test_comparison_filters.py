"""In which filters of a comparison a URL is."""

from gossamer.model.comparison_filters import SCOPE, UrlTraits, filters_of
from gossamer.model.content_types import ContentKind
from gossamer.model.fields.indexability import Indexability
from gossamer.model.outcome import Outcome
from tests.cases import each_case

OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@each_case(
    ("content_type", "kind"),
    [
        ("application/xhtml+xml", "html"),
        ("application/x-javascript", "javascript"),
        ("image/svg+xml", "image"),
        ("application/x-font-ttf", "font"),
        ("text/xml", "xml"),
        ("application/rss+xml", "xml"),
        (OFFICE, "other"),
        ("application/json", "other"),
        (None, "unknown"),
    ],
)
def test_a_url_is_in_the_filter_of_its_content_type(content_type: str | None, kind: str) -> None:
    assert kind in set(ContentKind)
    traits = UrlTraits(
        Outcome.FILE,
        is_external=False,
        status=200,
        content_type=content_type,
        depth=1,
        indexability=Indexability.INDEXABLE.value,
    )
    found = [value for section, value in filters_of(traits) if section == SCOPE]
    assert found == ["internal", f"internal/{kind}"]
