"""What a wrapper runs is a command of its own, to any depth within the limit."""

from __future__ import annotations

import pytest

from lineclear.core.call import Dialect
from lineclear.core.effects import Proof

WRAPPED = {
    *("sudo -u me rm -rf x", "env A=1 rm -rf x", "timeout -k 5 10 rm -rf x", "nice -n 5 rm -rf x", "nohup rm -rf x"),
    *("time rm -rf x", "stdbuf -oL rm -rf x", "xargs -0 rm -rf x", "find . -exec rm -rf x ;", "watch rm -rf x"),
    *("setsid rm -rf x", "flock f rm -rf x", "busybox rm -rf x", "bash -c 'rm -rf x'", "bash -lc 'rm -rf x'"),
    *(
        "sh -ec 'rm -rf x'",
        "zsh -c 'rm -rf x'",
        "bash -c \"sh -c 'rm -rf x'\"",
        "eval 'rm -rf x'",
        "trap 'rm -rf x' EXIT",
    ),
    *("sudo env A=1 timeout 5 rm -rf x", "flock -c 'rm -rf x' f", "exec rm -rf x", "command rm -rf x", "A=1 rm -rf x"),
    *("parallel rm -rf x", "su -c 'rm -rf x'", "$x rm -rf x", "env -S 'rm -rf x'", "if true; then sudo rm -rf x; fi"),
}


@pytest.mark.parametrize("text", sorted(WRAPPED))
def test_seen_through(words, text):
    assert any(found[:3] == ["rm", "-rf", "x"] for found in words(text.replace(" ;", " \\;")))


def test_each_knows_what_runs_it(analysed):
    commands = analysed("sudo timeout 5 sh -c 'ls; pwd'").commands
    assert [(command.words[0].shape, command.wrapper) for command in commands] == [
        ("sudo", None),
        ("timeout", 0),
        ("sh", 1),
        ("ls", 2),
        ("pwd", 2),
    ]


TRANSPARENT = [
    "timeout 60 frob",
    "nice frob",
    "time frob",
    "stdbuf -oL frob",
    "command frob",
    "env CI=1 frob",
    "nohup frob",
]
OPAQUE = [
    "sudo frob",
    "env A=1 frob",
    "env -i frob",
    "timeout $x frob",
    "sh -c 'frob' a",
    'sh -c "$x"',
    "watch frob",
]


@pytest.mark.parametrize("text", [*TRANSPARENT, "sh -c 'frob x'", "bash -c 'frob x'"])
def test_looked_past(analysed, text):
    assert analysed(text).commands[0].transparent


@pytest.mark.parametrize("text", OPAQUE)
def test_not_looked_past(analysed, text):
    wrapper = analysed(text).commands[0]
    assert not wrapper.transparent
    assert wrapper.proof is Proof.NONE


def test_what_a_wrapper_sets_is_set_for_what_it_runs(analysed):
    assert analysed("env LD_PRELOAD=x ls").commands[1].assignments == ("LD_PRELOAD",)
    assert analysed("LD_PRELOAD=x bash -c ls").commands[1].assignments == ("LD_PRELOAD",)


@pytest.mark.parametrize("text", ["time A=1 rm -rf x", "time A=1 B=2 rm -rf x", "time LC_ALL=C rm -rf x"])
def test_assignments_behind_a_word_of_the_grammar_hide_nothing(analysed, text):
    inner = analysed(text).commands[-1]
    assert [word.shape for word in inner.words] == ["rm", "-rf", "x"]
    assert inner.assignments


@pytest.mark.parametrize("text", ["time (rm -fr x)", "time { rm -fr x; }", "time ! rm -fr x", "time -p (ls; rm -fr x)"])
def test_what_isn_t_understood_is_looked_into_all_the_same(analysed, text):
    effects = analysed(text)
    assert effects.doubt is not None
    assert any([word.shape for word in command.words] == ["rm", "-fr", "x"] for command in effects.commands)


@pytest.mark.parametrize("text", ["time LC_ALL=C ls", "timeout 5 LC_ALL=./x ls", "time PATH=. ls"])
def test_nor_is_anything_proven_behind_them(analysed, text):
    assert not analysed(text).read_only


def test_what_the_shell_sets_is_set_for_what_follows(analysed):
    assert analysed("PAGER=1; frob").commands[0].assignments == ("PAGER",)
    assert analysed("A=1 frob").commands[0].assignments == ("A",)
    assert analysed("export A=1 && frob").commands[1].assignments == ("A",)
    assert analysed("n=1; frob").commands[0].assignments == ()
    assert analysed("CI=1 frob").commands[0].assignments == ()


SEVERAL = [
    "find . -exec uniq {} +",
    "find . -name '*.txt' -exec uniq {} +",
    "find . -exec xxd {} +",
    "find src tests -exec xxd {} +",
]


@pytest.mark.parametrize("text", SEVERAL)
def test_what_is_found_at_once_is_more_than_one_operand(analysed, text):
    """The second word is a file that is written."""
    assert not analysed(text).read_only
    assert analysed("find . -type f -exec grep -l foo {} +").read_only
    assert analysed("find . -type f -exec uniq {} \\;").read_only


@pytest.mark.parametrize("text", ["find . -exec sort + -o x \\;", "find . -exec sort {} a + -o x \\;"])
def test_a_plus_elsewhere_is_a_word_of_the_command(analysed, text):
    assert not analysed(text).read_only


OTHER_SHELL = {
    "a condition writes": "sh -c '[[ a > b ]]'",
    "a condition writes, twice wrapped": "bash -c \"sh -c '[[ a > b ]]'\"",
    "a condition writes, run for each": "find . -exec dash -c '[[ a > b ]]' \\;",
    "arithmetic writes": "sh -c '((a > b))'",
    "an ampersand runs and writes": "sh -c 'ls &> b'",
}


