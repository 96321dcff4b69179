"""Programs of awk: patterns, prints and arithmetic. No redirection, pipe, command, environment or file of its own."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\n|\#[^\n]*)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<operator>\|\||&&|\+\+|--|[-+*/%^=!<>]=|!~|[-+*%^=!<>~?:,;$(){}\[\]/\n])""",
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = frozenset(
    [
        "BEGIN",
        "END",
        "BEGINFILE",
        "ENDFILE",
        "if",
        "else",
        "while",
        "for",
        "do",
        "in",
        "break",
        "continue",
        "next",
        "nextfile",
        "exit",
        "print",
        "printf",
        "delete",
        "function",
        "func",
        "return",
    ]
)
_FUNCTIONS = frozenset(
    [
        "length",
        "substr",
        "index",
        "split",
        "sub",
        "gsub",
        "gensub",
        "match",
        "tolower",
        "toupper",
        "sprintf",
        "int",
        "sqrt",
        "exp",
        "log",
        "sin",
        "cos",
        "atan2",
        "rand",
        "srand",
        "strftime",
        "mktime",
        "systime",
        "asort",
        "asorti",
        "and",
        "or",
        "xor",
        "lshift",
        "rshift",
        "compl",
        "strtonum",
    ]
)
_VARIABLES = frozenset(
    [
        "NR",
        "NF",
        "FNR",
        "FS",
        "OFS",
        "RS",
        "ORS",
        "FILENAME",
        "SUBSEP",
        "RSTART",
        "RLENGTH",
        "RT",
        "IGNORECASE",
        "CONVFMT",
        "OFMT",
        "FPAT",
    ]
)
_IN_BRACKET = r"(?:\[:[a-z]+:\]|\\[^\]\[\n]|[^\]\[\\/\n])"
_BRACKET = re.compile(rf"\[\^?(?:\]{_IN_BRACKET}*|{_IN_BRACKET}+)\]")
"""A set of characters that every interpreter closes at the same place: no slash stands in it as it is, no bracket."""

_OWN = re.compile(r"[a-z_][A-Za-z0-9_]*|[A-Z]|[A-Z]+[a-z][A-Za-z0-9_]*|SUM|TOTAL|COUNT|MAX|MIN|AVG|MEAN")
"""Names of a program's own. Those of the interpreters are in upper case, so of such names only a few count."""

_NOWHERE = re.compile(r">>?[ \t]*\"/dev/null\"[ \t]*(?=[;}\n]|\Z)")
"""What is printed to nowhere, and to nothing whose name only begins so. Its own streams some interpreters open anew."""

_PRINTS = frozenset(["print", "printf"])
_FORBIDDEN = frozenset(["getline", "system", "close", "fflush", "switch", "extension"])
_DEFINITION = re.compile(r"\bfunc(?:tion)?[ \t]+([a-z_][A-Za-z0-9_]*)[ \t]*\(")


def awk_only_prints(script: str) -> bool:
    """Whether a program does nothing but read its input and print.

    A slash divides or begins a pattern, by what stands before it; where that isn't clear, nothing may follow that the
    other reading would hide.
    """
    at = parens = braces = 0
    operand = unsure = False
    own = frozenset(_DEFINITION.findall(script)) if "func" in script else frozenset()
    while at < len(script):
        if script[at] == "/" and unsure and "/" in script[at + 1 :]:
            return False
        if script[at] == "/" and not operand:
            at = _regex(script, at + 1)
            if at < 0:
                return False
            operand, unsure = True, False
            continue
        if script[at] == ">" and not parens and braces and (nowhere := _NOWHERE.match(script, at)) is not None:
            at, operand = nowhere.end(), False
            continue
        token = _TOKEN.match(script, at)
        if token is None:
            return False
        at = token.end()
        kind, text = token.lastgroup, token[0]
        if kind == "blank":
            continue
        if kind == "name":
            called = script[at : at + 1] == "("
            if text in _FORBIDDEN or not (_allowed(text, called=called) or text in own):
                return False
            if text in _PRINTS and parens:
                return False  # `for (print x > "f"; …)`: there `>` still writes
            operand = text not in _KEYWORDS
            unsure = text in _FUNCTIONS and not called
        elif kind in {"string", "number"}:
            operand, unsure = True, False
        else:
            parens += (text == "(") - (text == ")")
            braces += (text == "{") - (text == "}")
            if text == ">" and not parens and braces:
                return False
            operand = text in {")", "]", "++", "--"}
            unsure = text in {")", "++", "--"}
    return parens == 0 and braces == 0


def _allowed(name: str, *, called: bool) -> bool:
    if called:
        return name in _FUNCTIONS or name in _KEYWORDS
    return name in _KEYWORDS or name in _VARIABLES or name in _FUNCTIONS or _OWN.fullmatch(name) is not None


def _regex(script: str, at: int) -> int:
    """Behind the pattern that is open; -1 where interpreters disagree on where it ends."""
    while at < len(script) and script[at] != "\n":
        if script[at] == "\\" and script[at + 1 : at + 2] != "\n":
            at += 2
        elif script[at] == "/":
            return at + 1
        elif script[at] == "[":
            bracket = _BRACKET.match(script, at)
            if bracket is None:
                return -1
            at = bracket.end()
        elif script[at] == "\\":
            return -1
        else:
            at += 1
    return -1
