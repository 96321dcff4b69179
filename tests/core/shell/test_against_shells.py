"""What the analysis says of words and commands is what bash and zsh do with them, on texts that nobody thought of.

Nothing in these texts can be run: the search path is empty, no builtin is among the fragments, and files are only
opened in a folder of the test's own.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import pytest

from lineclear.core.call import Dialect
from lineclear.core.shell.words import HOLE

_WORDS = [
    *("a", "b", '"', "'", "\\", "{", "}", ",", "..", "1", "~", "/", "$HOME", "${HOME}", "$'", "\\x41", "\\n", "#", "="),
    *("!", "-", "%", "é", "+", "@", "^", ":", '"$HOME"', "{a,b}", "{1..3}", "'a$b'", "\\101", "~/", "$", '$"', "."),
    *(" ", " ", "\t", "\\\n"),
]
_PARTS = [
    *("aa", "bb", "cc x", 'gg "y z"', "ee 'q'", " && ", " || ", "; ", "\n", " | ", " & ", "(", ")", "{ ", "; }", "! "),
    *("if ", "; then ", "; fi", "else ", "for i in 1 2; do ", "; done", "<<E\n", "\nE\n", "<<'E'\n", "\\\n", " #"),
    *(
        " # c\n",
        "$(",
        '"$(',
        '")',
        "`",
        "<(",
        " ",
        '"',
        "'",
        "case x in ",
        "x) ",
        ";; esac",
        " >f",
        " 2>&1",
        " <g",
        "$x",
    ),
    *(
        '"$x"',
        "x=1 ",
        "[[ -n a ]]",
        " \\\n",
        "\t",
        "$((1+1))",
        "bb;",
        "${x:-aa}",
        "<<<aa",
        "<<-E\n",
        "\tE\n",
        "\\",
        "=",
    ),
    *("{a,b}", "}", "{", "[", "]", "!", "~", "é", "aa bb cc", " in ", " do ", "\n#", '"a\nb"'),
    *("aa -", "bb -a", " --b", " \\;", "\\\n#", " 2>&- ", " {x}<g", "x=1<(aa) "),
]
_NOT_FOUND = """{name}() {{
  local o; printf -v o '%s\\x1f' "$@"; printf '%s\\x1e' "$o" >> "$LOG"; return $((RANDOM%2)); }}
eval "$TEXT"
"""
_SHELLS = {
    Dialect.BASH: (("bash", "--norc", "-c"), "command_not_found_handle"),
    Dialect.ZSH: (("zsh", "-f", "-c"), "command_not_found_handler"),
}
_ITS_OWN = {"cat", "more", "pager", "less"}
"""What zsh starts for a redirect without a command."""


@pytest.fixture(params=_SHELLS, ids=str)
def shell(request, tmp_path):
    """Run a text in a shell that finds no program: what it printed, and the words of what it tried to run."""
    (name, *options), handler = _SHELLS[request.param]
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"no {name} here")
    empty, log = tmp_path / "empty", tmp_path / "log"
    empty.mkdir()

    def run(text, script=None):
        log.write_text("")
        environment = {"HOME": "/home/dev", "PATH": str(empty), "LC_ALL": "C.UTF-8", "TEXT": text, "LOG": str(log)}
        done = subprocess.run(
            [path, *options, script or _NOT_FOUND.format(name=handler)],
            cwd=empty,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            check=False,
        )
        tried = [entry.split("\x1f")[:-1] for entry in log.read_bytes().decode().split("\x1e")[:-1]]
        return done, tried

    return request.param, run


@pytest.mark.parametrize("seed", range(4))
def test_words_are_those_of_the_shell(analysed, shell, seed):
    dialect, run = shell
    chance = random.Random(seed)
    checked = 0
    for _ in range(150):
        text = "printf '%s\\0' x " + "".join(chance.choice(_WORDS) for _ in range(chance.randint(1, 9)))
        effects = analysed(text, dialect=dialect)
        if effects.doubt or len(effects.commands) != 1 or not all(w.literal for w in effects.commands[0].words):
            continue
        done, _ = run(text, text)
        if b"parse error" in done.stderr or b"not found" in done.stderr or b"no such user" in done.stderr:
            continue
        checked += 1
        assert done.stdout.decode().split("\0")[:-1] == [word.shape for word in effects.commands[0].words[2:]], text
    assert checked > 20


@pytest.mark.parametrize("seed", range(4))
def test_no_command_runs_unseen(analysed, shell, seed):
    dialect, run = shell
    chance = random.Random(seed)
    checked = 0
    for _ in range(700):
        text = "".join(chance.choice(_PARTS) for _ in range(chance.randint(2, 14)))
        effects = analysed(text, dialect=dialect)
        if effects.doubt:
            continue
        _, tried = run(text)
        patterns = [_pattern(command.words) for command in effects.commands]
        for words in tried:
            if set(words[:1]) & _ITS_OWN or (len(words) > 1 and "/fd/" in "".join(words)):
                continue
            checked += 1
            assert any(re.fullmatch(p, "\x1f".join(words), re.DOTALL) for p in patterns), (text, words)
    assert checked > 10


def _pattern(words):
    """What may become of words of which some can't be known."""
    text = ""
    for at, word in enumerate(words):
        several = word.glob or (HOLE in word.shape and not word.quoted)
        spelled = ".*" if several else re.escape(word.shape).replace(re.escape(HOLE), ".*")
        joined = ("\x1f" if at else "") + spelled
        text += f"(?:{joined})?" if several else joined
    return text
