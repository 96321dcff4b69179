"""A third reading: where shfmt sees other words in a proven command than the analysis, one of them is wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.given import corpora

SHFMT = shutil.which("shfmt", path=str(Path(sys.executable).parent)) or shutil.which("shfmt")
pytestmark = pytest.mark.skipif(SHFMT is None, reason="shfmt isn't installed (the package shfmt-py brings it)")

WRITTEN = [
    "cat 'a b' \"c\"d e\\ f g'h'\"i\"",
    'grep -n "a\\"b\\$c" x\\\ny | head -5; echo done',
    "cd src && ls -la || (pwd; ls) &",
    'if [ -f a ]; then cat a; elif true; then echo "$x" ${y:-z}; else pwd; fi',
    'for f in a b; do wc -l $f; done; while read -r l; do echo "$l"; done < a',
    "case a in a|b) ls;; *) pwd;; esac",
    'echo "$(date +%F)" `pwd` $(echo "$(ls "a b")")',
    "cat <<'E' | wc -l\n$(rm x) `b`\nE\nls",
    "cat <<E\na $x\nE",
    "diff <(sort a) <(sort b) 2>/dev/null",
    "TZ=UTC date; time ls; ! ls; { ls; pwd; }; n=1; head -$n a",
    "ls # rm x\npwd; echo a#b '#' \\#",
    "echo é ü | cat -n; echo {a,b}c *.py ~/x",
    "export LC_ALL=C; [[ -n $x && a = b ]] && ls",
    "find . \\( -name '*.py' -o -name \"*.c\" \\) -exec grep -l x {} +",
    "awk '{ print $1 }' a | sed -n '1,3p;$p' >&2",
]


def proven_of_the_corpora():
    """Each tenth command of the corpora."""
    for name in ("shell_real.jsonl", "shell_verdicts.jsonl"):
        lines = (corpora() / name).read_text(encoding="utf-8").splitlines()
        yield from (json.loads(line)["command"] for line in lines[::10])


def read(text):
    """The commands as shfmt reads them, each as the texts of its words and their values, None where that is no literal.

    What it calls a declaration is a command here too. None where it doesn't read the text at all, or takes a carriage
    return for a blank, which no shell does. A line that goes on leaves nothing in a word.
    """
    source = text.encode("utf-8", "replace")
    done = subprocess.run([SHFMT, "-ln=bash", "--to-json"], input=source, capture_output=True, check=False)
    if done.returncode or "\r" in text or source.decode() != text:
        return None
    found = []
    stack = [json.loads(done.stdout)]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            stack += node.values()
            if node.get("Type") == "CallExpr" and node.get("Args"):
                found.append([(_span(source, word), _value(word["Parts"])) for word in node["Args"]])
            elif node.get("Type") == "DeclClause":
                names = [(_span(source, word), None) for word in node.get("Args", ())]
                found.append([(node["Variant"]["Value"], node["Variant"]["Value"]), *names])
    return found


def _span(source, node):
    return source[node["Pos"]["Offset"] : node["End"]["Offset"]].decode().replace("\\\n", "")


def _value(parts):
    values = []
    for part in parts:
        if part["Type"] == "Lit":
            if re.search(r"(?<!\\)[*?\[{~]", part["Value"]):
                return None
            values.append(re.sub(r"\\(.)", lambda found: found[1].strip("\n"), part["Value"], flags=re.DOTALL))
        elif part["Type"] == "SglQuoted" and not part.get("Dollar"):
            values.append(part.get("Value", ""))
        elif part["Type"] == "DblQuoted" and not part.get("Dollar"):
            inner = [one.get("Value") if one["Type"] == "Lit" else None for one in part.get("Parts", ())]
            if None in inner:
                return None
            values.append(re.sub(r"\\([$`\"\\\n])", lambda found: found[1].strip("\n"), "".join(inner)))
        else:
            return None
    return "".join(values)


def seen(effects):
    """The commands that stand in the text itself, without conditions, which aren't words to shfmt."""
    timed = {
        command.index for command in effects.commands if command.words[0].raw == "time" and command.wrapper is None
    }
    return [
        command.words
        for command in effects.commands
        if (command.wrapper is None or command.wrapper in timed)
        and command.index not in timed
        and command.words[0].raw != "[["
    ]


def differences(text, effects):
    """Words that only one of the two sees."""
    theirs = read(text)
    if theirs is None:
        return ["it doesn't read it at all"]
    ours = {tuple(dict.fromkeys(word.raw.replace("\\\n", "") for word in words)) for words in seen(effects)}
    wrong = ours ^ {tuple(dict.fromkeys(raw for raw, _ in words)) for words in theirs}
    values = {raw: value for words in theirs for raw, value in words if value is not None}
    wrong |= {
        (word.raw, word.shape, values[word.raw])
        for words in seen(effects)
        for word in words
        if word.raw in values and word.shape != values[word.raw]
    }
    return sorted(wrong)


@pytest.mark.parametrize("text", WRITTEN)
def test_the_same_words_in_what_is_written_for_it(analysed, text):
    effects = analysed(text)
    assert effects.doubt is None
    assert differences(text, effects) == []


def test_the_same_words_in_proven_commands_of_the_corpora(analysed):
    compared = 0
    wrong = {}
    for text in proven_of_the_corpora():
        effects = analysed(text)
        if not effects.read_only:
            continue
        compared += 1
        if found := differences(text, effects):
            wrong[text] = found
    assert wrong == {}
    assert compared > 100
