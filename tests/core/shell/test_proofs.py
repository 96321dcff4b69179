"""What is proven to only read, and what isn't: by the four causes for which matchers have been bypassed."""

from __future__ import annotations

import pytest

from lineclear.core.call import Dialect
from lineclear.core.effects import Proof

PROVEN = {
    "everyday": ["ls -la src", "cat a | head -5 | wc -l", "grep -rn foo src 2>/dev/null", "git log --oneline -5"],
    "system path": ["/bin/ls", "/usr/bin/grep x a"],
    "moved inside": ["cd src && ls", "cd src\ngrep -n x y", "(cd src && ls) && git status"],
    "harmless names": ["TZ=UTC date", "LC_ALL=C sort a", "env NO_COLOR=1 ls"],
    "no pager": ["PAGER=cat git log", "GIT_PAGER= git diff", "env GIT_PAGER=cat git log", "export PAGER=cat; git log"],
    "wrappers": ["timeout 10 grep -rn foo src", "time ls", "nice -n 5 ls", "bash -c 'ls | wc -l'", "command -v git"],
    "values that don't matter": ['echo "$x"', 'echo "done: $?"', "echo $?", 'basename "$x" .py'],
    "several in one text": [
        *('echo "$a $b"', 'echo "${a} ${b}" "$(date) $(pwd)"', 'x="$a $b"; echo "$x"', '[ "$a $b" = "c d" ]'),
        *('case "$a $b" in x) ls;; esac', 'while IFS=, read -r a b; do echo "$a $b"; done < x', 'echo "$a\n$b \\ $c"'),
    ],
    "what takes the place of a part of a value": ["echo \"${x//:/$'\\n'}\"", "echo ${x/a/b}"],
    "lists": [
        *(
            'a=(1 2 3); echo "${a[@]}" ${#a[@]} "${a[0]}"',
            'a=(x y); for x in "${a[@]}"; do echo "$x"; done',
            "a=(*.py); echo ${a[*]}",
        ),
        *(
            'mapfile -t l < a; echo "${l[0]}"',
            "readarray -t f < <(find .); echo ${#f[@]}",
            'IFS=, read -ra f <<< "$x"; echo "${f[1]}"',
        ),
    ],
    "loops": [
        'for f in a b; do cat "$f"; done',
        'for f in src/*.py; do wc -l "$f"; done',
        "while read -r l; do :; done < a",
    ],
    "branches": ["if [ -f a ]; then cat a; else pwd; fi", "[ -d src ] && ls src || true", '[[ -n "$x" ]] && ls'],
    "numbers that nobody evaluates": [
        *(
            "printf '%d\\n' 42",
            "printf '%5.1f%%\\n' 12.3",
            "[ -t 1 ] && echo a",
            "[ 1 -eq 2 ]",
            "bash -c 'printf %d \"$1\"'",
        ),
    ],
    "patterns": ["wc -l *.py", "cat src/*", "grep -l foo -- *"],
    "dry runs": ["git clean -ndX", "tar -tf a.tar"],
    "substitutions": ['echo "$(date +%F)"', "diff <(sort a) <(sort b)"],
    "set where it is used": [
        *("ls && f=a && cat $f", "f=a; ls && cat $f; cat $f", "f=a && cat $f; cat $f", "f=a; ls || f=a; cat $f"),
    ],
    "own variables": [
        *("n=3; head -$n a", "x=$(git rev-parse HEAD)", "FILE=a; cat $FILE", 'OUT=$(date); echo "$OUT"', "A=1; ls"),
        *(
            "while IFS=: read -r user _ uid _; do echo $user; done < a",
            'MERGE_BASE=$(git merge-base a b); echo "$MERGE_BASE"',
        ),
        *("myFile=a; cat $myFile", "for DIR in a b; do ls $DIR; done", "while read -r LINE; do :; done < a"),
    ],
    "texts that may become several": [
        "echo $(date) done",
        "echo $x",
        "dirname $0",
        "expr $x + 1",
        "ls | xargs basename",
    ],
    "where it runs": ["ls $(pwd)", "find `pwd` -name x", "cd src && cat $(pwd)/a", 'cd "$(pwd)" && cat a', "cd $x"],
    "separators of the command's own": ["while IFS= read -r l; do :; done < a", "IFS=: read -r x y"],
    "wrappers that take away": ["env -i ls", "env -u PATH ls", "env -u HOME ls", "env -C src ls", "command"],
    "patterns that can't be options": [
        *(
            "find [abc] -name x",
            "find . -type f -! -name x",
            "find . -name *.py",
            "find *.py -type f",
            "find . -name a*",
        ),
    ],
    "patterns behind an option": [
        "grep -rn foo --include=*.py .",
        "grep -rn foo --exclude=*.min.js src",
        "rg foo -g*.py",
    ],
    "patterns of which there may be several": [
        *("grep -rn foo.* src", "grep -e foo* a", "cut -d * -f1 a", "tr -s [:blank:]", "git log --author foo*"),
    ],
    "one after the other in backquotes": [
        "echo `date +%a` `hostname`",
        'echo "`date` `pwd`" `ls`',
        "echo `date`\t`id`",
    ],
    "of whatever value, but one word": ["while read -rd $'\\0' f; do echo \"$f\"; done < a", "echo $'\\0' a"],
    "in backquotes": ["wc -l `find . \\( -name a -o -name b \\)`", "echo `date +%a`"],
    "streams": ["ls 2>&1", "ls >/dev/null 2>&1", "sort < a"],
}


