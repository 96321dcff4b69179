"""Which problem each failure is; what isn't named here is the service's own fault."""

from __future__ import annotations

from http import HTTPStatus

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from lineclear.api.problems import Fault, Problem, ProblemCode
from lineclear.engine.errors import Conflict, Missing, NotAllowed, Overtaken
from lineclear.engine.log import StorageUnavailable
from lineclear.wire.errors import Malformed

_BY_STATUS = {
    HTTPStatus.NOT_FOUND: ProblemCode.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED: ProblemCode.METHOD_NOT_ALLOWED,
}


def as_problem(error: Exception) -> Problem:
    """The problem that a failure is, without any of its own words where those could quote a caller."""
    match error:
        case Problem():
            return error
        case Malformed():
            faults = tuple(Fault(fault.pointer, fault.code, fault.message) for fault in error.problems)
            return Problem(ProblemCode.MALFORMED, "the body isn't what this request takes; see `errors`", faults)
        case RequestValidationError():
            faults = tuple(
                Fault("/" + "/".join(map(str, fault["loc"])), fault["type"], fault["msg"]) for fault in error.errors()
            )
            return Problem(ProblemCode.MALFORMED, "a parameter is malformed; see `errors`", faults)
        case Conflict():
            return Problem(ProblemCode.CONFLICT, str(error))
        case Missing():
            return Problem(ProblemCode.NOT_FOUND, str(error))
        case NotAllowed():
            return Problem(ProblemCode.FORBIDDEN, str(error))
        case Overtaken():
            return Problem(ProblemCode.OVERLOADED, "the session changed faster than the call could be decided")
        case StorageUnavailable():
            return Problem(
                ProblemCode.STORAGE_UNAVAILABLE, "the decision log can't be read or written now; no verdict is given"
            )
        case HTTPException():
            code = _BY_STATUS.get(HTTPStatus(error.status_code), ProblemCode.MALFORMED)
            return Problem(code, error.detail)
        case _:
            return Problem(ProblemCode.INTERNAL, "an unexpected failure; it was logged under this request's id")
