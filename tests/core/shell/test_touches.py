"""What is touched, by effect and not by name: with deed, place, and whether all below is meant."""

from __future__ import annotations

import pytest

TOUCHED = {
    "reader": ("cat a", {"read a"}),
    "reader without operand": ("ls", {"read ."}),
    "search below": ("grep -r x src", {"read src R"}),
    "removal": ("rm a", {"remove a"}),
    "recursive removal": ("rm -fr a", {"remove a R"}),
    "removal by a search": ("find a -delete", {"remove a R"}),
    "narrowed by a name": ("find . -name '*.pyc' -delete", {"remove *.pyc G"}),
    "narrowed by nothing": ("find . -name '*' -delete", {"remove . R"}),
    "an or takes the narrowing away": ("find . -name x -o -delete", {"remove . R"}),
    "removal for what is found": ("find a -exec rm {} +", {"read a R", "remove a R"}),
    "removal for what is found by name": ("find a -name x -exec rm -r {} +", {"read a R", "remove a/x R G"}),
    "targets from a pipe": ("xargs rm -rf", {"remove ? R"}),
    "move": ("mv a b", {"move a", "write b", "write b/a"}),
    "copy into a folder": ("cp x/.npmrc .", {"read x/.npmrc", "write .", "write .npmrc"}),
    "copy to a named target": ("cp -t d a", {"read a", "write d", "write d/a"}),
    "link": ("ln -s a b", {"read a", "write a", "write b", "write b/a"}),
    "overwritten": ("dd if=a of=b", {"read a", "overwrite b"}),
    "mirrored": ("rsync -a --delete a/ b/", {"write b R", "remove b R"}),
    "redirects": ("ls > a 2>> b < c", {"read .", "overwrite a >", "write b >", "read c >"}),
    "edited in place": ("sed -i s/x/y/ a", {"overwrite a"}),
    "secret of another revision": ("git show HEAD:.env", {"read .env"}),
    "git's settings": ("git config user.name x", {"write .git/config"}),
    "git's remotes": ("git remote add o u", {"write .git/config"}),
    "git's bookkeeping": ("git commit -m x", set()),
    "dry run": ("git clean -nd build", set()),
    "sourced": (". ./.env", {"read .env"}),
    "tested": ("[ -f a -a ! -d b ]", {"read a", "read b"}),
    "after a change of directory": ("cd src && cat a", {"read src/a"}),
    "where the change may have failed": ("cd src; rm a", {"remove src/a", "remove a"}),
    "in a subshell only": ("(cd src); cat a", {"read a"}),
    "another directory by option": ("git -C sub config x y", {"read sub", "write sub/.git/config"}),
    "a program nobody knows": ("frob --out=./x .env src/a plain", {"read x", "read .env", "read src/a"}),
    "unresolved": ('cat "$x"', {"read ?"}),
    "a pattern": ("cat .e*", {"read .e* G"}),
    "lists": ("touch {a,b}", {"write a", "write b"}),
    "descriptor that bash moves, file to zsh": ("ls >&2-", {"read .", "overwrite 2- >"}),
    "streams are no files": ("ls >/dev/null 2>&1 </dev/stdin", {"read ."}),
}


def told(touch):
    path = "?" if touch.place is None else touch.place.lexical.removeprefix("/work/repo").lstrip("/") or "."
    marks = (" R" if touch.recursive else "") + (" G" if touch.glob else "") + (" >" if touch.redirect else "")
    return f"{touch.deed} {path}{marks}"


@pytest.mark.parametrize(("command", "expected"), TOUCHED.values(), ids=TOUCHED)
def test_touched(analysed, command, expected):
    assert {told(touch) for touch in analysed(command).touches} >= expected
    if not expected:
        assert not any(touch.deed != "read" for touch in analysed(command).touches)


HOSTS = {
    "address": ("curl -s https://a.b/c", ["https://a.b/c"]),
    "name": ("ssh -p 22 me@h ls", ["me@h"]),
    "copy": ("scp a h:/b", ["h:/b"]),
    "shell's own": ("cat a > /dev/tcp/h/80", ["h:80"]),
    "remote": ("git push git@h:r main", ["git@h:r"]),
    "a program nobody knows": ("frob --to=https://a.b x", ["https://a.b"]),
    "text": ("echo https://a.b", []),
}


@pytest.mark.parametrize(("command", "expected"), HOSTS.values(), ids=HOSTS)
def test_hosts(analysed, command, expected):
    assert [host.url for host in analysed(command).hosts] == expected


def test_what_is_ended_is_named(analysed):
    assert analysed("pkill -9 name").commands[0].ends == ("name",)
    assert analysed("sudo systemctl stop name").commands[1].ends == ("name",)