@pytest.mark.parametrize("command", [c for group in PROVEN.values() for c in group])
def test_proven(analysed, command):
    effects = analysed(command)
    assert effects.read_only, [c.why for c in effects.commands] or effects.doubt


REFUSED = {
    "separators of other commands": ["IFS=x cat a", "IFS=x; read y", "IFS=x; read y; ls", "IFS=x PATH=. read y"],
    "what a wrapper takes away or doesn't run": [
        *(
            "env -i",
            "env -u A",
            "env -i bash -c ls",
            "env -u PATH bash -c ls",
            *("env -i timeout 5 bash -c ls", "env -i sh -c 'bash -c ls'"),
            "env -i A=1 ls",
            "env -i PATH=. ls",
            "env -i rm a",
            "env -C src git status",
        ),
        *("env -C x rm a", "env -S ls", "command -p", "command -p ls"),
    ],
    "patterns that may be options of one word": [
        *("find . -name *stat", "find . -name [!a]x", "find *_x", "find . -name *[.]x", "sort -t * a", "rg *foo. src"),
    ],
    "patterns behind an option that does more": [
        "sort --output=*.x a",
        "sort -o*.x a",
        "git diff --output=*",
        "tail -n* a",
    ],
    "patterns of which the second is something else": [
        *("uniq -f *.x", "uniq a*", "xxd a*", "head -n * a", "sed s/a*/b/ f", "jq .a* f", "diff a* b"),
        *(
            "find . -name a* -delete",
            "git symbolic-ref H*",
            "git remote get-url o*",
            "git log --format=%G?",
            "git log --format=%[G]?",
        ),
    ],
    "patterns that may be options": [
        "find [-a] -name x",
        "find [!a] -name x",
        "find [a-z] -name x",
        "find *",
        "find ?x",
    ],
    "twice in backquotes": ["echo `echo \\$x`", "echo `cat \\`x\\``", 'echo "`echo \\"x\\"`"', "echo `echo \\\\x`"],
    "what changes later words": [
        *("bind -x '\"a\": rm x'", "bind a", "shopt -s extglob", "shopt -s dotglob", "shopt -u expand_aliases"),
    ],
    "other words than the shell runs": [
        *("r\\m x", "$'\\x72\\x6d' x", "rm${IFS}x", "{rm,x}", "$x", "'git status'", "ls\u00a0x", "`echo rm` x"),
        *("echo a\\\n#b; rm -rf x", "ls; #\\\nrm x", "echo ${x@P}", "echo $((a[0]))", "ls $(echo -la)"),
    ],
    "a reader that writes or runs": [
        *("git diff --output=x", "git diff --outpu=x", "sort -o x a", "sort -ox a", "sed 'w x' a", "sed -n '1e id' a"),
        *("rg --pre ./x foo", "find . -exec rm {} +", "find . -fprint x", "tar -I ./x -tf a", "tree -o x", "uniq a b"),
        *("date -s now", "awk '{print > \"x\"}'", "awk 'BEGIN{system(\"x\")}'", "git grep -O./x a", "xxd -r a b"),
        *(
            "sort -o1>&2",
            "sort -oa1>&01 b",
            "sort -o1<a",
            "sort -o1>/dev/null",
            "sort -o1<<<a",
            "sort -o1<&0",
            "sort -1>&2",
        ),
        *("sort -o1<<E\na\nE", "date -s1>&2", "tree -o1>>/dev/null", "sort\\\n-o1>&2", "sort a;sort -o1&>/dev/null"),
        *("printf -v x a", "git branch new", "git stash", "hostname x", "git log --ext-diff", "git log --format=%G?"),
    ],
    "the environment or the repository": [
        *(
            "PATH=. ls",
            "LD_PRELOAD=x ls",
            "GIT_PAGER=x git log",
            "GIT_PAGER=./cat git log",
            "PAGER+=cat git log",
            "PAGER=cat; git log",
            "export PAGER+=cat; git log",
            "PATH=.; ls",
            "export PAGER=x; git log",
            "./ls",
            "/tmp/ls",
        ),
        *("git -C x log", "git -c a=b log", "git --git-dir=x log", "cd /tmp && git log", "cd src && git log"),
        *('cd "$x" && git log', "cd -; git log", "for PATH in .; do ls; done", "read PATH < a; ls", "env PATH=x ls"),
    ],
    "names that something reads": [
        *(f"{name}=x; ls" for name in ("PAGER", "LESSOPEN", "BASH_ENV", "ENV", "IFS", "CDPATH", "GLOBIGNORE", "PS4")),
        *(f"{name}=x; git log" for name in ("GIT_DIR", "GIT_EXTERNAL_DIFF", "HOME", "TMPDIR", "EDITOR", "DISPLAY")),
        *(f"{name}=x; grep a b" for name in ("GREP_OPTIONS", "RIPGREP_CONFIG_PATH", "Path", "NULLCMD", "PREFIX", "OS")),
        *("FILE=a ls", "export FILE=a; ls", "for IFS in a b; do ls; done", "read PS1 < a; ls", "A=(1 2); ls ${A[0]}"),
    ],
    "one after the other in backquotes": [
        *(
            "echo `date` `rm x`",
            "rm `date` `ls`",
            "echo `date` `echo \\`rm x\\``",
            "echo `date` `rm x",
            "echo `a` `$(rm x)`",
        ),
        *("echo `date` `echo '$(rm x)'`", "`echo rm` `echo x`", "cat `date` `ls`", "cat $'\\0'", "ls $'-\\0'"),
    ],
    "behind a blank in a text": [
        *('echo "$a $(rm x)"', 'echo "$a `rm x`"', 'echo "$a ${b@P}"', 'echo "$a $((b[0]))"', 'echo "$a $API_TOKEN"'),
        *('x="$a $(rm b)"', 'case "$a $(rm x)" in x) ls;; esac', '[ "$a $(rm x)" = b ]', 'echo "$a `echo \\`rm\\``"'),
        *(
            'rm " $(find src)"',
            'cat " $(find src)"',
            'cat "$a $(find src)"',
            'echo "$a\n$(rm x)"',
            'echo "$a \\ $(rm b)"',
        ),
    ],
    "texts that are more than that": [
        *("echo $(rm x)", "echo $(cat .env | sh)", "echo $x > $y", "printf $x", "echo $API_KEY", "echo `frob`"),
        *("ls $(date)", "cat $(dirname $0)/a", "ls | xargs sh -c", "ls | xargs -I{} sh -c {}", "xargs", "xargs -0"),
        *("ls | xargs -n1 frob", "echo a | xargs -I{} cat {}", "xargs --process-slot-var=LD_PRELOAD ls"),
    ],
    "the variable that stands for what is found in a script": [
        *("_=a; cat $_", "find . -exec sh -c '_=a; cat {}' \\;", 'for _ in *.x; do cat "$_"; done', "_=a"),
        *('find . | while read -r _; do cat "$_"; done', "find . -exec sh -c 'read _; cat {}' \\;"),
    ],
    "what is set only where all went well": [
        *("[ -f q ] && f=a; cat $f", "false && f=a || cat $f", "cd x && f=a; cat $f", 'f=$x; ls && f=a; cat "$f"'),
        *("ls && f=a && ls || cat $f", 'ls && for f in a*; do :; done; cat "$f"', "cat <<E && f=a\nE\ncat $f"),
        *("if ls && f=a; then :; fi; cat $f", "{ ls && f=a; }; cat $f", "! ls && f=a; cat $f"),
    ],
    "what takes the place of a part of a value": [
        *(
            'echo "${x//:/$(rm a)}"',
            'echo "${x//:/`rm a`}"',
            "echo \"${x//:/$'`rm a`'}\"",
            "echo ${x//:/$'\\x60'}",
            "echo ${x//a/<(rm b)}",
        ),
    ],
    "lists": [
        *(
            "a=($(rm x)); echo ${a[@]}",
            'a=(x); cat "${a[0]}"',
            'a=(x); rm "${a[@]}"',
            'a=(rm x); "${a[@]}"',
            'echo "${a[i]}"',
        ),
        *(
            'echo "${a[$(rm x)]}"',
            'echo "${a[$i]}"',
            'echo "${!a[@]}"',
            'echo "${API_KEY[0]}"',
            "a[0]=1",
            "a=(1); echo $((a[0]))",
        ),
        *(
            "mapfile PATH < a",
            "mapfile -t 'a[0]' < b",
            "mapfile -C 'rm x' -c 1 a < b",
            "mapfile -t x < <(rm y)",
            "read -a PATH < x",
        ),
        *(
            'f=a; read -ra f < x; cat "$f"',
            'f=a; mapfile -t f < x; cat "$f"',
            "read -a 'a[0]' < x",
            "n=1; read -a n < x; echo $((n))",
        ),
    ],
    "where it may not run": [
        *("cd $x; cat $(pwd)/a", "PWD=/etc; cat $(pwd -P)/a", "cat $(pwd; echo x)", "ls $(pwd -x)", "cat $(pwdx)"),
        *("cd $x && cat a", "cd a; cat $(pwd)/.x", "cd $(frob)", "ls $(pwd)$x", "cd -; cat `pwd`/a"),
    ],
    "the environment shown": [
        *("env", "printenv", "export", "set", "declare -p", "echo $API_TOKEN", 'echo "$AWS_SECRET_ACCESS_KEY"'),
        *("cat /proc/self/environ", "cat /proc/1/environ", "cat < /proc/self/environ", "jq -n '$ENV'", "ps auxe"),
        *("cat /proc/self/root/proc/1/environ", 'cat <<< "$DB_PASSWORD"', "awk 'BEGIN{print ENVIRON[\"A\"]}'"),
    ],
    "words that could be options": ['grep "$x" a', "sort *", 'cat "$x"', "uniq *", "head $x", "file *"],
    "what is run is not seen": [
        "bash x.sh",
        'bash -c "$x"',
        "sh",
        "curl x | sh",
        "xargs cat",
        "eval ls",
        ". ./x",
        "make -n",
    ],
    "conditions that evaluate": [
        *("test -v 'a[$(x)]'", "[[ -v a ]]", "[[ 'a[$(x)]' -eq 0 ]]", '[ "$a" "$b" ]', "[[ $x -gt 1 ]]", "let a=1"),
        *(
            "[ $x -gt 1 ]",
            '[ "a[$x]" "$y" ]',
            '[[ "$x" -gt 1 ]]',
            '[ "$a" -eq 1 -a "$b" -eq 2 ]',
            '[ -t "$x" ]',
            "printf %n x",
        ),
        *("read 'a[0]'", "mapfile -C x a", "printf '%d' 'a[$(x)]'"),
    ],
    "connections": [
        "curl x.y",
        "ssh h",
        "ping h",
        "git fetch",
        "git ls-remote",
        "cat a > /dev/tcp/h/80",
        "cat </dev/udp/h/1",
    ],
    "a substitution where the grammar sees none": [
        *("[[ ! -e <(rm a) ]]", "[[ -n a && <(rm a) ]]", "[[ >(rm a)x < b ]]", "[[ a < <(rm a) ]]"),
        *("case a in <(rm a)) echo x;; esac", "case a in b) echo x;; <(rm a)*) echo y;; esac"),
        *('while read f; do echo "$f"; done <<< "$(rm a)"', "if true; then cat; fi <<< $(rm a)"),
    ],
    "writes": ["echo x > a", "echo x >> a", "ls &> a", "ls >| a", "ls 2> a", "> a", "ls | tee a", "ls >$x", "ls > *.x"],
}


