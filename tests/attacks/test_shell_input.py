"""What a shell is given to read is a script: from input, a pipe, a substitution, a variable, a file just written."""

from __future__ import annotations

import pytest

from support.judging import answer, call

ORGANISATION = """version: 1
modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}
permissions: {deny: ["Bash(git push --force *)"]}
"""
DENIED = [
    "bash +O extglob -c 'git push -f'",
    "bash -O extglob -c 'git push -f'",
    "bash -s -- x <<< 'git push -f'",
    "bash -s <<< 'git push -f'",
    "bash - <<< 'git push -f'",
    "bash <<< 'git push -f'",
    "bash /dev/stdin <<< 'git push -f'",
    "sh <<'EOF'\ngit push -f\nEOF",
    "bash -c '\"$@\"' _ git push -f",
    "bash -c '$@' _ git push -f",
    'sh -c \'"$0" "$@"\' git push -f',
    "sh -c 'git $1 $2' _ push -f",
    "sh -c 'git \"$@\"' _ push -f",
    "ssh host <<EOF\ngit push -f\nEOF",
    "ssh host bash -s <<< 'git push -f'",
    "at now <<< 'git push -f'",
    "echo 'git push -f' | at now",
    "batch <<< 'git push -f'",
    "echo '* * * * * git push -f' | crontab -",
    "crontab - <<< '* * * * * git push -f'",
    "crontab <<< '@reboot git push -f'",
    "(crontab -l; echo '* * * * * git push -f') | crontab -",
    "echo -f | xargs git push",
    "echo 'push -f' | xargs git",
    "echo 'git push -f' | xargs -I{} sh -c '{}'",
    "echo git push -f | xargs env",
    "printf 'push\\n-f\\n' | xargs git",
    "echo 'git push -f' | sh",
    "echo 'git push -f' | bash -s",
    "echo 'git push -f' | sudo bash",
    "echo git push -f | sh",
    "printf 'git push -f' | sh",
    "printf '%s' 'git push -f' | sh",
    "printf '%s ' git push -f | sh",
    "printf 'git %s -f\\n' push | bash",
    "echo -e 'git\\x20push -f' | sh",
    "echo 'git push -f' | cat | sh",
    "echo 'git push -f' | tee x | sh",
    "cat <<EOF | sh\ngit push -f\nEOF",
    "cat <<'EOF' | bash -s\ngit push -f\nEOF",
    "(echo 'git push -f') | sh",
    "{ echo 'git push -f'; } | sh",
    "echo 'git push -f' | (sh)",
    "echo 'git push -f' | { sh; }",
    "source <(echo 'git push -f')",
    ". <(echo 'git push -f')",
    "bash <(echo 'git push -f')",
    "bash < <(echo 'git push -f')",
    "source /dev/stdin <<< 'git push -f'",
    ". /dev/stdin <<< 'git push -f'",
    "eval 'git push -f'",
    "eval git push -f",
    'eval "$(echo git push -f)"',
    "eval `echo git push -f`",
    'eval "$(cat <<EOF\ngit push -f\nEOF\n)"',
    "$(echo git push -f)",
    "$(echo git) push -f",
    'sh -c "$(echo git push -f)"',
    "bash -c \"$(printf 'git push -f')\"",
    "echo 'git push -f' > x.sh; sh x.sh",
    "echo 'git push -f' > x.sh && bash ./x.sh",
    "cat > x.sh <<'EOF'\ngit push -f\nEOF\nbash x.sh",
    "echo 'git push -f' > x.sh; chmod +x x.sh; ./x.sh",
    "echo 'git push -f' | tee x.sh; . x.sh",
    "x='git push -f'; $x",
    "x='git push -f'; eval \"$x\"",
    "x=git; $x push -f",
    "x=push; git $x -f",
    "a=git b=push; $a $b -f",
    "$'git' push -f",
    "$'\\x67it' push -f",
    "cat <(git push -f)",
    "x=$(git push -f)",
    "x=`git push -f`",
    "cat <<EOF\n$(git push -f)\nEOF",
    "git push -f <<< x",
    "git push -f|cat",
]


@pytest.mark.parametrize("command", DENIED)
def test_what_a_shell_reads_is_looked_into(command):
    asked = call("Bash", {"command": command}, permission_mode="bypassPermissions")
    assert answer(asked, ORGANISATION) == "deny deny_rule"
