"""What rules ask of the descriptions: normal forms of options, subcommands, and who may choose what is executed."""

from __future__ import annotations

import pytest

from lineclear.core.shell.programs import in_system_folder
from lineclear.core.shell.words import HOLE, Word


@pytest.fixture(scope="module")
def invoke(programs):
    def run(text):
        return programs.invoke([Word(word, word) for word in text.split()])

    return run


def options(invocation):
    return [(o.name, None if o.value is None else o.value.shape, o.known) for o in invocation.options]


def test_clusters_and_long_options_are_the_same(invoke):
    assert {o.name for o in invoke("rm -rf /").options} == {o.name for o in invoke("rm --force --recursive /").options}
    assert {o.name for o in invoke("rm -fr /").options} < {o.name for o in invoke("rm -rfv /").options}


def test_values(invoke):
    assert options(invoke("grep -A3 --before-context=2 -e x f")) == [
        ("--after-context", "3", True),
        ("--before-context", "2", True),
        ("--regexp", "x", True),
    ]


def test_shortened_options_mean_the_long_ones(invoke):
    assert options(invoke("git commit --no-verif -m x")) == [("--no-verify", None, True), ("--message", "x", True)]


def test_subcommands_are_found_past_global_options(invoke):
    assert invoke("git -C x -c a=b push -f origin").subcommand == ("push",)
    assert invoke("docker --context prod run --rm -it --privileged alpine sh").subcommand == ("run",)
    assert [w.shape for w in invoke("docker run --rm alpine sh -c x").operands] == ["alpine", "sh", "-c", "x"]


def test_what_is_not_listed_is_said(invoke):
    found = invoke("git frobnicate --zap x")
    assert found.subcommand == ("frobnicate",)
    assert options(found) == [("--zap", None, False)]


def test_behind_two_dashes_there_are_operands(invoke):
    found = invoke("rm -- -f")
    assert not found.options
    assert [word.shape for word in found.operands] == ["-f"]


@pytest.mark.parametrize(
    ("words", "holes"),
    [
        (["git", HOLE, "main"], True),
        (["docker", "run", HOLE, "alpine"], True),
        (["git", "push", "origin", "main"], False),
    ],
)
def test_holes_where_an_option_or_a_subcommand_could_stand(programs, words, holes):
    assert programs.invoke([Word(word, word, quoted=True) for word in words]).holes is holes


def test_names(programs, invoke):
    assert invoke("/opt/bin/git.exe push").program == "git"
    assert invoke("frob x") is None
    assert {"git", "egrep", "["} <= programs.names


CHOOSE = [
    *(
        "bash *",
        "python3 *",
        "python3 -m *",
        "find *",
        "xargs *",
        "env *",
        "sudo *",
        "ssh *",
        "npx *",
        "npm run *",
        "npm *",
    ),
    *(
        "make *",
        "docker exec *",
        "docker run *",
        "git *",
        "frob *",
        "*",
        "* status",
        "git -C * show *",
        "rg *",
        "watch *",
    ),
    "git submodule foreach *",
]
KEEP = [
    *(
        "git commit *",
        "git log *",
        "ls *",
        "cat *",
        "grep *",
        "git push *",
        "npm test *",
        "npm install *",
        "frob --check",
    ),
    *("git status", "echo *", "cargo test *", "docker ps *", "rm *", "pip install *", "kubectl get *"),
]


@pytest.mark.parametrize("pattern", CHOOSE)
def test_a_wildcard_that_chooses_what_is_executed(programs, pattern):
    assert programs.chooses(pattern.split())


@pytest.mark.parametrize("pattern", KEEP)
def test_a_wildcard_that_does_not(programs, pattern):
    assert not programs.chooses(pattern.split())


def test_an_option_is_another_or_may_be_it_shortened(programs):
    assert programs.same_option("git", "--no-verify", "--no-verify")
    assert programs.same_option("git", "--privileged", "--priv")
    assert not programs.same_option("git", "--prune", "--prune-tags")
    assert not programs.same_option("git", "--prune-tags", "--prune")
    assert not programs.same_option("find", "-delete", "-del")
    assert not programs.same_option("git", "--force", "--fo-x")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ls", True),
        ("/bin/ls", True),
        ("/usr/local/bin/ls", True),
        ("./ls", False),
        ("/tmp/ls", False),
        ("bin/ls", False),
        ("/bin/../tmp/ls", False),
        ("/usr/bin/", False),
    ],
)
def test_system_folders(name, expected):
    assert in_system_folder(name) is expected
