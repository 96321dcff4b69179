"""Two dashes alone don't end the options of every program: what stands behind them may be one all the same."""

from __future__ import annotations

import pytest

from support.judging import in_bypass, in_default

PERMISSIONS = 'permissions: {deny: ["Bash(git push --force *)", "Edit(locked/**)"]}'
NOT_PROVEN = [
    "find -- . -delete",
    "find -H -- . -delete",
    "find -- . -exec touch x ';'",
    "find -- . -fprint x",
    "find . -- -delete",
    "unzip -l -- -l a.zip",
    "unzip -l -- -l -o a.zip",
    "xmllint -- --output x a.xml",
    "dd -- if=a of=b",
    "exiftool -- -Artist=x a.jpg",
]
DENIED = [
    "find -- . -exec git push -f ';'",
    "find -- . -execdir git push -f +",
    "find -- . -exec tee locked/a ';'",
    "find -- locked -delete",
    "find -- . -fprint locked/a",
    "find -L -- . -ok git push --force ';'",
    "unzip -l -- -l -d locked a.zip",
    "unzip -l -f -d locked a.zip",
]


@pytest.mark.parametrize("command", NOT_PROVEN)
def test_nothing_behind_them_is_proven(command):
    assert in_default(command) != "allow read_only_command"


@pytest.mark.parametrize("command", DENIED)
def test_a_denial_sees_what_is_behind_them(command):
    assert in_bypass(command, PERMISSIONS) == "deny deny_rule"
