"""One quantity over time: taken from until nothing can be left, or restated with another value."""

import re
from collections.abc import Iterator

from argus_rl.text.premises.counts import same_noun
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import compiled, finding, written

_LOSS = (
    r"(?:fly|flew|flies|fl[yi]\w* off|drive|drove|leaves?|left|sells?|sold|eats?|ate|gives?|gave"
    r"|loses?|lost|uses?|used|breaks?|broke|spends?|spent|pays?|paid|throws?|threw|removes?"
    r"|removed|donates?|donated|takes? out|took out|drinks?|drank|burns?|burned|burnt|get off|got"
    r" off|walk away|swim away|run away|go home|went home|pops?|popped|wilt|wilted|die|died"
    r"|lends?|lent|withdraws?|withdrew|mails?|mailed|discards?|discarded|drained|removed|taken"
    r" out|poured out|gives? away|gave away|leak\w*|escaped?|hatch|pours?|poured|takes? away|took"
    r" away)"
)
_GAIN = (
    r"(?:buys?|bought|gets?|got|finds?|found|receives?|received|wins?|won|collects?|collected"
    r"|picks?|picked|earns?|earned|adds?|added|bakes?|baked|makes?|made|gains?|gained|saves?"
    r"|saved|come|came|arrive|arrived|join|joined|get on|got on)"
)
_START = (
    r"(?:has|had|have|there (?:are|were|is)|contains?|contained|holds?|held|starts with|started"
    r" with|begins with|owns?|keeps?|is holding)(?: only| exactly| just)? <a:NMU>(?! (?:[a-z]+ )?"
    r"(?:more|less|fewer))|^<b:N> [a-z]+ (?:are|were) (?:on|in|at)\b"
)
_NOW = (
    r"(?:^|, |and |so |now |then )*(?:now |then |so |in the end |at the end )?(?:there (?:are"
    r"|were)|(?:he|she|it|they|[a-z]+) (?:now )?(?:has|have|had|holds?|owns?|is left with|are"
    r" left with))(?: now| only| exactly| just| still)* <c:NM>(?P<tail>(?: [a-z]+){0,3})"
)
_UNKNOWN = re.compile(
    r"\b(?:some|several|each|every|per|rest|others?|half|twice|more than|less than|fewer than|all"
    r"|as many|overdrawn|debt|borrow\w*|owes?|could|temperature|below|back|returns?)\b"
    r"|[PFXTY#]\d*"
)
_NOTHING_NEW = re.compile(
    r",? ?(?:and|but|while)? ?\b(?:no|none|nobody|nothing)\b(?: [a-z]+){0,3}? (?:adds?(?: any)?"
    r"|added|came|come|comes|joins?|joined|arrives?|arrived|ones|back|got on|got in|gets on|new"
    r" [a-z]+)\b(?: back)?|,? and got no new [a-z]+"
)
_CLOSED = re.compile(
    r"\b(?:nothing else|no other|no (?:bird|car|one|more)[a-z ]* (?:comes?|arrives?|joins?)|only"
    r"|exactly)\b"
)


def check_running_totals(reading: Reading) -> Iterator[PremiseFinding]:
    """Follow one owner's count through gains and losses, sentence by sentence."""
    sentences = [s.strip() for s in reading.form.split(" . ")]
    for index, sentence in enumerate(sentences):
        start = compiled(_START).search(sentence)
        if start is not None and len(re.findall(r"\b[A-Z]\d+", sentence)) == 1:
            owner = sentence[: start.start()].split()
            if _UNKNOWN.search(sentence) is None or _CLOSED.search(sentence):
                yield from _follow(reading, sentences[index + 1 :], start["a"] or start["b"], owner)


def _follow(
    reading: Reading, sentences: list[str], first: str, owner: list[str]
) -> Iterator[PremiseFinding]:
    stock = reading.of(first)
    value, history = stock.value, [written(stock.value)]
    for sentence in sentences:
        closed = _NOTHING_NEW.search(sentence) or re.search(r"\b(?:from|out of|of) it\b", sentence)
        sentence = _NOTHING_NEW.sub("", sentence)
        if re.match(r"how |what |# ?$|$|\.", sentence):
            return
        if not closed and not _same_subject(sentence, owner):
            return
        now = compiled(_NOW).match(sentence)
        if now is not None and len(history) > 1 and re.search(r"\bnow\b|\bthen\b|left", sentence):
            claim = reading.of(now["c"])
            if _one_stock(claim, stock) and claim.value != value:
                kind = _kind(history)
                yield finding(kind, claim, " ".join(history), value)
            return
        steps = _steps(reading, sentence, stock)
        if not steps:
            return
        for sign, quantity in steps:
            value += sign * quantity.value
            history.append(f"{'+' if sign > 0 else '-'} {written(quantity.value)}")
            if value < 0:
                expression = f"{' '.join(history)} = {written(value)}"
                yield finding(PremiseKind.NEGATIVE_REMAINDER, quantity, expression, "not below 0")
                return


def _kind(history: list[str]) -> PremiseKind:
    signs = {step[0] for step in history[1:]}
    if signs == {"+"}:
        return PremiseKind.SUM if len(history) == 2 else PremiseKind.LIST_TOTAL
    if signs == {"-"}:
        return PremiseKind.DIFFERENCE
    return PremiseKind.MULTI_STEP


