"""One address has many spellings; a denial holds for each."""

from __future__ import annotations

import pytest

from support.judging import answer, call

METADATA = [
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[0:0:0:0:0:ffff:169.254.169.254]/",
]


@pytest.mark.parametrize("url", METADATA)
def test_an_address_of_version_4_inside_one_of_version_6_is_denied(url):
    assert answer(call("WebFetch", {"url": url, "prompt": "x"})) == "deny deny_rule"
    assert answer(call("Bash", {"command": f"curl -s '{url}'"})) == "deny deny_rule"


@pytest.mark.xfail(strict=True, reason="core/arguments.py: a URL with a blank parses, and isn't taken for one")
def test_a_string_that_parses_as_a_url_is_one():
    organisation = 'version: 1\npermissions: {deny: ["WebFetch(domain:evil.example)"]}\n'
    asked = call("mcp__x__open", {"target": "https://evil.example/a b"})
    assert answer(asked, organisation) == "deny deny_rule"
