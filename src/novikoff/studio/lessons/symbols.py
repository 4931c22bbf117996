"""The names that a formula may use: letters, operators, accents, styles, brackets."""

from __future__ import annotations

import unicodedata

_SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau upsilon phi chi psi omega"
)
_CAPITAL = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"


def _greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {case} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


LETTERS = {name: _greek(name) for name in f"{_SMALL} {_CAPITAL}".split()} | {
    "varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "varrho": "ϱ", "varsigma": "ς", "varpi": "ϖ",
    "epsilon": "ϵ", "phi": "ϕ", "ell": "ℓ", "hbar": "ℏ", "imath": "ı", "jmath": "ȷ", "aleph": "ℵ",
    "Re": "ℜ", "Im": "ℑ", "infty": "∞", "ldots": "…", "cdots": "⋯", "dots": "…", "vdots": "⋮",
    "ddots": "⋱", "top": "⊤", "bot": "⊥", "ast": "∗", "star": "⋆", "prime": "′", "dagger": "†",
    "partial": "∂", "nabla": "∇", "emptyset": "∅", "varnothing": "∅", "angle": "∠", "circ": "∘",
    "bullet": "∙", "degree": "°", "square": "□", "blacksquare": "■", "checkmark": "✓",
}  # fmt: skip

OPERATORS = {
    "cdot": "·", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "oplus": "⊕", "otimes": "⊗",
    "odot": "⊙", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "neg": "¬", "lnot": "¬",
    "cup": "∪", "cap": "∩", "setminus": "∖", "triangle": "△",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "leqslant": "⩽", "geqslant": "⩾", "ne": "≠",
    "neq": "≠", "lt": "<", "gt": ">", "ll": "≪", "gg": "≫", "prec": "≺", "succ": "≻",
    "preceq": "⪯", "succeq": "⪰", "gtrless": "≷", "approx": "≈", "sim": "∼", "simeq": "≃",
    "cong": "≅", "equiv": "≡", "propto": "∝", "triangleq": "≜", "coloneqq": "≔",
    "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "supset": "⊃", "subseteq": "⊆",
    "supseteq": "⊇", "forall": "∀", "exists": "∃", "nexists": "∄", "therefore": "∴",
    "mid": "∣", "nmid": "∤", "parallel": "∥", "perp": "⊥", "colon": ":", "vdash": "⊢",
    "models": "⊨",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "leftrightarrow": "↔",
    "longrightarrow": "⟶", "longleftarrow": "⟵", "mapsto": "↦", "uparrow": "↑",
    "downarrow": "↓", "nearrow": "↗", "searrow": "↘", "hookrightarrow": "↪",
    "rightharpoonup": "⇀", "Rightarrow": "⇒", "Leftarrow": "⇐", "Longrightarrow": "⟹",
    "implies": "⟹", "impliedby": "⟸", "iff": "⟺", "Leftrightarrow": "⇔",
    "sum": "∑", "prod": "∏", "coprod": "∐", "int": "∫", "iint": "∬", "oint": "∮",
    "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁", "bigwedge": "⋀", "bigvee": "⋁",
    "%": "%", "#": "#", "&": "&", "$": "$", "_": "_",
}  # fmt: skip

FENCES = {
    "(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "/": "/", "<": "⟨", ">": "⟩",
    "\\{": "{", "\\}": "}", "\\|": "‖", "\\lbrace": "{", "\\rbrace": "}", "\\lbrack": "[",
    "\\rbrack": "]", "\\Vert": "‖", "\\lVert": "‖", "\\rVert": "‖", "\\vert": "|",
    "\\lvert": "|", "\\rvert": "|", "\\langle": "⟨", "\\rangle": "⟩", "\\lfloor": "⌊",
    "\\rfloor": "⌋", "\\lceil": "⌈", "\\rceil": "⌉", ".": "",
}  # fmt: skip

NAMES = (
    "max", "min", "log", "ln", "lg", "exp", "cos", "sin", "tan", "arccos", "arcsin", "arctan",
    "cosh", "sinh", "tanh", "arg", "argmax", "argmin", "sign", "sgn", "dim", "ker", "inf", "sup",
    "det", "gcd", "lim", "liminf", "limsup", "deg", "rank", "tr", "diag", "span", "conv", "Pr",
    "Var", "Cov",
)  # fmt: skip

# What stands above and below these, and not beside them.
LIMITS = {"max", "min", "inf", "sup", "lim", "liminf", "limsup", "argmax", "argmin", "Pr", "det",
          "gcd", "sum", "prod", "coprod", "bigcup", "bigcap", "bigoplus", "bigwedge",
          "bigvee"}  # fmt: skip

SPACES = {",": "0.17em", ";": "0.28em", ":": "0.22em", ">": "0.22em", " ": "0.25em",
          "quad": "1em", "qquad": "2em", "!": "-0.17em", "enspace": "0.5em"}  # fmt: skip

ACCENTS = {"hat": "^", "widehat": "^", "tilde": "~", "widetilde": "~", "bar": "¯", "overline": "¯",
           "vec": "→", "dot": "˙", "ddot": "¨", "check": "ˇ"}  # fmt: skip
BRACES = {"overbrace": ("mover", "⏞"), "underbrace": ("munder", "⏟"), "underline": ("munder", "_")}

# A style is a class of the page, or, of single letters, a character of its own.
STYLES = {"mathbf": "bold", "boldsymbol": "bold", "bm": "bold", "mathbb": "double",
          "mathcal": "script", "mathscr": "script", "mathsf": "sans", "mathtt": "mono",
          "mathrm": "plain"}  # fmt: skip
CHARACTERS = {
    "double": {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "H": "ℍ",
               "E": "𝔼", "1": "𝟙"},
    "script": {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ"},
}  # fmt: skip

WORDS = {"text": "", "mbox": "", "textrm": "", "textnormal": "", "textbf": "bold",
         "textit": "italic", "texttt": "mono"}  # fmt: skip

# Tables; a * after the name of one is read as the name without it.
TABLES = ("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "array",
          "cases", "aligned", "align", "split", "gathered")  # fmt: skip
SIZES = ("big", "Big", "bigg", "Bigg")
UNSEEN = ("displaystyle", "textstyle", "limits", "nolimits")  # they change the size, not the words
