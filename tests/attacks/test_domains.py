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


URLS = [
    "https://evil.example/a b",
    " https://evil.example\n",
    "\x01https://evil.example",
    "ht\ntps://evil.example/",
    "https://ev\til.example/",
    "https:\\\\evil.example",
    "https:/evil.example",
    "https:evil.example",
    "HTTPS://EVIL.EXAMPLE",
    "https://evil%2eexample/",
    "https://evil\u3002example/",
    "wss://evil.example",
    "postgres://u:p@evil.example/db",
    pytest.param(f"https://{'a' * 5000}@evil.example/", id="a long user"),
    pytest.param(f"https://evil.example/{'a' * 5000}", id="a long path"),
]


@pytest.mark.parametrize("url", URLS)
def test_a_string_that_parses_as_a_url_is_one(url):
    organisation = 'version: 1\npermissions: {deny: ["WebFetch(domain:evil.example)"]}\n'
    assert answer(call("mcp__x__open", {"target": url}), organisation) == "deny deny_rule"


CONNECTED = [
    "curl 'https://{ok,evil}.example/'",
    "curl 'https://e[v-v]il.example/'",
    "ssh -L 8080:evil.example:80 ok.example",
    "ssh -R 127.0.0.1:8080:evil.example:80 ok.example",
    "ssh-keyscan evil.example",
    "autossh evil.example",
    "sshfs evil.example:/a b",
    "telnet -l a evil.example 25",
    "hosts=(ok.example evil.example); ping ${hosts[1]}",
]


@pytest.mark.parametrize("command", CONNECTED)
def test_a_host_in_any_place_for_one_is_denied(command):
    organisation = 'version: 1\npermissions: {deny: ["WebFetch(domain:evil.example)"]}\n'
    assert answer(call("Bash", {"command": command}), organisation) == "deny deny_rule"
