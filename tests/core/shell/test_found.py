"""Names that one command finds and hands to another: known only where nothing else can be handed on."""

from __future__ import annotations

import pytest

from lineclear.core.shell.examples import WORKSPACE

PROVEN = {
    "words torn at blanks, to a program with no harmful option": [
        *("find . -type f | xargs wc -l", "find src -name '*.py' | xargs grep -l foo", "find . | xargs -n1 grep foo"),
        *("git ls-files | xargs wc -l", "grep -rl foo . | xargs wc -l", "ls -t | head -1 | xargs cat"),
        *("cat $(find . -name '*.py')", "head -10 `find . -name '*.py'`", "cat $(ls)", "find . | xargs -I{} cat {}"),
    ],
    "names of files that hold or changed something": [
        *(
            "rg -l foo src | xargs wc -l",
            "rg --files | xargs head -1",
            "git grep -l foo | xargs grep -n bar",
            "ls src/*.py | xargs wc -l",
        ),
        *(
            "git diff --name-only HEAD~1 | xargs wc -l",
            "ls -t src | head -1 | xargs cat",
            "wc -l $(git diff --cached --name-only)",
        ),
    ],
    "words that are whole": [
        *("find . -print0 | xargs -0 file", "find . -print0 | sort -z | xargs -0 file", "file $(which ls)"),
        *("find . src -print0 | xargs -0 file", 'sort "$(find . -name x)"', "find . -print0 | xargs -0 -I{} file {}"),
    ],
    "through what passes lines on": [
        *("find . | sort -r | head -5 | xargs ls -l", "find . 2>/dev/null | grep -v x | xargs cat 2>/dev/null | wc -l"),
        *(
            "find . | xargs cat > /dev/null 2>&1",
            "find . | xargs timeout 5 cat",
            "( find . -print0 | xargs -0 cat ) | wc -l",
        ),
    ],
}


@pytest.mark.parametrize("command", [c for group in PROVEN.values() for c in group])
def test_proven(analysed, command):
    effects = analysed(command)
    assert effects.read_only, [c.why for c in effects.commands] or effects.doubt


