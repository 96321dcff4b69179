"""No text takes long to analyse: whatever is repeated up to the limit, out of place or nested, stays near 20 ms."""

from __future__ import annotations

import time

import pytest

from core.shell.conftest import shipped
from lineclear.core.effects import Doubt
from lineclear.core.shell.analysis import MAX_LENGTH, analyse
from lineclear.core.shell.examples import WORKSPACE
from lineclear.core.shell.programs import Programs

PROGRAMS = Programs.of(shipped())
MOST = 0.060
"""Seconds of processor time for the longest text: three times the goal of 20 ms, since others use this machine too."""
PLAIN_LOOP = 12e-6
"""Seconds that such a machine takes for adding up a thousand numbers; a busy one gets as much more time."""

STARTS = [
    *("", "ls ", "cp ", 'echo "', "echo ${x", "echo $((", "echo $(", "((", "[[ ", "[ ", "{ ", "(", "if ", "for a in "),
    *("case a in ", "cat <<E\n", "bash -c '", "find . -exec ", "sudo ", "a=(", "> a ", "! ", "rm -rf ", "sed -e '"),
]
REPEATED = [
    *(
        "a ",
        "a; ",
        "a\n",
        "a|",
        "a | ",
        "a && ",
        "a & ",
        "! ",
        "|",
        ";",
        "&",
        "(",
        ")",
        "()",
        "(a) ",
        "{ ",
        "} ",
        "{a,",
    ),
    *(
        "{a,",
        "{a,b}",
        "{1..9} ",
        "$(",
        "$(a) ",
        "`",
        "`a` ",
        "$x ",
        '"$x"',
        "${x",
        "${x:-",
        "$((",
        "((1)) ",
        "[[ ",
        "]] ",
    ),
    *("[[ a = b ]] ", "[ a ] ", "[a", "-a ", "-a", "~a ", "- ", "= ", "a=1 ", "a=b c=d ", "a=(", ">a ", "a>b", "<>a "),
    *("2>&1 ", ">&", "<<a ", "<<<a ", "<(a) ", "#\n", "# ", '"a"', "'a' ", '"\'"', "\\ ", "\\\n", "$'a'", "* ", "é "),
    *(
        "if a; then ",
        "if a; then b; fi; ",
        "for a in b; do ",
        "for((",
        "while a; do ",
        "case a in b) c",
        "f() ",
        "f() {",
    ),
    *(
        "f() {",
        "a)b",
        "@(a) ",
        "{ a",
        "find . -exec a \\; ",
        "-exec a {} \\; ",
        "sed s/a/b/ ",
        "cd a && ",
        "rm -rf a; ",
        "env ",
    ),
    *(
        "A=a; ",
        "export A=a; ",
        "sh -c 'a' ",
        "git -C a ",
        "cat <<a\n$x\na\n",
        "xargs ",
        "../",
        "~",
        "a:b ",
        "a{",
        "if a",
    ),
]
SINGLE = {
    "loops in loops": "for a in 1 2 3; do for b in 1 2 3 4 5 6 7 8 9 10 11 12; do ls; done; " * 100,
    "a script in a loop": "for a in 1 2 3 4 5 6 7 8 9 10 11 12; do bash -c '" + "a|" * 400 + "'; done",
    "an escaped script": "bash -c $'" + "\\x61\\x7c" * 1200 + "'",
    "a cluster of options": "ls -" + "".join(chr(code) for code in range(0x4E00, 0x4E00 + 9_990)),
    "what is printed, put in again and again": 'echo "total: $(echo "$ports" | sort | wc -l)."; ' * 8,
    "what is handed on, put in again and again": "find . -name '*.ext' | parallel echo {} '`dirname {}`'",
    "names that are handed on": "find . -print0 " + "| sort -z " * 90 + "| xargs -0 cat",
    "loops over names": "for f in $(find .); do cat $f; done; " * 90,
    "substitutions of names": "cat " + "$(find a b c) " * 90,
    "several directories": "cd a; cd b; cd c; cd d; ls " + "f " * 4500,
}


def _seconds(text):
    start = time.process_time()
    analyse(text, WORKSPACE, PROGRAMS)
    return time.process_time() - start


def _slowness():
    start = time.process_time()
    for _ in range(100):
        sum(range(1000))
    return max(1.0, (time.process_time() - start) / 100 / PLAIN_LOOP)


def _too_slow(text):
    return all(_seconds(text) > MOST * _slowness() for _ in range(4))


@pytest.mark.parametrize("start", STARTS)
def test_no_repeated_piece_takes_long(start):
    texts = [(start + piece * MAX_LENGTH)[:MAX_LENGTH] for piece in REPEATED]
    assert [text[:40] for text in texts if _too_slow(text)] == []


@pytest.mark.parametrize("text", SINGLE.values(), ids=SINGLE)
def test_nor_does_a_nested_one(text):
    assert not _too_slow(text[:MAX_LENGTH])


@pytest.mark.parametrize(
    "text",
    ["; ".join(["grep -n foo bar"] * 120), "cat a" + " | sort" * 99, "\n".join(f"cat file{at}" for at in range(150))],
    ids=["list", "pipeline", "lines"],
)
def test_a_hundred_parts_are_no_trouble(text):
    assert analyse(text, WORKSPACE, PROGRAMS).read_only


@pytest.mark.parametrize("opened", ["'E'", "E"])
def test_what_a_here_document_holds_is_no_trouble(opened):
    """The text of a program as data: many brackets, conditions and lines."""
    body = "def f(a):\n    if [[ $1 == x ]]; then\n        return [ a, b ]\n" * 60
    body = body if opened == "'E'" else body.replace("$1", "1")
    effects = analyse(f"cat > a.py <<{opened}\n{body}E\n", WORKSPACE, PROGRAMS)
    assert effects.doubt is None
    assert [touch.spelled for touch in effects.touches] == ["a.py"]


@pytest.mark.parametrize(
    "end", ["a|" * 2_000, "rm -rf x; " * 500, "[[ 1 " * 900], ids=["pipes", "commands", "conditions"]
)
def test_what_is_too_much_leaves_the_text_to_rules(end):
    effects = analyse("rm -rf / ; " + end, WORKSPACE, PROGRAMS)
    assert effects.doubt is Doubt.TOO_MANY_PARTS
    assert effects.raw is not None
    assert effects.raw.startswith("rm -rf /")
    assert not effects.read_only
