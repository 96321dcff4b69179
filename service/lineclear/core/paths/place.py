"""A place: where a spelled path leads, lexically and, where the caller resolved it, in truth."""

from __future__ import annotations

from msgspec import Struct


class Place(Struct, frozen=True):
    """A normalised path.

    ``lexical`` has forward slashes, no ``.`` and no ``..`` that could be removed; it is absolute (``/a/b``, ``C:/a``,
    ``//server/share/a``), relative where the directory isn't known (``src/a.py``, ``../x``), or below a home that
    isn't known (``~/x``, ``~name/x``). ``real`` is the path behind all links, None where nobody vouched for one: the
    place is then *lexical only*. Only ``core.paths.locate`` makes places.

    ``vouched`` says that the caller resolved this very path; otherwise ``real`` follows from a folder's entry, and
    what lies below that folder may hold links still. ``alternate`` is what the other family of systems makes of the
    spelling, where the platform isn't known and it differs. ``adrift`` says of a relative path that nobody knows which
    directory it starts from, not even that it is the one in which the call began. ``doubtful`` says that a name in it
    may stand for another one, and that the caller didn't tell which.
    """

    spelled: str
    lexical: str
    real: str | None = None
    vouched: bool = False
    alternate: str | None = None
    adrift: bool = False
    doubtful: bool = False

    @property
    def views(self) -> tuple[str, ...]:
        """The one to three different paths on which rules are matched."""
        if self.real is None and self.alternate is None:
            return (self.lexical,)
        found = (self.lexical, self.real, self.alternate)
        return tuple(dict.fromkeys(view for view in found if view is not None))
