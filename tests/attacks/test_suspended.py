"""In auto no star chooses what is executed: not as a program's operand, and not by an option that takes a command."""

from __future__ import annotations

import pytest

from support.judging import in_mode

SUSPENDED = [
    ("sed *", "sed '1e id' a"),
    ("sed -n *", "sed -n '1e id' a"),
    ("awk *", "awk 'BEGIN { system(\"id\") }'"),
    ("git fetch *", "git fetch --upload-pack=./x ."),
    ("git fetch *", "git fetch --upload-pack ./x ."),
    ("git pull *", "git pull --upload-pack=./x ."),
    ("less *", "less '+!id' a"),
    ("sox *", "sox '|id' -n"),
    ("convert *", "convert '|id' a.png"),
    ("mlr *", "mlr -n put 'end { system(\"id\") }'"),
    ("railway *", "railway run id"),
    ("gh config *", "gh config set pager id"),
    ("firebase *", "firebase emulators:exec id"),
    ("wget *", "wget --use-askpass=./x https://example.org/"),
    ("install *", "install -s --strip-program=./x a b"),
    ("apt-get *", "apt-get -o APT::Update::Pre-Invoke::=./x update"),
    ("cargo build *", "cargo build --config build.rustc-wrapper=./x"),
    ("npm test *", "npm test --script-shell=./x"),
    ("tcpdump *", "tcpdump -i any -G 1 -w x -z ./x"),
]
IN_FORCE = [
    ("git fetch *", "git fetch --prune origin"),
    ("git pull *", "git pull --ff-only"),
    ("git commit *", "git commit -am x"),
    ("git commit *", "git commit --amend --no-edit"),
    ("git add *", "git add -A"),
    ("git fetch --upload-pack=./x *", "git fetch --upload-pack=./x origin"),
    ("npm install *", "npm install --save-dev left-pad"),
    ("npm test *", "npm test -- --watch"),
    ("cargo test *", "cargo test --release"),
    ("pip install *", "pip install -r requirements.txt"),
    ("mkdir *", "mkdir -p a/b"),
]


def in_auto(pattern, command):
    return in_mode("auto", command, f"permissions: {{allow: ['Bash({pattern})']}}")


@pytest.mark.parametrize(("pattern", "command"), SUSPENDED)
def test_a_rule_that_hands_over_is_suspended(pattern, command):
    assert in_auto(pattern, command) == "ask classifier_unavailable"


@pytest.mark.parametrize(("pattern", "command"), IN_FORCE)
def test_a_rule_that_hands_over_nothing_holds(pattern, command):
    assert in_auto(pattern, command) == "allow allow_rule"
