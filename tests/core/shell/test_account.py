"""What is said of a whole command: *no* only for what is described, and a reason that names what stands in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.shell.account import account
from lineclear.core.shell.examples import WORKSPACE
from lineclear.policyfiles.compiling import compiled
from support.rulings import shipped

UNTRUSTED = replace(WORKSPACE, repository_trusted=False)


@pytest.fixture(scope="module")
def told():
    """What the shipped policy says of a command in a repository that nobody vouched for; keywords change that."""
    policy = compiled(shipped(), ())

    def ask(command, **environment):
        return account(command, replace(UNTRUSTED, **environment), policy)

    return ask


@pytest.mark.parametrize(
    ("command", "answer", "reason"),
    [
        ("ls -la | head", "proven", "each part is proven to only read"),
        ("rm a", "no", "it may remove `a`"),
        ("ls > a", "no", "it may overwrite `a`"),
        ("curl x.y", "no", "it connects to `x.y`"),
        ("cat .env", "no", "`.env` is protected"),
        ("npm test", "unknown", "isn't known to only read"),
        ("frob", "unknown", "`frob` isn't a described program"),
        ("sudo rm a", "no", "it may remove `a`"),
        ("kill 123", "no", "it may end `123`"),
        ("yq -i '.a=1' a.yaml", "no", "it may overwrite `a.yaml`"),
        ("scp a host:/b", "no", "it connects to `host:/b`"),
        ("gh api /x", "unknown", "`gh api` isn't known to only read"),
        ("alias ls=rm", "unknown", "a command may begin at `ls=rm`"),
        ("python3 a.py", "unknown", "`python3` isn't known to only read"),
        ("frob https://x.y a", "unknown", "`frob` isn't a described program"),
        ("frob > a", "no", "it may overwrite `a`"),
        ("rg --pre cat a", "unknown", "option `--pre` of `rg` isn't known to only read"),
        ("git push", "unknown", "`git push` isn't known to only read"),
        ("git log", "unknown", "a repository that nobody vouched for (`repository_trusted`)"),
        ('wc -l "$x"', "unknown", '`"$x"` isn\'t known, and could be an option'),
        ("sed s/a/b/e f", "unknown", "`s/a/b/e` isn't known to only print"),
        ("tar xzf a.tgz", "no", "it may write `.`"),
        ("tar xzf a.tgz --frob", "no", "it may write `a.tgz`"),
        ("tar czf a.tgz b", "no", "it may write `a.tgz`"),
        ("tar tzf a.tgz", "unknown", "`a.tgz` doesn't end in `.tar`"),
        ("wget -qO- https://x.y", "no", "it connects to `https://x.y`"),
        ("wget https://x.y/z", "no", "it may write `./z`"),
        ("tmux new -d ls", "unknown", "a command may begin at `new`"),
        ("export PATH=/a:$b", "unknown", "`PATH=/a:$b` isn't known"),
        ("coproc ls", "unknown", "`coproc ls` isn't followed"),
        ("tar tf a.tar.gz", "unknown", "`a.tar.gz` doesn't end in `.tar`"),
        ("ls (", "unknown", "its structure can't be told (parse_error): it doesn't parse"),
        ("", "unknown", "its structure can't be told (empty): nothing in it runs"),
        ("# ls", "unknown", "its structure can't be told (empty): nothing in it runs"),
        ("a" * 10_001, "unknown", "its structure can't be told (too_long): it is longer than 10,000 characters"),
        ("ls; f() { pwd; }", "unknown", "its structure can't be told (construct): `f() { pwd; }` isn't followed"),
        ("sh -c 'echo ${x@P}'", "unknown", "its structure can't be told (construct): `echo ${x@P}` isn't followed"),
        ("ls \ud800", "unknown", "it isn't text in UTF-8"),
    ],
    ids=lambda value: str(value)[:20].encode("unicode_escape").decode(),
)
def test_the_answer_and_its_reason(told, command, answer, reason):
    found = told(command)
    assert found.read_only == answer
    assert reason in found.reason


def test_what_runs_in_another_folder_than_the_trusted_one_says_so(told):
    reason = told("cd src && git log", repository_trusted=True).reason
    assert reason.endswith("a repository that may be another than the one where the call starts")
