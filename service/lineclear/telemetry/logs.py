"""Logs are JSON lines on standard error, one event a decision."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from lineclear.telemetry import failures

if TYPE_CHECKING:
    from typing import BinaryIO

    from structlog.typing import EventDict, Processor, WrappedLogger


def configure(level: str) -> None:
    """Send our own logs and those of libraries to one place; ``level`` is the least severity of ours that is kept.

    Ours don't go through the standard library's loggers, which would take a quarter of a decision's time.
    """
    stamped: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*stamped, structlog.processors.JSONRenderer(serializer=_encode)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(_Unfailing(sys.stderr.buffer)),  # type: ignore[arg-type]  # all it uses
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*stamped, structlog.stdlib.add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _without_traceback,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


class _Unfailing:
    """What is logged to: where it is full, or nobody reads any more, a line is lost and nothing else is."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, line: bytes) -> None:
        """Write what can be written."""
        with suppress(OSError, ValueError):  # the latter says that it is closed
            self._file.write(line)

    def flush(self) -> None:
        """The same."""
        with suppress(OSError, ValueError):
            self._file.flush()


def _encode(event: EventDict, **_: Any) -> bytes:
    return msgspec.json.encode(event, enc_hook=str)


def _without_traceback(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Libraries log tracebacks, whose last line may quote a caller's data: the place is kept, the text isn't."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event.update(failures.described(error))
    return event
