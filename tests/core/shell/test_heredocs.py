"""Here-documents: data where they are quoted, judged by what they contain where they aren't."""

from __future__ import annotations

import pytest

from lineclear.core.effects import Doubt

PROVEN = {
    "quoted": "cat <<'E'\n$(touch p) `x` ${y@P}\nE",
    "quoted by a backslash": "cat <<\\E\n$(touch p)\nE",
    "nothing in it": "cat <<E\nplain words, 'quotes' and \"more\"\nE",
    "escaped": "cat <<E\na \\$x \\`x\\`\nE",
    "reader in it": "cat <<E\n$(date +%F)\nE",
    "variables that the grammar overlooks": "cat <<E\n$a b\n $c $d\n  $e\nE",
    "tabs taken off": "cat <<-E\n\ta\n\tE\nls",
    "behind a dash": "cat - <<'E'\nrm -rf a - <<x\nE",
    "behind a dash that touches it": "cat -<<'E'\n- <<\nE",
    "a text behind a dash": "cat - <<< a",
    "in a substitution": "echo \"$(cat <<'E'\nit's $(x)\nE\n)\"",
}


@pytest.mark.parametrize("text", PROVEN.values(), ids=PROVEN)
def test_proven(analysed, text):
    assert analysed(text).read_only


REFUSED = {
    "a command in it": "cat <<E\n$(touch p)\nE",
    "an operator in it": "cat <<E\n${x@P}\nE",
    "a secret in it": "cat <<E\n$API_TOKEN\nE",
    "a secret that the grammar overlooks": "cat <<E\n$a b\n $API_TOKEN\nE",
    "a command that the grammar overlooks": "cat <<E\n$a b\n $(touch p)\nE",
    "an operator that the grammar overlooks": "cat <<E\n$a b\n ${x@P}\nE",
    "backticks, which the grammar doesn't see": "cat <<E\n`touch p`\nE",
    "a line that only begins like the end": "cat <<'E'\nEE\ntouch p\nE\n",
    "a writer behind a dash": "tee b - <<'E'\na\nE",
    "an option that touches it": "find . -delete<<E\nE",
    "an option with a value that touches it": "sort a -ob<<-'E'\n\tE",
    "an option that touches it in a list": "ls; sed -n p a -i<<E && ls\nE",
    "fed to a shell behind a dash": "sh - <<'E'\ntouch p\nE",
    "fed to a shell": "sh <<'E'\ntouch p\nE",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_refused(analysed, text):
    assert not analysed(text).read_only


def test_a_dash_before_it_is_a_word(words):
    assert words("cat - <<'E'\na\nE\nls -a") == [["cat", "-"], ["ls", "-a"]]
    assert words("cat a -<<E\n- <<\nE") == [["cat", "a", "-"]]
    assert words("cat a- <<E\nb\nE") == [["cat", "a-"]]
    assert words("cat -n -u<<E\nb\nE") == [["cat", "-n", "-u"]]
    assert words("-x<<E\nb\nE") == [["-x"]]


def test_what_a_shell_is_fed_is_found(words):
    assert ["rm", "-rf", "build"] in words("bash <<'E'\nrm -rf build\nE")
    assert ["rm", "-rf", "build"] in words("bash <<< 'rm -rf build'")


def test_nothing_hides_behind_an_end_that_is_none(words, analysed):
    text = "cat <<'E'\na\n E\nrm x\nE\nls"
    assert analysed(text).doubt is Doubt.CONSTRUCT
    text = "cat <<'E' |\na\nE\nrm x"
    assert analysed(text).doubt is Doubt.CONSTRUCT or ["rm", "x"] in words(text)