@pytest.mark.parametrize("text", OTHER_SHELL.values(), ids=OTHER_SHELL)
def test_a_script_is_read_as_its_own_shell_reads_it(analysed, text):
    assert not analysed(text).read_only


@pytest.mark.parametrize("text", ["bash -c '[[ a > b ]]'", "sh -c \"bash -c '[[ a > b ]]'\"", "dash -c 'ls | wc -l'"])
def test_so_is_one_that_only_reads(analysed, text):
    assert analysed(text).read_only
    assert analysed(text, dialect=Dialect.UNKNOWN).read_only


FILLED_IN = [
    *(
        "find . -exec bash -c 'wc -l \"$0\"' {} \\;",
        "find . -exec sh -c 'echo \"cp $0 ${0}\"' {} \\;",
        "bash -c 'cat $0 $1' a b",
    ),
    *(
        "find . -type f -exec sh -c 'echo \"$1\"' _ {} \\;",
        "find . -name '*.py' -exec sh -c 'sed -n 1p \"$1\"' _ {} \\;",
    ),
    *(
        'find src -exec bash -c \'wc -l < "$1"; head -1 "${1}"\' _ {} \\;',
        "bash -c 'cat \"$1\" $2' _ a b",
        "sh -c ls _ a",
    ),
    *('for f in *.py; do sh -c \'cat "$1"\' _ "$f"; done',),
    *(
        'find . -exec sh -c \'for f in "$@"; do echo "$f"; done\' _ {} +',
        "bash -n x.sh",
        "find . -name '*.sh' -exec sh -n {} \\;",
    ),
]


@pytest.mark.parametrize("text", FILLED_IN)
def test_a_script_knows_what_it_is_given(analysed, text):
    effects = analysed(text)
    assert effects.read_only, [c.why for c in effects.commands] or effects.doubt


NOT_FILLED_IN = {
    "it does more": [
        "find . -exec sh -c 'rm \"$1\"' _ {} \\;",
        "find . -exec sh -c 'sh \"$1\"' _ {} \\;",
        "bash -c '$1 x' _ rm",
    ],
    "it may be any text": [
        *(
            "find . -exec sh -c 'sed -n 1p $1' _ {} \\;",
            "find . -exec sh -c 'cat \"$1\"' _ {} +",
            'bash -c \'cat "$1"\' _ "$x"',
        ),
        *(
            "bash -c 'cat \"$1\"' _ $x a",
            "ls | xargs -I{} sh -c 'sed p \"$1\"' _ {}",
            "ls | xargs sh -c 'cat \"$1\"' _",
        ),
        *("bash -c 'cat \"$1\"' _ *.py", "find . -execdir sh -c 'cat \"$1\"' _ {} \\;", "sh -c 'cat \"$1\"'"),
    ],
    "the first one is something else": [
        *(
            "find . -exec sh -c 'rm \"$0\"' {} \\;",
            "find . -exec sh -c 'sed p $0' {} \\;",
            "bash -c '$0 x' rm",
            "bash -c 'cat ${0%x}' a",
        ),
        *(
            "bash -c '_0=$x; cat $0' a",
            "bash -c 'for _0 in $x; do cat $0; done' a",
            "bash -c 'cat $00' a",
            "bash -c 'cat $(echo $0)' a",
        ),
        *("bash -c 'for i in 1 2; do cat $0; done' a", "bash -c 'cat <<< $0' a", "bash -c \"eval '$0'\" a"),
    ],
    "it is another one": [
        *("bash -c 'cat $0' \"$x\"", "bash -c 'for i in 1 2; do cat $0; done' \"$x\"", 'bash -c \'cat "${0}"\' "$x"'),
        *(
            "sh -c 'shift; cat $1' _ a \"$x\"",
            "bash -c 'set -- $(cat x); cat $1' _ a",
            "bash -c 'f() { cat $1; }; f x' _ a",
        ),
        *("find a b -exec sh -c 'cat \"$2\"' _ {} \\;", "find . -name '*.py' -exec sh -c 'cat \"$2\"' _ {} {} \\;"),
        *(
            "find . -name '*.py' -exec sh -c 'cat \"$2\"' _ {} a \\;",
            "bash -c 'eval \"cat $1\"' _ a",
            "bash -c '. ./x; cat $1' _ a",
        ),
    ],
    "what is there is run all the same": [
        "bash -n +n x.sh",
        "bash +n -n x.sh",
        "bash -n +o noexec x.sh",
        "bash -n",
        "bash -n -c 'rm x'",
    ],
}


@pytest.mark.parametrize("text", [text for group in NOT_FILLED_IN.values() for text in group])
def test_or_nobody_knows_what_it_is_given(analysed, text):
    assert not analysed(text).read_only


def test_a_rule_sees_what_a_script_is_given_and_an_allow_rule_looks_past_no_such_script(analysed):
    effects = analysed("bash -c 'cat \"$1\"' _ .env")
    assert any(touch.place.lexical.endswith("/.env") for touch in effects.touches if touch.place)
    assert effects.commands[0].proof is Proof.WRAPPER
    assert not effects.commands[0].transparent
    assert analysed("bash -c 'cat .env'").commands[0].transparent


@pytest.mark.parametrize(
    "text",
    ["env a-b=c rm x", "env -S 'a-b=c rm x'", "env 1=2 rm x", "env =a rm x", "env é=1 A=2 rm x", "env $y=1 rm x"],
)
def test_whatever_is_set_before_a_command_is_none_of_its_words(words, text):
    assert ["rm", "x"] in words(text)
