"""Words by which a text is read: what ends a noun, what stands before a year or behind a factor."""

from argus_rl.text.numerals import words_of

MONTHS = frozenset(
    words_of(
        "january february march april may june july august september october november december"
    )
)
"""Names of months."""

STOP_NOUN = frozenset(
    words_of(
        "a an the and or of in on at to for from with by per each every who which that is "
        "are was were has have had he she it they his her their its as than more less "
        "fewer so but then while if when after before into out up down off over under "
        "until between among all both there this these those do does did be been being "
        "will would can could may left remaining together altogether total apiece equally "
        "twice thrice once also still stay stayed stays"
        " came come comes went goes gave took takes sold share shares "
        "shared differ respectively live lives lay"
        " lie lies stand stood weigh weighs drive drove feed feeds "
        "exactly only not no make makes made equal equals cost costs contain contains hold holds"
    )
)
"""Words that end the noun behind a count."""

FRACTION_CHARS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3)}
"""Fractions written as one sign."""

CURRENCY = {"$": "money", "€": "euro", "£": "pound sterling"}
"""Signs of money and their dimension."""

FACTOR_WORDS = {"twice": 2, "thrice": 3}
"""Words for a factor."""

EVEN_PLURALS = frozenset(
    words_of(
        "fish goldfish salmon trout cattle sheep deer children people men women mice geese teeth"
    )
)
"""Plurals without an s."""

OF_A_WHOLE = frozenset(words_of("have has had are is were was full empty as the"))
"""Words behind quarters that are parts and not coins."""

OCCASIONS = frozenset(words_of("a an per each every in and , . ; : ? this during on at last")) | {
    ""
}
"""Words behind "3 times" that tell how often and not how much."""

AMOUNTS = frozenset(
    words_of("amount number size length weight price sum quantity much many volume")
)
"""Words behind "3 times this" that tell how much."""

LABELS = frozenset(
    words_of(
        "room athlete grade row lane number page bus chapter question platform gate route step no "
        "flight class level highway exit apartment locker figure table-number"
    )
)
"""Words before a number that names a thing and counts nothing."""

BEFORE_YEAR = frozenset(
    words_of(
        "in since of until by between from to year during january february march april may june "
        "july august september october november december"
    )
)
"""Words before a year."""
