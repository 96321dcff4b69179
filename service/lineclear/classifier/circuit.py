"""A circuit for an upstream that fails steadily: closed, then open for a while, then one probe. Pure, no clock."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave for one call; its end is told with it, so that a late result of an earlier time changes nothing."""

    era: int
    probe: bool = False


@dataclass(slots=True)
class Circuit:
    """Opens after ``failures`` in a row, for ``rest_s`` seconds; then lets one call through, which decides.

    Times are seconds on any clock that only moves forward.
    """

    failures: int = 5
    rest_s: float = 10.0
    _era: int = field(default=0, init=False)
    _streak: int = field(default=0, init=False)
    _open_until: float | None = field(default=None, init=False)
    _probing: bool = field(default=False, init=False)

    @property
    def closed(self) -> bool:
        """Whether calls go through as if nothing had happened."""
        return self._open_until is None

    def admit(self, now: float) -> Pass | None:
        """Leave for one call, or None where the upstream is left alone."""
        if self._open_until is None:
            return Pass(self._era)
        if self._probing or now < self._open_until:
            return None
        self._probing = True
        return Pass(self._era, probe=True)

    def succeeded(self, leave: Pass) -> None:
        """The upstream answered."""
        if leave.era == self._era and (leave.probe or self.closed):
            self._streak = 0
            if leave.probe:
                self._begin(open_until=None)

    def failed(self, leave: Pass, now: float) -> None:
        """The upstream failed."""
        if leave.era != self._era:
            return
        self._streak += 1
        if leave.probe or self._streak >= self.failures:
            self._begin(open_until=now + self.rest_s)

    def abandoned(self, leave: Pass) -> None:
        """The call ended without telling anything of the upstream; a probe's turn goes to another."""
        if leave.era == self._era and leave.probe:
            self._probing = False

    def _begin(self, *, open_until: float | None) -> None:
        self._era += 1
        self._streak = 0
        self._probing = False
        self._open_until = open_until