REFUSED = {
    "a name may be an option that writes or runs": [
        *("find . | xargs file", "find . -print0 | xargs file", "find . | xargs -0 file", "find . | xargs sort"),
        *("find . -print0 | sort | xargs -0 file", "file $(find .)", "sort $(find .)", "find . | xargs find"),
        *(
            "find . | xargs -I{} file {}",
            "rg -l x . | xargs sort",
            "git diff --name-only | xargs file",
            "ls x | xargs file",
            "rg -l0 x | xargs -0 sort",
            "git ls-files | xargs file",
            "find $(find .)",
        ),
    ],
    "a name alone may begin with a dash": [
        *("git ls-files -z | xargs -0 file", "grep -rlZ foo | xargs -0 sort", 'sort "$(ls)"', 'file "$(git ls-files)"'),
        *("readlink -z a | xargs -0 sort", "find -print0 | xargs -0 file", 'sort "$0"'),
    ],
    "a name is taken apart after all": [
        "find . -print0 | xargs -0 -d ' ' file",
        "find . -print0 | xargs -d x --null file",
    ],
    "a condition evaluates what a name holds": [
        *(
            "[ -f $(find . -name x) ]",
            "test -f `find .`",
            "[ -f $(which ls) ]",
            "find . | xargs test -f",
        ),
    ],
    "the second name is written": [
        *("find . -print0 | xargs -0 uniq", "find . | xargs uniq", "uniq $(find .)", "find . -print0 | xargs -0 xxd"),
    ],
    "a name is a script, a program, or an option's value": [
        *("find . | xargs sed -n", "find . | xargs awk", "find . | xargs -I{} sh -c 'cat {}'", "$(find .) x"),
        *(
            "find . | xargs grep -f",
            "find . | xargs env",
            "find . | xargs nice",
            "find . | xargs",
        ),
        *("find . | xargs sh -c", "find . -print0 | xargs -0 sh", "$(which ls) -la", "find . | xargs -I{} {} x"),
    ],
    "something else is printed, by git": [
        *(
            "git show --name-only | xargs cat",
            "git log --name-only | xargs cat",
            "git diff | xargs cat",
            "git diff --name-status | xargs cat",
        ),
        *(
            "rg foo | xargs cat",
            "rg -l foo --color always | xargs cat",
            "rg -l foo -r x | xargs cat",
            "git grep foo | xargs cat",
        ),
    ],
    "something else is printed": [
        *(
            "find . -printf '/etc/x%p' | xargs cat",
            "find . -exec echo /etc/x \\; | xargs cat",
            "find . -ls | xargs cat",
        ),
        *("grep -r foo . | xargs cat", "ls -l --time-style=+/etc/x | xargs cat"),
        *("find . | sed 's/x/y/' | xargs cat", "find . | sort list | xargs cat", "find . | sort list - | xargs cat"),
        *("echo /etc/x | xargs cat", "cat list | xargs cat", "sort | xargs cat", "cat $(echo /etc/x)"),
        *("cat $(find . && echo /etc/x)", "cat $(find . || echo /etc/x)", "{ find . ; echo /etc/x; } | xargs cat"),
        *(
            "if find .; then echo /etc/x; fi | xargs cat",
            "(find . && echo /etc/x) | xargs cat",
            "! find . | xargs cat <a",
        ),
        *("cat $(find . ; echo /etc/x)", "find . 2>&1 | xargs cat", "find . |& xargs cat"),
        *(
            "find . | sort -k /etc/x 2>&1 | xargs cat",
            "find . | { echo /etc/x; } | xargs cat",
            "find . | xargs echo | xargs cat",
        ),
    ],
    "something else is read": [
        *(
            "find . | xargs cat < list",
            "find . | xargs cat 0<list",
            "find . | xargs cat <&3",
            "find . | xargs cat <<< list",
        ),
        *("find . | xargs -a list cat", "find . | xargs --arg-file=list cat", "{ find . | xargs cat <&3; } 3< list"),
        *(
            "echo x && find . | xargs cat < list",
            "if true; then find . | xargs cat; fi < list",
            "find . | sort < list | xargs cat",
        ),
        *("find . | xargs cat <<E\n/etc/x\nE", "find . && xargs cat", "find . ; xargs cat", "xargs cat | find ."),
    ],
    "where they lie isn't known": [
        *(
            'find "$d" | xargs cat',
            'cd "$x" && find . | xargs cat',
            "find /proc | xargs cat",
            "find /proc -exec cat {} +",
        ),
    ],
}


@pytest.mark.parametrize("command", [c for group in REFUSED.values() for c in group])
def test_refused(analysed, command):
    assert not analysed(command).read_only


KEPT = [
    *("find . -name '*.py' | while read -r f; do wc -l \"$f\"; done", "for f in $(git ls-files); do wc -l $f; done"),
    *("find . | while IFS= read -r f; do ls -l ${f}; done 2>/dev/null", 'for f in `ls`; do timeout 5 cat "$f"; done'),
    *('for f in $(find src); do [ -f "$f" ] && cat $f; done', "for f in $(which ls cat); do sort $f; done"),
    *('for f in $(find src); do [[ -f $f ]] && head "${f}"; done', 'find . | while read f; do f=a; cat "$f"; done'),
    *('for f in *.txt; do wc -l < "$f"; done', 'for f in src/*; do echo "$f: $(wc -l < "$f") $x"; done'),
    *('for f in $(git ls-files); do n=$(wc -l < "$f"); echo "$n $f"; done', "for f in *.txt; do wc -l < $f; done"),
    *('find . | while read -r f; do tr a b < "$f"; done', 'for f in *; do printf \'%s %s\\n\' "$f" "$(date)"; done'),
]


@pytest.mark.parametrize("command", KEPT)
def test_a_variable_holds_a_name(analysed, command):
    effects = analysed(command)
    assert effects.read_only, [c.why for c in effects.commands] or effects.doubt


