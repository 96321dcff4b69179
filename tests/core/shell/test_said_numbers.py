"""Numbers and digests that a command prints: known to be no option and no name, though nobody knows which they are."""

from __future__ import annotations

import pytest

PROVEN = [
    *('for n in $(seq 1 3); do printf \'%d %d\\n\' "$n" "$((n*n))"; done', "for n in $(seq 3); do echo $((n+1)); done"),
    *(
        "n=$(grep -c foo a); if [[ $n -gt 0 ]]; then ls; fi",
        "n=$(wc -l < a); [ $n -gt 5 ] && ls",
        'n=$(nproc); [[ "$n" -ge 2 ]]',
    ),
    *("if [ $(wc -l < a) -gt 100 ]; then echo long; fi", "[ $(cat a | wc -l) -eq 3 ]", "[ ! $(nproc) -gt 4 ]"),
    *(
        "start=$(date +%s); ls; end=$(date +%s); echo $((end-start))",
        "n=$(wc -l < a); echo $((n*2))",
        "n=$(id -u); echo $((n))",
    ),
    *('n=$(grep -c foo a); [ "$n" -gt 0 ] && echo $((n+1))', 't=0; for f in *; do n=$(wc -l < "$f"); t=$((t+n)); done'),
    *(
        "git show $(git rev-parse HEAD)",
        "git diff $(git merge-base main HEAD) --stat",
        "git rev-parse HEAD | xargs git show",
    ),
    *('git diff "$(git merge-base main HEAD)" HEAD', 'git log "$(git merge-base main HEAD)..HEAD" --oneline'),
    *('git branch -a --contains "$(git rev-parse HEAD)"', 'git show "$(git rev-parse --short HEAD):src/a.py"'),
]


@pytest.mark.parametrize("command", PROVEN)
def test_proven(analysed, command):
    effects = analysed(command)
    assert effects.read_only, [c.why for c in effects.commands] or effects.doubt


REFUSED = {
    "nothing may be printed, and the next word is the option's value": [
        *("git log --author $(git rev-parse x) -- --output=x", "find . -size $(wc -l < q) -name -delete"),
        *("grep -e $(find . -name q) a", "git branch --contains $(git rev-parse HEAD)", "head -n $(wc -l < a) b"),
        *("xargs $(git rev-parse x) -I rm", "[ $(wc -l < a) -gt 5 -a -f b ]"),
    ],
    "more is printed than that": [
        *(
            "[ $(wc -l a) -gt 5 ]",
            "[ $(wc -l < a b) -gt 5 ]",
            "[ $(grep -c foo a b) -gt 5 ]",
            "[ $(grep -c foo a*) -gt 5 ]",
        ),
        *("[ $(date) -gt 5 ]", "n=$(date); echo $((n))", "n=$(wc -lw < a); echo $((n))", "n=$(id -un); echo $((n))"),
        *("n=$(wc -l < a; echo x); echo $((n))", 'n="$(wc -l < a) x"; echo $((n))', "n=$(wc -l < a 2>&1); echo $((n))"),
        *("n=$(wc -l < a | sed s/x/y/); echo $((n))", "n=$(grep -rc foo a); echo $((n))", "n=$(nproc)x; echo $((n))"),
        *(
            "n=$(wc -l < a >&2; cat b); echo $((n))",
            "n+=$(wc -l < a); echo $((n))",
            "n=$(date +%s -d x +%F); echo $((n))",
        ),
    ],
    "another variable's name begins so": [
        *(
            'for h in $(git rev-parse HEAD); do git log "$hx:y"; done',
            'for h in $(git rev-parse HEAD); do git log "${hx}y"; done',
        ),
        *('n=$(wc -l < a); cat "$nx"', 'n=1; while ls; do n=$((n+1)); cat "${nx}" $ny; done'),
    ],
    "an option may be printed": [
        *(
            "git show $(git rev-parse $x)",
            "git show $(git rev-parse -- --output=x)",
            "git show $(git rev-parse x -- --output=x)",
        ),
        *(
            "git show $(git rev-parse --abbrev-ref HEAD)",
            "git show $(git describe --tags)",
            'git log "$x$(git rev-parse HEAD)"',
        ),
        *(
            "git show $(git log --format=%s)",
            'git log "$(git rev-parse HEAD)$x"',
            'git show "$(git rev-parse -n HEAD)"',
        ),
    ],
    "the variable may hold nothing": [
        *("n=$(wc -l < q); find . -size $n -name -delete", "n=$(wc -l < q); git log --author $n -- --output=x"),
        *("n=$(wc -l < q); [ $n -gt 5 -a -f b ]", "n=$(wc -l < q); head -n $n a", "n=$(wc -l < q); xargs $n -I rm"),
        *('n=$(wc -l < q); uniq a "$n"', "n=$(wc -l < q); rm $n", "n=$(wc -l < q); [[ $n -gt $x ]]"),
    ],
    "they are other numbers": [
        *("for n in $(seq -s 'a[$(rm x)]' 1 2); do echo $((n)); done", "for n in $(seq $x 3); do echo $((n)); done"),
        *("for n in $(seq -f %ga 3); do echo $((n)); done", "for n in $(factor 3); do echo $((n)); done"),
        *("for n in $(seq 3 | sed s/1/x/); do echo $((n)); done", "for n in $(seq 3) $x; do echo $((n)); done"),
        *("for n in $(seq 3); do uniq a $n; done", "for n in $(seq 3); do rm $n; done"),
    ],
    "it does more than read": [
        *(
            "rm $(nproc)",
            "uniq a $(nproc)",
            'uniq a "$(nproc)"',
            'sh -c "$(git rev-parse HEAD)"',
            "$(git rev-parse HEAD) ls",
        ),
        *(
            "git branch $(git rev-parse HEAD)",
            'git checkout "$(git rev-parse HEAD)"',
            "git reset $(git merge-base a b)",
        ),
    ],
    "the variable may hold something else": [
        *("n=$(wc -l < a); n=$x; echo $((n))", "n=$(wc -l < a); while read n; do echo $((n)); done < b"),
        *(
            "ls && n=$(wc -l < a); echo $((n))",
            "if ls; then n=$(wc -l < a); fi; echo $((n))",
            "n=$(wc -l < a); frob; echo $((n))",
        ),
        *("n=$(wc -l < a); while ls; do echo $((n)); n=$x; done", "(n=$(wc -l < a)); echo $((n))"),
    ],
}


@pytest.mark.parametrize("command", [command for group in REFUSED.values() for command in group])
def test_refused(analysed, command):
    assert not analysed(command).read_only


@pytest.mark.parametrize("command", ['cat "$(git rev-parse HEAD)/.env"', 'git show "$(git rev-parse HEAD):.env"'])
def test_what_stands_behind_a_digest_is_still_touched(analysed, command):
    touches = analysed(command).touches
    assert any(touch.place.lexical.endswith(".env") for touch in touches if touch.place is not None)


def test_rules_see_a_word_that_can_t_be_known(analysed):
    found = analysed("git show $(git rev-parse HEAD)").commands
    assert not next(one for one in found if one.words[1].shape == "show").words[2].literal
