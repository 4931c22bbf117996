"""A call that fails leaves the estimator as it was."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")


def undone_on_error(method: Callable[..., T]) -> Callable[..., T]:
    """Let a method that sets attributes set all of them, or none where it raises.

    Without this, a fit that is refused would leave a learnt model with the new number of columns
    and the old weights. Attributes must be replaced, never changed in place.
    """

    @wraps(method)
    def careful(self: Any, *args: Any, **options: Any) -> T:
        before = dict(vars(self))
        try:
            return method(self, *args, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return careful
