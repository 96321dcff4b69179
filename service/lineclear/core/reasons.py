"""The reason codes: a closed list, stable once published. Words may change, codes may not."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Why a call was answered as it was."""

    TOOL_UNAVAILABLE = "tool_unavailable"
    INPUT_INVALID = "input_invalid"
    DENY_RULE = "deny_rule"
    PROTECTED_PATH = "protected_path"
    REPEATED_DENIAL = "repeated_denial"
    PLAN_MODE = "plan_mode"
    CRITICAL_PATH = "critical_path"
    HIDDEN_CHARACTERS = "hidden_characters"
    DENY_RULE_POSSIBLE = "deny_rule_possible"
    DESTRUCTIVE_TOOL = "destructive_tool"
    SCHEMA_CHANGED = "schema_changed"
    ASK_RULE = "ask_rule"
    HUMAN_GRANT = "human_grant"
    BYPASS_MODE = "bypass_mode"
    UNANALYSABLE = "unanalysable"
    SAFE_TOOL = "safe_tool"
    READ_ONLY_COMMAND = "read_only_command"
    WORKSPACE_EDIT = "workspace_edit"
    ALLOW_RULE = "allow_rule"
    DEFAULT_MODE = "default_mode"
    DONT_ASK_MODE = "dont_ask_mode"
    BREAKER_OPEN = "breaker_open"
    CLASSIFIER_ALLOW = "classifier_allow"
    CLASSIFIER_BLOCK = "classifier_block"
    CLASSIFIER_UNAVAILABLE = "classifier_unavailable"
    CLASSIFIER_UNSURE = "classifier_unsure"


NO_OBJECTION = frozenset({Code.DEFAULT_MODE, Code.DONT_ASK_MODE})
"""Where only the mode speaks against a call: a host with prompts of its own may go on as it would have."""

MEANING: dict[Code, str] = {
    Code.TOOL_UNAVAILABLE: "the tool isn't in this call's effective tool set, or its name imitates another tool's",
    Code.INPUT_INVALID: "the input doesn't fit the tool's schema",
    Code.DENY_RULE: "a deny rule matches a part of the call",
    Code.PROTECTED_PATH: "a protected path is touched",
    Code.REPEATED_DENIAL: "the classifier denied the same call before, and nothing has changed since",
    Code.PLAN_MODE: "plan mode only reads",
    Code.CRITICAL_PATH: "something that can't be replaced would be destroyed",
    Code.HIDDEN_CHARACTERS: "the text holds characters that a person can't see",
    Code.DENY_RULE_POSSIBLE: "a deny rule may match: a word that can't be known stands where the rule's word would",
    Code.DESTRUCTIVE_TOOL: "the tool is marked destructive",
    Code.SCHEMA_CHANGED: "the tool's definition changed since it was accepted",
    Code.ASK_RULE: "an ask rule matches a part of the call",
    Code.HUMAN_GRANT: "a person approved exactly this call",
    Code.BYPASS_MODE: "nothing raised a question in a mode that lets such calls pass",
    Code.UNANALYSABLE: "what the text would do can't be told",
    Code.SAFE_TOOL: "the tool is on the list of safe tools",
    Code.READ_ONLY_COMMAND: "every part is proven to only read",
    Code.WORKSPACE_EDIT: "every part reads, or edits a literal path inside the workspace",
    Code.ALLOW_RULE: "every part is covered by an allow rule, or needs none",
    Code.DEFAULT_MODE: "nothing settles the call, and the mode asks a person",
    Code.DONT_ASK_MODE: "nothing settles the call, and the mode asks nobody",
    Code.BREAKER_OPEN: "too many denials: this session is back with a person",
    Code.CLASSIFIER_ALLOW: "the classifier found nothing against the call",
    Code.CLASSIFIER_BLOCK: "the classifier found that the call breaks one of its rules",
    Code.CLASSIFIER_UNAVAILABLE: "no rule decides this, and no model could be asked",
    Code.CLASSIFIER_UNSURE: "no rule decides this, and the model gave no clear answer",
}
"""What each code means, in one clause; the documentation is tested against it."""
