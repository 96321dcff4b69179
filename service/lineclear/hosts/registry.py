"""All hosts, by the name in the address of their hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import claude_code, cline, codex, copilot_cli, cursor, gemini_cli, kiro, opencode, windsurf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.hosts.host import Host

HOSTS: Mapping[str, Host] = {
    module.HOST.abilities.name: module.HOST
    for module in (claude_code, codex, gemini_cli, opencode, cursor, copilot_cli, windsurf, cline, kiro)
}