NOT_KEPT = {
    "an option": ['find . | while read -r f; do sort "$f"; done', "for f in $(find .); do file $f; done"],
    "something else is read": [
        *('find . | while read f; do cat "$f"; done < list', 'find . | while read f < list; do cat "$f"; done'),
        *('find . | while read -u 3 f; do cat "$f"; done', 'cat list | while read f; do cat "$f"; done'),
        *('find . | while read f; do read f < list; cat "$f"; done', "find . | while sort list; do cat $f; done"),
        *('find . |& while read f; do cat "$f"; done', 'for f in $(cat list); do cat "$f"; done'),
    ],
    "something else is put there": [
        *('find . | while read f; do f=$f/../x; cat "$f"; done', 'for f in $(find .) $x; do cat "$f"; done'),
        *('for f in $(find .); do for f in $x; do cat "$f"; done; done', 'for f in "$(find .)"; do cat $f; done'),
        *('for f in $(find .); do read f; cat "$f"; done', 'for f in $(find .); do frob; cat "$f"; done'),
    ],
    "more than the variable": ['for f in $(find .); do cat "$f/x"; done', "for f in $(find .); do cat x$f; done"],
    "behind the loop": ["for f in $(find .); do :; done; cat $f", "find . | while read f; do :; done; cat $f"],
    "another folder": ['for d in $(find . -type d); do cd $d; cat "$d"; done'],
    "a script": ['for f in $(find .); do bash -c "cat $f"; done', "for f in $(find .); do $f; done"],
    "a condition": [
        *("for f in $(find .); do [ -f $f ]; done", 'for f in $(find .); do [ -f "$f" -o x ]; done'),
        *("for f in $(find .); do [[ $f -eq 1 ]]; done", 'for f in $(find .); do test -v "$f"; done'),
    ],
    "removal": ['for f in $(find .); do rm "$f"; done'],
    "opened": [
        *('for f in *.txt; do ls > "$f"; done', "for f in *.txt; do ls >> $f; done", 'for f in *; do ls <> "$f"; done'),
        *("wc -l < *.txt", "wc -l < $f", 'for f in *.sh; do sh < "$f"; done'),
        *('for f in /proc/*/environ; do tr a b < "$f"; done', 'for f in /dev/*; do od < "$f"; done'),
        *('find / -type f | while read f; do wc -l < "$f"; done', 'cat list | while read f; do wc -l < "$f"; done'),
        *('cd /proc/self && ls | while read f; do tr a b < "$f"; done', 'for f in *; do f=$x; wc -l < "$f"; done'),
        *('for f in *.txt; do :; done; wc -l < "$f"', 'for f in *.txt; do wc -l < "$f/x"; done'),
    ],
    "told beside another value": [
        *('for f in *.txt; do cat "$f $x"; done', 'for f in *.txt; do sed "$f$x" a; done'),
        *('for f in *.txt; do echo "$f: $(rm $f)"; done', 'for f in *.txt; do grep "$x$f" a; done'),
    ],
}


@pytest.mark.parametrize("command", [c for group in NOT_KEPT.values() for c in group])
def test_or_nobody_knows_what(analysed, command):
    assert not analysed(command).read_only


ELSEWHERE = {
    "what it is given": "find . -execdir cat {} +",
    "by name": "find src -name '*.py' -execdir wc -l {} \\;",
}


