"""What machines want of the reports that they read: SARIF 2.1.0 and JUnit XML, as types and tables.

Only what we write is declared; anything else is an error, so that a property whose name is
misspelt, in the wrong place or of the wrong type is found.
"""

import re
from typing import Annotated, Final, Literal
from xml.etree import ElementTree as ET

import msgspec
from msgspec import Meta, Struct

# SARIF 2.1.0, an OASIS Standard (sections in parentheses), and what GitHub takes of it:
# https://docs.github.com/en/code-security/reference/code-scanning/sarif-files

NonEmpty = Annotated[str, Meta(min_length=1)]
AtMost1024 = Annotated[str, Meta(min_length=1, max_length=1024)]
Level = Literal["none", "note", "warning", "error"]
MOST_SARIF_RESULTS: Final = 25_000
"""GitHub refuses files with more."""


class _Strict(Struct, forbid_unknown_fields=True):
    pass


class Text(_Strict):
    """A `message` (3.11)."""

    text: NonEmpty


class ShortText(_Strict):
    """A `multiformatMessageString` (3.12), of which GitHub shows 1,024 characters."""

    text: AtMost1024
    markdown: str = ""


class RuleProperties(_Strict):
    """A property bag (3.8) with what GitHub reads."""

    tags: Annotated[list[NonEmpty], Meta(max_length=20)]
    precision: Literal["very-high", "high", "medium", "low"]
    severity: Literal["error", "warning", "recommendation"] = msgspec.field(name="problem.severity")


class Configuration(_Strict):
    """A `reportingConfiguration` (3.50)."""

    level: Level


