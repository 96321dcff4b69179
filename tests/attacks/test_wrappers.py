"""A denial holds through whatever starts a command, with options of the wrapper that nobody described too."""

from __future__ import annotations

import pytest

from support.judging import in_bypass

PERMISSIONS = 'permissions: {deny: ["Bash(git push --force *)"]}'
DENIED = [
    "flock x -c 'git push -f'",
    "flock -w 5 x -c 'git push -f'",
    "flock x --command 'git push -f'",
    "flock --conflict-exit-code 5 x git push -f",
    "parallel 'git push {}' ::: -f",
    "parallel ::: 'git push -f'",
    "parallel git ::: push ::: -f",
    "parallel --timeout 5 git push -f ::: x",
    "parallel -j 4 'git push -f' ::: x",
    "sem -j 4 git push -f",
    "bash +x -c 'git push -f'",
    "rbash -c 'git push -f'",
    "ksh93 -c 'git push -f'",
    "fish --command='git push -f'",
    "fish -C 'git push -f'",
    "pwsh -c 'git push -f'",
    "sudo --unheard-of x git push -f",
    "sudo -r x -t y git push -f",
    "env -a x git push -f",
    "env - git push -f",
    "env -P /x git push -f",
    "env -S '-i git push -f'",
    "nice +5 git push -f",
    "exec -a x git push -f",
    "ionice -c 2 -n 0 git push -f",
    "chrt 1 git push -f",
    "taskset 0x3 git push -f",
    "strace -E A=b git push -f",
    "systemd-run --unit x git push -f",
    "perf stat git push -f",
    "perf record -o x -- git push -f",
    "proxychains4 -f x git push -f",
    "nsenter -t 1 -m git push -f",
    "unbuffer -p git push -f",
    "runuser -u x -- git push -f",
    "pkexec git push -f",
    "hyperfine --warmup 3 'git push -f'",
    "xargs -R 5 -I % -S 5 git push -f",
    "sudo --unheard-of x sudo --unheard-of y git push -f",
]
NOT_DENIED = [
    "sudo make git push -f",
    "timeout 60 ./deploy.sh git push -f",
    "nice -n 5 grep -rn 'git push -f' .",
    "flock x echo git push -f",
    "sudo -u ci git push --force-with-lease",
]


@pytest.mark.parametrize("command", DENIED)
def test_the_command_behind_is_found(command):
    assert in_bypass(command, PERMISSIONS) == "deny deny_rule"


@pytest.mark.parametrize("command", NOT_DENIED)
def test_what_is_only_an_argument_runs_nothing(command):
    assert not in_bypass(command, PERMISSIONS).startswith("deny")
