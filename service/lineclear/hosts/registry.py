"""All hosts, by the name in the address of their hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import claude_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.hosts.host import Host

HOSTS: Mapping[str, Host] = {host.abilities.name: host for host in (claude_code.HOST,)}
