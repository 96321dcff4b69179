"""Sums: computed where all in them are numbers, and no proof where a name may hold what the shell would evaluate."""

from __future__ import annotations

import pytest

from lineclear.core.call import Dialect
from lineclear.core.shell.sums import Assigned, change_of, sum_of

VALUES = {"n": "3", "m": "-4", "octal": "010", "text": "a", "sub": "a[$(touch p)]", "empty": ""}

COMPUTED = {
    "1+2*3": "7",
    "(1+2)*3": "9",
    "7/2": "3",
    "-7/2": "-3",
    "-7%3": "-1",
    "7 - -2": "9",
    "n*n": "9",
    "$n + ${n}": "6",
    "m-1": "-5",
    "+n": "3",
    "10 - 2 - 3": "5",
}


@pytest.mark.parametrize(("body", "result"), COMPUTED.items(), ids=COMPUTED)
def test_computed(body, result):
    assert sum_of(body, VALUES.get, ()) == result


NUMBERS = [
    *("k+1", "${k}*2", "n<k", "n==3 && k>1", "n ? 1 : 2", "2**10", "0x1f", "010", "1/0", "n << 2", "$? + 1", "$#"),
    *("RANDOM % 10", "(k)", "~k", "!k", "99999999999", "1,2", "n != k"),
]


@pytest.mark.parametrize("body", NUMBERS)
def test_some_number(body):
    assert sum_of(body, VALUES.get, {"k"}) == ""


EVALUATED = [
    *("x", "x+1", "text", "sub", "octal", "empty", "$x", "${x}", "n[0]", "$n[0]", "n=5", "n+=1", "n<<=1", "n++", "--n"),
    *(
        "k=5",
        "k++",
        "16#ff",
        "$(touch p)",
        "`touch p`",
        '"n"',
        "'n'",
        "${n:-x}",
        "${n@P}",
        "${!n}",
        "n.m",
        "1.5",
        "n==x",
    ),
    *("08x", "$1", "n;x", "n\\", "{n}", "@"),
]


@pytest.mark.parametrize("body", EVALUATED)
def test_what_may_be_evaluated(body):
    assert sum_of(body, VALUES.get, {"k"}) is None


KEPT = [
    *(
        "n=0; while ls; do n=$((n+1)); done",
        "n=-3; for f in a; do echo n $n ${n} ${#n}; done",
        "n=0;ls",
        "n=$(((n+1)*2)) ls",
    ),
    *('n=1; for i in 1; do echo "n is $n"; done', "n=0; git rev-list --count n", "n=1; mine=$x; ls"),
]
CHANGED = [
    *(
        "n=0; for" + " " * 40 + "n in a; do ls; done",
        "n=0; for\t n in a; do ls; done",
        "n=0; for \\\n n in a; do ls; done",
    ),
    *(
        "n=0; n=$x",
        "n=0; n=a",
        "n=0; n+=1",
        "n=0; n=1a",
        "n=0; n=$(ls)",
        "n=0; n=",
        "n=0; n[0]=1",
        "n=0; for n in a b; do ls; done",
    ),
    *(
        "n=0; read n",
        "n=0; read -r a n",
        "n=0; printf -v n x",
        "n=0; mapfile n",
        "n=0; export n",
        "n=0; eval 'n'",
        "n=0; ((n=x)); n=y",
    ),
    *("n=0; . ./n", "n=0; source n", "n=0; unset n", "n=0; declare n", "n=0; getopts a n", "n=0; n='1'", 'n=0; "n=1x"'),
]


@pytest.mark.parametrize("text", KEPT)
def test_a_name_that_only_ever_holds_numbers(text):
    assert Assigned(text).holds_numbers("n")


@pytest.mark.parametrize("text", CHANGED)
def test_or_may_hold_more(text):
    assert not Assigned(text).holds_numbers("n")


CHANGES = {
    "n++": "n",
    "--n": "n",
    "n = k+1": "n",
    "x=5": "x",
    "n += 2": "n",
    "k*=n": "k",
    "n > 2": "",
    "k": "",
    "n == 3": "",
}


@pytest.mark.parametrize(("body", "name"), CHANGES.items(), ids=CHANGES)
def test_a_change_of_a_number(body, name):
    assert change_of(body, VALUES.get, {"k"}) == name


@pytest.mark.parametrize(
    "body",
    [
        "x++",
        "x+=1",
        "n=x",
        "n+=x",
        "x",
        "n++ + 1",
        "++n++",
        "n=",
        "n[0]=1",
        "n=$(touch p)",
        "n=1,x=2",
        "n<<=1",
        "text++",
    ],
)
def test_a_change_that_may_be_more(body):
    assert change_of(body, VALUES.get, {"k"}) is None


