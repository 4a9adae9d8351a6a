"""Each command has the function that runs it: the table names functions that mypy cannot check."""

from importlib import import_module
from inspect import signature
from typing import Any, get_args

from gossamer.cli.command_table import FUNCTIONS
from gossamer.cli.parsed_commands import Crawling, Invocation
from tests.cases import each_case


def test_every_command_is_in_the_table() -> None:
    assert set(FUNCTIONS) == set(get_args(Invocation))


@each_case(("command", "function"), FUNCTIONS.items())
def test_the_function_of_a_command_takes_it(command: type[Any], function: str) -> None:
    module, _, name = function.partition(".")
    found = signature(getattr(import_module(f"gossamer.cli.{module}"), name))
    needed = [each for each in found.parameters.values() if each.default is each.empty]
    kinds = [str(each.annotation).strip("<'>").rpartition(".")[2] for each in needed]
    hosts = ["CrawlHostPool | None"] if command in get_args(Crawling) else []
    assert kinds == [command.__name__, *hosts]
    assert found.return_annotation is int
