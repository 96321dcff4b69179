"""What an allow rule covers, and above all what it doesn't."""

from __future__ import annotations

import pytest

from support.rulings import covered, permissions, shell

COVERED = {
    "exactly": ("npm test", "npm test"),
    "zero more words": ("cargo test *", "cargo test"),
    "more words": ("cargo test *", "cargo test --lib parser"),
    "colon spelling": ("cargo test:*", "cargo test x"),
    "star inside": ("npm run * --silent", "npm run a b --silent"),
    "system folder": ("npm test", "/usr/bin/npm test"),
    "quoted otherwise": ('notify-send "a b"', "notify-send 'a b'"),
    "other spacing": ("npm test", "npm   test"),
    "quoted value under the star, of an option": ("git commit *", 'git commit -m "$MESSAGE"'),
    "quoted operand under the star": ("git add *", 'git add "$FILE"'),
    "pattern of file names under the star": ("git add *", "git add *.py"),
    "program of the repository, named so": ("./gradlew build", "./gradlew build"),
    "literal star": (r"expr 2 \* 3", r"expr 2 \* 3"),
}


@pytest.mark.parametrize(("pattern", "command"), COVERED.values(), ids=COVERED.keys())
def test_it_covers(pattern: str, command: str) -> None:
    assert covered(pattern, command)


NOT_COVERED = {
    "options in another order": ("rm -rf build", "rm -fr build"),
    "another word": ("npm run *", "npm runaway"),
    "program of the repository": ("npm test", "./npm test"),
    "program elsewhere": ("npm test", "/work/repo/node_modules/.bin/npm test"),
    "program of a folder that only looks like one of the system": ("npm test", "/usr/bin/../../tmp/npm test"),
    "program in a folder below": ("npm test", "/usr/bin/x/npm test"),
    "relative program elsewhere": ("./gradlew build", "sub/gradlew build"),
    "global option": ("git status *", "git -C /x status"),
    "assignment that loads code": ("npm test", "NODE_OPTIONS=--require=./x.js npm test"),
    "wrapper that isn't transparent": ("npm test", "sudo npm test"),
    "unresolved program": ("npm test", "$X test"),
    "unresolved subcommand": ("git *", 'git "$X" origin'),
    "unquoted word under the star": ("git add *", "git add $FILES"),
    "unresolved word that the pattern names": ("npm run build", 'npm run "$X"'),
    "unresolved word in place of an option of an unknown program": ("mytool *", 'mytool "$X"'),
    "pattern of file names where a literal star is meant": (r"rm \*", "rm *"),
    "quoted star in the pattern is literal": ('git commit -m "*"', 'git commit -m "x"'),
    "trailing letters": ("npm test", "npm testing"),
}


@pytest.mark.parametrize(("pattern", "command"), NOT_COVERED.values(), ids=NOT_COVERED.keys())
def test_it_does_not_cover(pattern: str, command: str) -> None:
    assert not covered(pattern, command)


def test_a_relative_program_is_another_one_in_another_directory() -> None:
    policy = permissions(allow=["Bash(./gradlew build)"])
    facts = shell(policy, "cd sub && ./gradlew build")
    assert 1 not in policy.rules.coverage(facts, suspended=False).commands


@pytest.mark.parametrize(
    "command", ["timeout 60 npm test", "nohup npm test", "env CI=1 npm test", "bash -c 'npm test'"]
)
def test_it_looks_through_transparent_wrappers(command: str) -> None:
    policy = permissions(allow=["Bash(npm test)"])
    assert 1 in policy.rules.coverage(shell(policy, command), suspended=False).commands


def test_a_wrapper_is_covered_with_what_it_runs_only_if_that_is_known() -> None:
    assert covered("sudo npm *", "sudo npm test")
    assert not covered("sudo *", 'sudo "$X" y')


@pytest.mark.parametrize(
    "command", ["$X a", 'git "$X"', "rm $F", "echo hi > $F", "xargs rm < list", '"$(cat x)"'], ids=str
)
def test_the_whole_tool_covers_no_unresolved_word_where_it_matters(command: str) -> None:
    policy = permissions(allow=["Bash"])
    assert policy.rules.coverage(shell(policy, command), suspended=False).whole is None


@pytest.mark.parametrize(
    "command", ["echo hi > notes.txt", "rm -rf build", 'git commit -m "$M"', "A=b npm test"], ids=str
)
def test_the_whole_tool_covers_what_is_known(command: str) -> None:
    policy = permissions(allow=["Bash(*)"])
    assert policy.rules.coverage(shell(policy, command), suspended=False).whole is not None


SUSPENDED = [
    "python3 *",
    "npx *",
    "npm run *",
    "make *",
    "ssh *",
    "sudo *",
    "git *",
    "find *",
    "xargs *",
    "mytool *",
    "*",
]


@pytest.mark.parametrize("pattern", SUSPENDED)
def test_a_rule_that_lets_the_caller_choose_what_runs_is_suspended(pattern: str) -> None:
    policy = permissions(allow=[f"Bash({pattern})"])
    facts = shell(policy, pattern.replace("*", "x"))
    assert policy.rules.coverage(facts, suspended=True) == type(policy.rules.coverage(facts, suspended=True))()


@pytest.mark.parametrize("pattern", ["npm run build", "git commit *", "mytool sync"])
def test_other_rules_are_not(pattern: str) -> None:
    assert covered(pattern, pattern.replace("*", "x"), suspended=True)
