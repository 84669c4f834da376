"""A few words of HTML: escaped text, elements, tables. All that enters a page passes here."""

from collections.abc import Iterable, Sequence
from html import escape


def text(value: object) -> str:
    """Return text that is safe inside an element or an attribute."""
    return escape(str(value), quote=True)


def tag(name: str, *children: str, kind: str = "", **attributes: str) -> str:
    """Return an element around children that are HTML already; `kind` is its class."""
    named = {"class": kind, **attributes} if kind else attributes
    words = "".join(f' {key}="{text(value)}"' for key, value in named.items())
    return f"<{name}{words}>{''.join(children)}</{name}>"


def chip(word: object, kind: str) -> str:
    """Return a small coloured label."""
    return tag("span", text(word), kind=f"chip {kind}")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Return a table that scrolls sideways where the screen is narrow; cells are HTML already."""
    head = tag("tr", *(tag("th", text(name), scope="col") for name in heads))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    inner = tag("table", tag("thead", head), tag("tbody", *body))
    return tag("div", inner, kind=f"scroll {kind}".strip(), tabindex="0")


def fold(summary: str, *children: str, shown: bool = False) -> str:
    """Return a part that the reader can open; `summary` is HTML already."""
    opening = "<details open>" if shown else "<details>"
    return f"{opening}<summary>{summary}</summary>{''.join(children)}</details>"


def figure(svg: str, caption: str) -> str:
    """Return a picture with its explanation, which is HTML already."""
    return tag("figure", tag("div", svg, kind="picture"), tag("figcaption", caption))


def section(name: str, title: str, *children: str) -> str:
    """Return a section that the table of contents can point to."""
    return tag("section", tag("h2", text(title)), *children, id=name)


def paragraph(words: str, kind: str = "") -> str:
    """Return a paragraph of plain words, which are escaped here."""
    return tag("p", text(words), kind=kind)
