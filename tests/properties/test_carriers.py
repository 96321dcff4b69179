"""A denied command stays denied in every carrier, and in two of them; nothing that is put around one loosens."""

from __future__ import annotations

import json
import random
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.core.modes import Mode
from lineclear.core.verdict import Verdict
from properties.test_shell import DENIALS, DENIED, SHIPPED, severity
from support.given import corpora

WORDS = [
    *("docker exec c {}", "docker run --rm -it alpine {}", "docker compose exec -T c {}", "podman exec -it c {}"),
    *("kubectl exec p -- {}", "kubectl -n a exec -it p -c b -- {}", "ssh host {}", "ssh -p 22 user@host {}"),
    *(
        "tmux new -d {}",
        "screen -dm {}",
        "npx {}",
        "npm exec -- {}",
        "yarn dlx {}",
        "uv run {}",
        "uvx {}",
        "poetry run {}",
    ),
    *("bundle exec {}", "direnv exec . {}", "mise exec -- {}", "git bisect run {}", "git submodule foreach {}"),
    *(
        "systemd-run --user {}",
        "unshare -r {}",
        "nsenter -t 1 -m -- {}",
        "chroot / {}",
        "runuser -u x -- {}",
        "entr {}",
    ),
    *(
        "watchexec -- {}",
        "find . -ok {} ';'",
        "parallel {} ::: x",
        "aws-vault exec p -- {}",
        "script -c {q}",
        "su -c {q}",
    ),
    *(
        "lxc exec c -- {}",
        "vagrant ssh -c {q}",
        "cross-env A=1 {}",
        "start-stop-daemon --start --exec {}",
        "env -S {q}",
    ),
]
SCRIPTS = [
    *("bash -s -- x <<< {q}", "bash - <<< {q}", "bash +O extglob -c {q}", "echo {q} | sh", "printf %s {q} | bash -s x"),
    *("cat <<'E' | sh\n{}\nE", "sh <<'E'\n{}\nE", "source <(echo {q})", "bash <(echo {q})", 'eval "$(echo {q})"'),
    *(
        "$(echo {q})",
        "x={q}; eval $x",
        "x={q}; $x",
        "sh -c '\"$@\"' _ {}",
        "echo {q} > a.sh; sh a.sh",
        "at now <<< {q}",
    ),
    *("echo '* * * * * '{q} | crontab -", "git -c alias.x='!'{q} x", "git rebase -x {q} HEAD~2", "PAGER={q} git log"),
    *("git filter-branch --tree-filter {q}", "GIT_SSH_COMMAND={q} git fetch", "npm exec -c {q}", "nix-shell --run {q}"),
    *("tmux send-keys -t x {q} Enter", "ssh host <<'E'\n{}\nE", "ssh -o ProxyCommand={q} host", "socat - EXEC:{q}"),
    *(
        "watchexec {q}",
        "nodemon --exec {q}",
        "tar --checkpoint-action=exec={q} -cf a b",
        "alias x={q}; x",
        "trap {q} EXIT",
    ),
]
CARRIERS = [*WORDS, *SCRIPTS]
AROUND = [
    *(
        "({})",
        "{{ {}; }}",
        "! {}",
        "if true; then {}; fi",
        "echo $({})",
        "ls && {}",
        "{}; ls",
        "{} | cat",
        "cd . && {}",
    ),
    *("cd src; {}", "for i in 1; do {}; done", "eval {q}", "sh -c {q}", "ssh host {q}", "docker exec x bash -c {q}"),
    *("xargs -I% sh -c {q}", "env bash -c {q}", "timeout 5 bash -c {q}", "{} > out", "{} 2>&1", "{} >> .env", "{} < a"),
]
SIMPLE_LINES = 30


def carried(carrier, command):
    return carrier.format(command, q=shlex.quote(command))


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("command", DENIED)
def test_a_denied_command_stays_denied_in_every_carrier(carrier, command):
    assert severity(DENIALS, carried(carrier, command)) == Verdict.DENY.severity


@settings(max_examples=150, deadline=None)
@given(command=st.sampled_from(DENIED), inner=st.sampled_from(CARRIERS), outer=st.sampled_from(WORDS[:12]))
def test_nor_do_two_carriers_hide_it(command, inner, outer):
    wrapped = f"{outer.partition('{')[0]}bash -c {shlex.quote(carried(inner, command))}"
    assert severity(DENIALS, wrapped) == Verdict.DENY.severity


def lines():
    """Some of the corpora's commands of one line that set more than variables; the same ones each time."""
    found = []
    for name in ("shell_real.jsonl", "shell_verdicts.jsonl"):
        for line in (corpora() / name).read_text(encoding="utf-8").splitlines():
            command = json.loads(line)["command"]
            plain = not set("\n#\r") & set(command) and "<<" not in command and command.rstrip()[-1:] not in "\\&;|"
            if plain and len(command) < 300 and not command.partition(" ")[0].partition("=")[1]:
                found.append(command)
    return random.Random(0).sample(found, SIMPLE_LINES)


@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.BYPASS, Mode.ACCEPT_EDITS])
def test_nothing_that_is_put_around_a_real_command_loosens(mode):
    loosened = []
    for command in lines():
        alone = severity(SHIPPED, command, mode=mode)
        loosened += [
            carried(one, command) for one in AROUND if severity(SHIPPED, carried(one, command), mode=mode) < alone
        ]
    assert loosened == []