PROVEN = [
    *(
        "for ((i=0; i<5; i++)); do echo $i; done",
        "for (( i = 1; i <= 9; i += 2 ))\ndo\necho $i\ndone",
        "n=0; ((n++)); echo $n",
    ),
    *(
        "s=0; for i in 1 2; do ((s+=i)); done; echo $s",
        "i=0; while ((i<3)); do echo $((i*2)); ((i++)); done",
        "(( 5 > 3 )) && ls",
    ),
    *(
        "n=$(wc -l < a); if ((n > 5)); then ls; fi",
        "n=9; for ((i=n; i>0; i--)); do echo $i; done",
        "((x=5)); echo $((x))",
    ),
    *(
        "x=5; echo $((x+1))",
        'L=10; sed -n "$((L-5)),$((L+5))p" a',
        "head -n $((5*3)) a",
        "a=$((3)); b=$((a*2)); head -n $b x",
    ),
    *('i=0; while [ "$i" -lt 5 ]; do echo $i; i=$((i+1)); done', "t=0; for f in *; do t=$((t+1)); done; echo $t"),
    *(
        "for n in 1 2 3; do echo $((n*n)); done",
        "for i in 1 2; do j=$((i+1)); echo $j $((j*2)); done",
        "x=1; (x=$y); echo $((x))",
    ),
    *(
        "i=0; while [ $i -lt 5 ]; do i=$((i+1)); done",
        "i=0; until test $i -ge 3; do i=$((i+1)); printf '%d\\n' $i; done",
    ),
]


@pytest.mark.parametrize("command", PROVEN)
def test_proven(analysed, command):
    effects = analysed(command)
    assert effects.read_only, [c.why for c in effects.commands] or effects.doubt


@pytest.mark.parametrize("command", [command for command in PROVEN if '[ "$i"' not in command])
def test_proven_where_the_shell_is_not_known(analysed, command):
    assert analysed(command, dialect=Dialect.UNKNOWN).read_only


REFUSED = [
    *(
        "((x++))",
        "((n=x))",
        "((x)) && ls",
        "n=1; ((n=n+y))",
        "((x=5)); x=$y; echo $((x))",
        "(( $(touch p) ))",
        "((a[0]=1))",
    ),
    *(
        "for ((i=0; i<x; i++)); do ls; done",
        "for ((i=x; i<5; i++)); do ls; done",
        "for ((i=0; i<5; i+=x)); do ls; done",
    ),
    *(
        "for ((i=0; i<5; i++)); do i=$x; done",
        "for ((i=0; i<5; i++)); do read i; done",
        "for ((i=0; i<5; i++)); do rm $i; done",
    ),
    *(
        "for ((;;)); do rm x; done",
        "for ((i=0; i<5; i++)); do echo $((x)); done",
        "((PATH=5)); ls",
        "for ((IFS=1; IFS<2; IFS++)); do ls; done",
    ),
    *(
        "i=0; while ((i<3)); do i=$x; done",
        "for ((i=0; i<5; i++)); do cd x; done; git status",
        "((ls)); (pwd)",
        "((n=1)) > a",
    ),
    *(
        "echo $((x+1))",
        "x=a; echo $((x+1))",
        "x='a[$(touch p)]'; echo $((x+1))",
        "x=1; read x; echo $((x+1))",
        "x=1; echo $((x=5))",
    ),
    *(
        "x=1; while read -r x; do echo $((x+1)); done < a",
        "x=1; for x in $y; do echo $((x)); done",
        "x=1; echo $((x++))",
    ),
    *("x=1; while ls; do echo $((x+1)); x=$y; done", "x=1; for i in 1 2; do echo $((x)); x='a[$(touch p)]'; done"),
    *("x=1; while ls; do echo $((x)); printf -v x %s $y; done", "x=08; echo $((x+1))", "x=1; export x=$y; echo $((x))"),
    *(
        "if ls; then x=1; else x=$y; fi; echo $((x))",
        "[ -f a ] && x=1; echo $((x))",
        "x=$((y)); echo $x",
        "x=1; x+=a; echo $((x))",
    ),
    *(
        'n=9; sed -n "$((n))w x" a',
        "i=0; while [ $i -lt 5 ]; do i=$x; done",
        "i=$((1)); uniq a $i",
        "i=0; while ls; do cat $i$x; done",
    ),
]


@pytest.mark.parametrize("command", REFUSED)
@pytest.mark.parametrize("dialect", [Dialect.BASH, Dialect.UNKNOWN], ids=str)
def test_refused(analysed, command, dialect):
    assert not analysed(command, dialect=dialect).read_only
