"""What the rest of the files may speak of: the tools of all catalogues, the described programs, the static data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import Glob
from lineclear.core.rules.selectors import MCP_PREFIX, Selector, name_selector, server_selectors
from lineclear.core.tools import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lineclear.core.call import JSON
    from lineclear.core.catalogue import Catalogue
    from lineclear.core.shell.programs import Programs
    from lineclear.core.tools import Entry, Tool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Catalogue and programs; ``tools`` are all tools that the catalogue knows, each as its host has it.

    ``data`` are the organisation's static maps.
    """

    catalogue: Catalogue
    programs: Programs
    tools: tuple[Tool, ...]
    data: Mapping[str, JSON] = field(default_factory=dict)
    _meant: dict[tuple[Selector, ...], tuple[Tool, ...]] = field(default_factory=dict, init=False, compare=False)
    """What was asked before: the same names stand in every policy, and there are hundreds of tools."""

    @staticmethod
    def of(catalogue: Catalogue, programs: Programs, entries: Iterable[Entry]) -> Vocabulary:
        """The vocabulary of a catalogue that was made of ``entries``."""
        hosts = {*catalogue.hosts, None}
        names = [(entry.name, entry.host if entry.host in hosts else None) for entry in entries]
        return Vocabulary(catalogue, programs, tuple(catalogue.resolve(name, host) for name, host in names))

    def selectors(self, text: str, *, strict: bool) -> tuple[Selector, ...]:
        """What a tool's name in a rule means; any may hold, ``strict`` for allow rules. Raises ``RuleFault``."""
        if (kinds := self.catalogue.kinds_of(text)) is not None:
            return (Selector(text, kinds=kinds),)
        if text.startswith(MCP_PREFIX):
            return server_selectors(text, strict=strict)
        host, slash, name = text.partition("/")
        if slash and host in self.catalogue.hosts:
            return (self._of_host(text, host, name, strict=strict),)
        if not self.catalogue.known(text) and not any(mark in text for mark in ("*", "__", ":", "/")):
            raise RuleFault(f"no catalogue has a tool `{text}`; {self._advice(text)}")
        return (name_selector(text, strict=strict),)

    def kind_of(self, text: str) -> Kind:
        """The kind that a tool's name in a rule stands for; ``OTHER`` where it may be any."""
        if (kinds := self.catalogue.kinds_of(text)) is not None:
            return next(iter(kinds)) if len(kinds) == 1 else Kind.OTHER
        host, slash, name = text.partition("/")
        if slash and host in self.catalogue.hosts:
            return self.catalogue.resolve(name, host).kind
        return self.catalogue.resolve(text, None).kind

    def meant(self, selectors: Iterable[Selector]) -> Sequence[Tool]:
        """The known tools that any of the selectors may mean."""
        wanted = tuple(selectors)
        found = self._meant.get(wanted)
        if found is None:
            found = tuple(tool for tool in self.tools if any(one.holds(tool, strict=False) for one in wanted))
            self._meant[wanted] = found
        return found

    def _of_host(self, text: str, host: str, name: str, *, strict: bool) -> Selector:
        if strict and "*" in name:
            raise RuleFault(f"`{text}` is too broad for an allow rule; name one tool of `{host}`")
        if "*" not in name and self.catalogue.resolve(name, host).host != host:
            raise RuleFault(f"the catalogue of `{host}` has no tool `{name}`; {self._advice(name)}")
        return Selector(text, host=host, name=Glob.of(name))

    def _advice(self, name: str) -> str:
        near = self.catalogue.nearest(name)
        hint = f"did you mean `{near}`" if near else "see the catalogues for the names that there are"
        return f"{hint}, or declare it in `tools.extra`"