def _same_subject(sentence: str, owner: list[str]) -> bool:
    words = sentence.split()
    lead = (
        "he",
        "she",
        "it",
        "they",
        "first",
        "then",
        "now",
        "from",
        "later",
        "next",
        "so",
        "before",
        "at",
    )
    if re.match(r"[NMU]\d+$", words[0] if words else ""):
        return True
    return bool(words) and (words[0] in lead or words[0] in owner[-1:] or words[0] == ",")


def _one_stock(quantity: Quantity, stock: Quantity) -> bool:
    same = quantity.kind == stock.kind and quantity.dimension == stock.dimension
    return same and quantity.noun in ("", stock.noun, "more", "left")


def _direction(words: str, after: str, *, money: bool) -> int | None:
    """Whether a quantity between `words` and `after` is gained (1) or lost (-1).

    0 where no verb tells, None where the verbs contradict each other.
    """
    if money and re.search(r"\bb(?:uys?|ought)\b", words):
        return -1 if words.endswith(" for ") else None
    passive = rf"(?: more)?(?: of (?:them|the [a-z]+)| [a-z]+)? (?:were |was |are )?{_LOSS}"
    lost = re.search(rf"\b{_LOSS}\b", words) or re.match(passive, after)
    gained = re.search(rf"\b{_GAIN}\b", words)
    if lost and gained:
        return None
    return -1 if lost else int(gained is not None)


def _steps(reading: Reading, sentence: str, stock: Quantity) -> list[tuple[int, Quantity]]:
    """Gains and losses of the stock in a sentence; empty where any quantity is not understood."""
    if re.search(r"\bof (?:his|her|their|its|the) [NMU]\d", sentence):
        return []
    if _UNKNOWN.search(re.sub(r"\bno [a-z ]*\bback\b|before any[a-z ]*arrives", "", sentence)):
        return []
    unpriced = len(re.findall(r"\bb(?:uys?|ought)\b", sentence)) > sentence.count(" for M")
    if stock.kind == "M" and unpriced:
        return []
    steps, position, sign = list[tuple[int, Quantity]](), 0, 0
    for match in re.finditer(r"\b[NMU]\d+\b", sentence):
        words = sentence[position : match.start()]
        after = sentence[match.end() :].split(" and ")[0]
        quantity = reading.of(match.group())
        change = _direction(words, after, money=stock.kind == "M")
        if change is None:
            return []
        sign = change or sign
        anaphor = re.match(r"(?: more)? of (?:them|the )", after) is not None
        known = _one_stock(quantity, stock) or (anaphor and not quantity.dimension)
        if sign == 0 or not known:
            return []
        steps.append((sign, quantity))
        position = match.end()
    return steps


_DEFINITE = (
    r"\b(?P<article>each of (?:the|his|her|their|its)(?: [a-z]+'s)?|these|those|the|his|her|their"
    r"|its|all|of the)(?: (?!first|last|next|other)[a-z]+)?? <b:N>"
)
_EACH_OF_OWN = ("each of his", "each of her", "each of its", "each of their")
_ONLY = re.compile(
    r"\bnothing else\b|\bno others?\b|\bexactly (?=N\d)|\bonly (?=N\d)|\bin all\b|\bno more\b"
    r"|\ball of (?:them|which)\b|\bno (?:brothers|sisters)\b|\baltogether\b"
)


def check_restatements(reading: Reading) -> Iterator[PremiseFinding]:
    """A counted set taken up again with another count, or a price with another price."""
    for match in compiled(_DEFINITE).finditer(reading.form):
        again = reading.of(match["b"])
        before = reading.form[: match.start()]
        earlier = [reading.of(name) for name in re.findall(r"\b[NU]\d+\b", before)]
        named = [q for q in earlier if q.noun == again.noun != ""]
        own = (
            match["article"].endswith("'s")
            or match["article"] in _EACH_OF_OWN
            or (match["article"] == "all" and before.endswith(". "))
        )
        own = own and len(earlier) == 1
        taken = match["article"] == "of the" and len(earlier) == 2 and before.endswith(" ")
        counted = re.search(r"[NU]\d+ $", before) is not None
        closed = _ONLY.search(before) is not None or own or (taken and counted)
        if (
            len(named) != 1
            or not closed
            or re.search(r"[XFP#]", re.sub(r"F\d+ of (?:his|her|their|its|the)? ?$", "", before))
        ):
            continue
        if re.search(r"[NU]\d+ (?:[a-z]+ )?(?:of )?$", before) and len(earlier) > 1:
            earlier = earlier[:-1]
        others = {q.value for q in earlier} - {named[0].value}
        reach = {named[0].value + sign * value for value in others for sign in (1, -1)}
        if again.value not in reach | others | {named[0].value}:
            yield finding(
                PremiseKind.INCONSISTENT_RESTATEMENT,
                again,
                written(named[0].value),
                named[0].value,
            )
    yield from _prices(reading)


def _prices(reading: Reading) -> Iterator[PremiseFinding]:
    for match in compiled(
        r"(?P<noun>[a-z]+)(?: for [a-z ]+?| to [a-z ]+?| in [a-z ]+?)? (?:costs?|(?:is|are) "
        r"(?:sold (?:for|at)|priced at)) <a:M>(?: each| apiece)?[^A-Z#]*?(?:[NF]\d+ )?of (?:these"
        r"|those) <b:M> (?P<again>[a-z]+)"
    ).finditer(reading.form):
        first, again = reading.of(match["a"]), reading.of(match["b"])
        noun = match["noun"].rstrip("s")
        if same_noun(match["again"], noun) and first.value != again.value:
            yield finding(
                PremiseKind.INCONSISTENT_RESTATEMENT, again, written(first.value), first.value
            )