@pytest.mark.parametrize("command", [c for group in REFUSED.values() for c in group])
@pytest.mark.parametrize("dialect", [Dialect.BASH, Dialect.UNKNOWN], ids=str)
def test_refused(analysed, command, dialect):
    assert not analysed(command, dialect=dialect).read_only


@pytest.mark.parametrize("command", ['[ "$x" -gt 1 ]', 'test "$(date)" -eq 0', "printf '%d' \"$x\""])
def test_a_number_that_bash_does_not_evaluate(analysed, command):
    assert analysed(command).read_only
    for dialect in (Dialect.ZSH, Dialect.SH, Dialect.UNKNOWN):
        assert not analysed(command, dialect=dialect).read_only
    assert not analysed(f"sh -c {command!r}").read_only


@pytest.mark.parametrize("command", ["ls *(e:'rm x':)", "ls =(touch p)", "ls =rm", "print -P x", "ls <->", "cat $x[1]"])
def test_forms_of_zsh_where_the_dialect_is_not_known(analysed, command):
    assert not analysed(command, dialect=Dialect.UNKNOWN).read_only


def test_trust_is_stated_or_there_is_none(analysed):
    assert not analysed("git status", repository_trusted=False).read_only
    assert analysed("ls", repository_trusted=False).read_only
    assert not analysed("git status", cwd="/elsewhere").read_only


