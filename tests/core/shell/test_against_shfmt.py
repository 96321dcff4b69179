"""A third reading: where shfmt sees other words in a proven command than the analysis, one of them is wrong."""

from __future__ import annotations

import json

import pytest
from benchmarks.truth.shfmt import MISSING, PROGRAM, differences, report

from support.given import corpora

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

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


def test_a_difference_is_told_with_the_command(analysed):
    """What the truth run prints where the words of one command are taken for those of another."""
    lines = list(report({"cat a": analysed("cat a"), "cat b": analysed("cat a"), "cat 'a": analysed("cat a")}))
    assert lines[0] == "third reading: 2 proven commands compared with shfmt, 1 read otherwise"
    assert lines[-1].strip() == "cat b"