@pytest.mark.parametrize("command", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_command_in_the_folder_of_what_is_found(analysed, command):
    assert analysed(command).read_only


NOT_ELSEWHERE = {
    "a path there": "find . -execdir cat x \\;",
    "what is there": "find . -execdir ls \\;",
    "a repository there": "find . -execdir git status \\;",
    "a name may be an option": "find . -execdir sort {} \\;",
    "removal": "find . -execdir rm {} \\;",
    "the second is written": "find . -execdir uniq {} +",
    "not known": 'find "$d" -execdir cat {} \\;',
    "of processes": "find /proc -execdir cat {} \\;",
}


@pytest.mark.parametrize("command", NOT_ELSEWHERE.values(), ids=NOT_ELSEWHERE)
def test_which_nobody_knows(analysed, command):
    assert not analysed(command).read_only


@pytest.mark.parametrize(
    ("command", "proven"),
    [
        *(("ps -p $$", True), ("[ $? -eq 0 ] && ls", True), ("exit $?", True), ('grep "$$" a', True), ("cat $0", True)),
        *(("sort $0", False), ("cat $1", False), ("cat $?x", False), ("kill $$", False), ("cat $!", False)),
        *(
            ("sh -c 'cat $0' \"$x\"", False),
            ("sh -c 'cat $0' /etc/x", True),
            ("cat $@", False),
            ("find $0 -delete", False),
        ),
    ],
)
def test_words_of_the_shell_itself(analysed, command, proven):
    assert analysed(command).read_only is proven


PROGRAMS = [
    "cat $(which ./x)",
    'cat "$(which .ssh/id_rsa)"',
    'file "$(which -- -m/x)"',
    "file $(type -P ./x)",
    'file $(which "$x")',
    "which -a a/b | xargs file",
]


@pytest.mark.parametrize("command", PROGRAMS)
def test_a_path_is_no_name_of_a_program(analysed, command):
    """It is printed as it is, and is no place where programs lie; it may even begin with a dash."""
    assert not analysed(command).read_only


SCRIPTS = [
    "find s/x/y/ -exec sed {} a ';'",
    "find s/x/y/ -print0 | xargs -0 -I{} sed {} a",
    "find s/x/y/ -print0 | xargs -0 sed",
    "find /tmp/ -exec awk {} a ';'",
    "find /tmp/ -print0 | xargs -0 -I{} awk {} a",
    "find . -exec jq {} a ';'",
    "find . -exec printf {} ';'",
    'find s/x/y/ | while read -r f; do sed "$f" a; done',
    'for f in $(find s/x/y/); do sed "$f" a; done',
    'sed "$(find s/x/y/)" a',
    'awk "$(readlink -f /tmp/)" a',
]


@pytest.mark.parametrize("command", SCRIPTS)
def test_a_found_name_is_no_script_though_its_folder_may_be_one(analysed, command):
    """``s/x/y/`` only prints, and a file ``e`` in it makes a script of both that runs ``y``."""
    assert not analysed(command).read_only


NAMED = {
    "find . -name a -o -name .env -exec cat {} \\;": "./.env",
    "find . -regex '.*\\.env' -exec cat {} \\;": "./.env",
    "find . -name .env -execdir cat {} \\;": ".env",
    "find -name .env | xargs cat": ".env",
    "find . -name x -o -name .env | xargs cat": "./.env",
    "find . | grep '\\.env$' | xargs cat": "./.env",
    "find . | grep -E 'a|id_rsa' | xargs cat": "./id_rsa",
    "cat $(find . -name .env)": "./.env",
    "find keys -type f | xargs cat": "keys",
    "ls keys | xargs cat": "keys",
    "find . -name .env | while read f; do cat $f; done": "./.env",
    'for f in $(find . -name .env); do cat "$f"; done': "./.env",
    'find . -name .env | while read f; do wc -l < "$f"; done': "./.env",
    'for f in .env*; do wc -l < "$f"; done': ".env*",
    "for f in .env*; do wc -l < $f; done": ".env*",
}


@pytest.mark.parametrize(("command", "path"), NAMED.items(), ids=NAMED)
def test_what_the_text_singles_out_is_touched(analysed, command, path):
    """So a protected path that is named isn't read in passing."""
    effects = analysed(command)
    reader = max(touch.by for touch in effects.touches)
    touched = {t.place.lexical for t in effects.touches if t.by == reader and t.place is not None}
    assert f"{WORKSPACE.cwd}/{path.removeprefix('./')}" in touched


@pytest.mark.parametrize("text", ["$f", "$f $x", "$x $f", "key: $f"])
def test_a_folder_that_is_listed_is_touched_whatever_stands_around_its_names(analysed, text):
    touches = analysed(f'for f in .ssh/*; do echo "{text}"; done').touches
    assert any(".ssh/*" in touch.place.lexical for touch in touches if touch.by == 0)


def test_rules_still_see_words_that_can_t_be_known(analysed):
    """A name stands for a word in a proof only: any rule has to think of every value."""
    inner = analysed("find . -type f | xargs cat").commands[-1]
    assert [word.text for word in inner.words] == ["cat", None]
    assert [word.text for word in analysed("cat $(find .)").commands[-1].words] == ["cat", None]
