from __future__ import annotations

import pytest

from support.rulings import possibly_denied

POSSIBLE = {
    "subcommand": ("git push *", 'git "$X" origin'),
    "subcommand by a substitution": ("npm publish *", 'npm "$(cat f)"'),
    "option, unquoted": ("docker run --privileged *", "docker run $OPTIONS alpine"),
    "option, quoted": ("docker run --privileged *", 'docker run "$OPTION" alpine'),
    "part of an option": ("git push --force *", 'git push "--$X"'),
    "operand": ("rm -rf /", 'rm -rf "$D"'),
    "part of an operand": ("rm -rf /data", 'rm -rf "/$D"'),
    "pattern of file names": ("cat .env", "cat .e*"),
    "unknown program": ("mytool delete *", 'mytool "$X"'),
    "several words": ("git push origin +main", "git push $ARGUMENTS"),
}


@pytest.mark.parametrize(("pattern", "command"), POSSIBLE.values(), ids=POSSIBLE.keys())
def test_it_may_match(pattern: str, command: str) -> None:
    assert possibly_denied(pattern, command)


IMPOSSIBLE = {
    "another subcommand": ("git push *", 'git commit "$X"'),
    "value of an option": ("git commit --no-verify *", 'git commit -m "$X"'),
    "operand that can't be": ("rm -rf /data", 'rm -rf "/tmp/$D"'),
    "nothing unresolved": ("git push *", "git status"),
    "unresolved program": ("git push *", "$X push"),
    "another program": ("git push *", 'hg "$X"'),
    "pattern of file names that can't be": ("cat .env", "cat *.py"),
}


@pytest.mark.parametrize(("pattern", "command"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_it_can_not_match(pattern: str, command: str) -> None:
    assert not possibly_denied(pattern, command)
