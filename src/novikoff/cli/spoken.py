"""What the library says to people who write Python, said to people at a command line."""

from __future__ import annotations

import re

_SAID = [
    (r"header=True or header=False", "--header or --no-header"),
    (r"unseen='zeros'", "--unseen zeros"),
    (r"\bnumbers='(\w+)'", r"--numbers \1"),
    (r"or use certify_classes", "or use novikoff certify --against rest"),
    (r" \(label=False [^)]*\)|, or label=False to read X alone", ""),  # no command lacks labels
    (r"; say n_columns= to read it", ", so it has no columns"),
    (r"zero_based= and n_columns= say", "the model or --zero-based says"),
    (r"\bzero_based=", "--zero-based"),
    (
        r"\b(format|label|header|drop|categorical|positive|delimiter|bits)=(?![\w'\"/])",
        r"--\1",
    ),
]


def spoken(message: str) -> str:
    """The message with arguments such as drop= in the form of options, --drop."""
    for pattern, option in _SAID:
        message = re.sub(pattern, option, message)
    return message
