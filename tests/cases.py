"""Tables of cases for a test of pure functions: one test for all of them, which tells all failures.

To pytest, each case of `parametrize` is a test of its own, for two milliseconds: more than most
functions take that we test with hundreds of values.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def each_case(
    names: str | Sequence[str],
    values: Iterable[Any],
    *,
    ids: Iterable[str | None] | Callable[[Any], object] | None = None,
) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but in one test. Fixtures are shared by all cases.

    So it is for tests that leave nothing behind. What fails is an ExceptionGroup whose message has
    the names of the failing cases.
    """
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = list(_named(fields, list(values), ids))
    if not cases:
        raise ValueError("a table needs a case")

    def folded(test: Test) -> Test:
        @functools.wraps(test)
        def whole(**fixtures: object) -> None:
            failures: dict[str, BaseException] = {}
            for number, (name, case) in enumerate(cases):
                try:
                    test(**fixtures, **case)
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - whatever it is, the others are tried
                    failures[name if name not in failures else f"{name}#{number}"] = failure
            if failures:
                some = f"{len(failures)} of {len(cases)} cases: {', '.join(failures)}"
                raise BaseExceptionGroup(some, list(failures.values()))

        signature = inspect.signature(test)
        kept = [each for name, each in signature.parameters.items() if name not in fields]
        whole.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined] # pytest reads it
        return whole

    return folded


def _named(
    fields: list[str],
    values: list[Any],
    ids: Iterable[str | None] | Callable[[Any], object] | None,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each case and the arguments that it is."""
    given = list(ids) if ids is not None and not callable(ids) else [None] * len(values)
    for value, name in zip(values, given, strict=True):
        row = value if len(fields) > 1 else (value,)
        if isinstance(value, type(pytest.param())):
            if value.marks:
                raise ValueError("a case of a table has no marks")
            row, name = value.values, str(value.id or "") or name  # noqa: PLW2901 - the case says its own
        said = name or "-".join(str(ids(each)) if callable(ids) else repr(each) for each in row)
        yield said[:100], dict(zip(fields, row, strict=True))
