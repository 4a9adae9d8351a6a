"""Tables of inputs and what comes of them."""

import json
from dataclasses import dataclass

from tests.data.places import DATA


@dataclass(frozen=True, slots=True)
class UrlVector:
    """What the URL Standard makes of `text` relative to `base`, where there is one.

    `expected` is the serialisation with its fragment, None where it is no URL.
    """

    text: str
    base: str | None
    expected: str | None

    @property
    def target(self) -> str | None:
        """What is requested: the serialisation without fragment."""
        return None if self.expected is None else self.expected.partition("#")[0]


def url_vectors() -> list[UrlVector]:
    """The table `url_vectors.tsv`.

    Which inputs are worth a try is known from web-platform-tests, the shared tests of the browsers
    (its URL tests, as of 2023); what is expected of them follows the URL Standard as of 2026. Texts
    are written as JSON has them, "-" stands for none; a line "base" is followed by its inputs.
    """
    vectors: list[UrlVector] = []
    base: str | None = None
    for line in (DATA / "url_vectors.tsv").read_text("ascii").splitlines():
        first, second = line.split("\t")
        value: str | None = None if second == "-" else json.loads(second)
        if first == "base":
            base = value
        else:
            vectors.append(UrlVector(json.loads(first), base, value))
    return vectors