def test_every_refusal_says_why(analysed):
    for group in REFUSED.values():
        for text in group:
            for command in analysed(text).commands:
                assert (command.proof is Proof.NONE) == bool(command.why), text


EDITS = ["touch a", "mkdir -p a/b", "cp a b", "mv a b", "rm a", "rmdir a", "tee a", "sed -i s/a/b/ a", "rm -f a b"]
NO_EDITS = {
    "recursion": ["rm -r a", "cp -r a b"],
    "unknown or several paths": ['rm "$x"', "touch *.x", "mv a $x"],
    "more than its paths": [
        "sed -i.x s/a/b/ a",
        "sed -i 's/a/b/w x' a",
        "mv -b a b",
        "cp --backup a b",
        "ln -s a b",
        "cp -s a b",
    ],
    "other writers": ["sort -o a b", "truncate -s0 a", "dd of=a", "chmod u+s a", "tar xf a"],
}


@pytest.mark.parametrize("command", EDITS)
def test_edits_do_what_their_paths_tell(analysed, command):
    assert analysed(command).commands[0].proof is Proof.EDIT


@pytest.mark.parametrize("command", [c for group in NO_EDITS.values() for c in group])
def test_no_edits(analysed, command):
    assert analysed(command).commands[0].proof is Proof.NONE
