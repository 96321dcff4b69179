"""A rule that names a kind binds every host: each given denial holds with each host's tool and argument of the kind."""

from __future__ import annotations

import pytest

from lineclear.core.own import Own
from lineclear.core.pointers import values_at
from lineclear.core.tools import Kind, Use
from lineclear.core.verdict import Verdict
from lineclear.engine.judge import judge
from lineclear.policyfiles.cases import read
from lineclear.policyfiles.trying import Bench
from lineclear.wire.request import from_mapping
from support import catalogues
from support.given import cases as given
from support.judging import ROOT, TODAY, key

DENIALS = [
    case for case in read(given() / "rules_matching.yaml") if case.expected and case.expected.verdicts == ("deny",)
]
HARMLESS = {
    Use.COMMAND: "true",
    Use.PATH_READ: "README.md",
    Use.PATH_WRITE: "README.md",
    Use.URL: "https://docs.example.com/",
}
"""Arguments that rules of a kind are about, each with a value that nothing is said of."""


@pytest.fixture(scope="module")
def bench():
    return Bench(ROOT / "policies", ROOT / "policies" / "builtin")


def ways():
    """Each tool that takes a shell's text, a path or an address, by host: its kind, the use, where the value goes."""
    for entry in catalogues.entries():
        for argument in entry.arguments:
            if argument.use in HARMLESS and entry.language is None:
                yield entry, argument


def placed(entry, argument, value):
    """An input of a tool: the value at its place, and something at each other place that must not be empty."""
    made = {}
    for other in entry.arguments:
        if other.required:
            made |= nested(other.pointer.split("/")[1:], HARMLESS.get(other.use, "x"))
    return made | nested(argument.pointer.split("/")[1:], value)


def nested(names, value):
    if not names:
        return value
    inner = nested(names[1:], value)
    return [inner] if names[0] == "*" else {names[0]: inner}


def spelled(case):
    """The kind, the use and the value that the case's own call is about."""
    host = case.request.get("agent", {}).get("host")
    tool = catalogues.shipped().resolve(case.request["tool_name"], host)
    for argument in tool.arguments:
        for value in values_at(case.request["tool_input"], argument.pointer) if argument.use in HARMLESS else ():
            return tool.kind, argument.use, value
    return None


def everywhere(case):
    """The case's request with each host's tool of that kind; a shell's text also as the words that start the shell."""
    about = spelled(case)
    if about is None:
        return
    kind, use, value = about
    for entry, argument in ways():
        if (entry.kind, argument.use) != (kind, use):
            continue
        spellings = [value]
        if kind is Kind.SHELL and case.request.get("environment", {}).get("shell") == "bash":
            spellings.append(["bash", "-lc", value])
        for text in spellings:
            yield case.request | {
                "tool_name": entry.name,
                "tool_input": placed(entry, argument, text),
                "agent": {"host": entry.host},
            }


def test_there_is_a_shell_at_every_host():
    hosts = {entry.host for entry, argument in ways() if entry.kind is Kind.SHELL and argument.use is Use.COMMAND}
    assert hosts == set(catalogues.documents())


@pytest.mark.parametrize("case", DENIALS, ids=lambda case: case.id)
def test_a_denial_holds_with_every_host_s_tool_of_its_kind(bench, case):
    policy, requests = bench.policy_of(case), list(everywhere(case))
    if not requests:
        pytest.skip("about no command, path or address of a kind")
    for request in requests:
        decision = judge(from_mapping(request), key(), policy, Own(), TODAY).outcome
        assert decision.verdict is Verdict.DENY, request
        assert not case.expected.codes or decision.code in case.expected.codes, request
