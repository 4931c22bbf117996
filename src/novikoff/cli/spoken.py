"""What the library says to people who write Python, said to people at a command line."""

from __future__ import annotations

import re
import shlex

_NAMES = (
    "format|label|drop|keep|categorical|positive|delimiter|decimal|thousands|bits|numbers|unseen|"
    "missing|model|trials|groups|time|event|entry|strata|ties|winner|loser|reference|weights"
)
_SAID = [
    (r"header=True or header=False", "--header or --no-header"),
    (r"or use certify_classes", "or use novikoff certify --against rest"),
    (r" \(label=False [^)]*\)|, or label=False to read X alone", ""),  # no command lacks labels
    (r"; say n_columns= to read it", ", so it has no columns"),
    (r"zero_based= and n_columns= say", "the model or --zero-based says"),
    (r"\bzero_based=", "--zero-based"),
    (r"fit_intercept=False", "--no-intercept"),
    (rf"\b({_NAMES}|header)=(?![\w'\"/])", r"--\1"),
]
_WITH_VALUE = re.compile(rf"\b({_NAMES})=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")


def spoken(message: str) -> str:
    """The message with arguments such as drop='id' in the form of options, --drop id."""
    for pattern, said in _SAID:
        message = re.sub(pattern, said, message)
    return _WITH_VALUE.sub(_typed, message)


def _typed(found: re.Match[str]) -> str:
    value = found[2][1:-1]
    is_word = any(letter.isalnum() for letter in value)
    return f"--{found[1]} {shlex.quote(value) if is_word else _quoted(value)}"


def _quoted(mark: str) -> str:
    return f'"{mark}"' if mark == "'" else f"'{mark}'"