class Rule(_Strict, rename="camel"):
    """A `reportingDescriptor` (3.49)."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9-]+$")]
    name: Annotated[str, Meta(pattern=r"^[A-Z][A-Za-z0-9]*$", max_length=255)]
    short_description: ShortText
    full_description: ShortText
    help: ShortText
    help_uri: Annotated[str, Meta(pattern=r"^https://[!-~]+$")]
    default_configuration: Configuration
    properties: RuleProperties


class Driver(_Strict, rename="camel"):
    """A `toolComponent` (3.19)."""

    name: NonEmpty
    semantic_version: Annotated[str, Meta(pattern=r"^\d+\.\d+\.\d+")]
    rules: list[Rule]


class Tool(_Strict):
    """3.18."""

    driver: Driver


class Notification(_Strict):
    """3.58."""

    level: Level
    message: Text


class Invocation(_Strict, rename="camel"):
    """3.20."""

    execution_successful: bool
    tool_execution_notifications: list[Notification] = []


class ArtifactLocation(_Strict):
    """3.4; a relative reference of RFC 3986, 4.2, for GitHub refuses any scheme but file."""

    uri: Annotated[
        str,
        Meta(
            pattern=(
                r"^(?:[A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})+"
                r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*$"
            )
        ),
    ]


class Region(_Strict, rename="camel"):
    """3.30; lines count from 1."""

    start_line: Annotated[int, Meta(ge=1)]


class PhysicalLocation(_Strict, rename="camel"):
    """3.29."""

    artifact_location: ArtifactLocation
    region: Region


class Location(_Strict, rename="camel"):
    """3.28."""

    physical_location: PhysicalLocation


class Fingerprints(_Strict, rename="camel"):
    """The part of `partialFingerprints` (3.27.17) that GitHub tells alerts apart by."""

    primary_location_line_hash: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}:1$")]


class ResultProperties(_Strict):
    """What we say besides."""

    url: NonEmpty


class Suppression(_Strict):
    """3.35."""

    kind: Literal["inSource", "external"]
    status: Literal["accepted", "underReview", "rejected"]
    justification: NonEmpty = "-"


class Result(_Strict, rename="camel"):
    """3.27."""

    rule_id: NonEmpty
    rule_index: Annotated[int, Meta(ge=0)]
    level: Level
    message: Text
    locations: Annotated[list[Location], Meta(min_length=1, max_length=1)]
    partial_fingerprints: Fingerprints
    properties: ResultProperties
    suppressions: list[Suppression] = []


class Run(_Strict, rename="camel"):
    """3.14."""

    tool: Tool
    invocations: list[Invocation]
    column_kind: Literal["utf16CodeUnits", "unicodeCodePoints"]
    results: Annotated[list[Result], Meta(max_length=MOST_SARIF_RESULTS)]


class SarifLog(_Strict):
    """3.13."""

    schema: Annotated[str, Meta(pattern=r"^https://[^ ]*sarif[^ ]*2\.1\.0")] = msgspec.field(
        name="$schema"
    )
    version: Literal["2.1.0"]
    runs: Annotated[list[Run], Meta(min_length=1, max_length=1)]


def sarif_log(document: bytes) -> SarifLog:
    """The document; ValueError where a machine would refuse it."""
    log = msgspec.json.decode(document, type=SarifLog)
    for run in log.runs:
        ids = [rule.id for rule in run.tool.driver.rules]
        if len(set(ids)) < len(ids):
            raise ValueError("two rules have one id")
        for result in run.results:
            if ids[result.rule_index] != result.rule_id:
                raise ValueError(f"{result.rule_id} is not rule {result.rule_index}")
        prints = [each.partial_fingerprints.primary_location_line_hash for each in run.results]
        if len(set(prints)) < len(prints):
            raise ValueError("two results have one fingerprint")
    return log


# JUnit XML as Jenkins, GitLab and GitHub actions read it: https://github.com/testmoapp/junitxml.

_NUMBER: Final = r"\d+"
_TIME: Final = r"\d+(\.\d+)?"
_ANY: Final = r".+"
_COUNTS: Final = {"tests": _NUMBER, "failures": _NUMBER, "errors": _NUMBER, "time": _TIME}
_ATTRIBUTES: Final[dict[str, dict[str, str]]] = {
    "testsuites": {"name": _ANY, **_COUNTS},
    "testsuite": {"name": _ANY, **_COUNTS, "skipped": _NUMBER},
    "testcase": {"name": _ANY, "classname": _ANY, "time": _TIME},
    "failure": {"message": _ANY, "type": _ANY},
    "skipped": {"message": _ANY},
    "system-out": {},
}
"""All attributes of each element, and what they are like."""
_CHILDREN: Final = {
    "testsuites": re.compile("(testsuite )+"),
    "testsuite": re.compile("(testcase )+"),
    "testcase": re.compile("(failure |skipped )?(system-out )?"),
}


def junit_suites(document: bytes) -> ET.Element:
    """The root of the document; ValueError where a machine would refuse it."""
    root = ET.fromstring(document)  # noqa: S314 - our own document
    if root.tag != "testsuites":
        raise ValueError(f"{root.tag} is no root")
    for element in root.iter():
        _check_element(element)
    suites = root.findall("testsuite")
    for name in ("tests", "failures"):
        if int(root.attrib[name]) != sum(int(suite.attrib[name]) for suite in suites):
            raise ValueError(f"the root counts other {name} than its suites have")
    for suite in suites:
        _check_suite(suite)
    return root


def _check_suite(suite: ET.Element) -> None:
    found = {"tests": "testcase", "failures": "testcase/failure", "skipped": "testcase/skipped"}
    for name, path in found.items():
        if int(suite.attrib[name]) != len(suite.findall(path)):
            raise ValueError(f"{suite.attrib['name']} counts its {name} wrongly")
    cases = [(case.get("classname"), case.get("name")) for case in suite]
    if len(set(cases)) < len(cases):
        raise ValueError(f"two cases of {suite.attrib['name']} have one name")


def _check_element(element: ET.Element) -> None:
    expected = _ATTRIBUTES.get(element.tag)
    if expected is None or set(element.attrib) != set(expected):
        raise ValueError(f"{element.tag} has {sorted(element.attrib)}")
    for name, pattern in expected.items():
        if not re.fullmatch(pattern, element.attrib[name]):
            raise ValueError(f"{element.tag} has {name}={element.attrib[name]!r}")
    children = "".join(f"{child.tag} " for child in element)
    allowed = _CHILDREN.get(element.tag)
    if children and (allowed is None or not allowed.fullmatch(children)):
        raise ValueError(f"{element.tag} contains {children}")
