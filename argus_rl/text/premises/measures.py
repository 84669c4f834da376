"""Units of measure: which are of one dimension, and their exact ratios.

from argus_rl.text.numerals import words_of

Only ratios that hold by definition are listed, and metric and imperial units are different
dimensions, because a conversion between them in a problem is nearly always rounded.
"""

from fractions import Fraction

from argus_rl.text.numerals import words_of

_TABLE: dict[str, dict[str, Fraction | int]] = {
    "time": {
        "second seconds sec secs s": 1,
        "minute minutes min mins": 60,
        "hour hours hr hrs h": 3600,
        "day days": 86400,
        "week weeks": 604800,
        "fortnight fortnights": 1209600,
    },
    "calendar": {"month months": 1, "year years yr yrs": 12, "decade decades": 120},
    "length": {
        "mm millimetre millimetres millimeter millimeters": 1,
        "cm centimetre centimetres centimeter centimeters": 10,
        "m metre metres meter meters": 1000,
        "km kilometre kilometres kilometer kilometers kms": 1000000,
    },
    "imperial length": {
        "inch inches": 1,
        "foot feet ft": 12,
        "yard yards yd yds": 36,
        "mile miles mi": 63360,
    },
    "mass": {
        "mg milligram milligrams": 1,
        "g gram grams": 1000,
        "kg kilogram kilograms kilo kilos": 1000000,
        "tonne tonnes": 1000000000,
    },
    "imperial mass": {"ounce ounces oz": 1, "pound pounds lb lbs": 16, "ton tons": 32000},
    "volume": {
        "ml millilitre millilitres milliliter milliliters": 1,
        "cl centilitre centilitres": 10,
        "litre litres liter liters l": 1000,
    },
    "imperial volume": {
        "cup cups": 1,
        "pint pints": 2,
        "quart quarts": 4,
        "gallon gallons": 16,
    },
    "money": {"cent cents": Fraction(1, 100), "dollar dollars": 1},
    "euro": {"euro euros": 1},
    "degree": {"degree degrees": 1},
}

UNITS: dict[str, tuple[str, Fraction]] = {
    name: (dimension, Fraction(ratio))
    for dimension, units in _TABLE.items()
    for names, ratio in units.items()
    for name in names.split()
}
"""Unit name -> (dimension, size in the smallest unit of the dimension)."""

SHORT_UNITS = frozenset({"s", "h", "m", "l", "g", "min", "sec"})
"""Unit names that count as units only directly behind a digit."""

COINS: dict[str, Fraction] = {
    "penny": Fraction(1, 100),
    "pennies": Fraction(1, 100),
    "nickel": Fraction(5, 100),
    "nickels": Fraction(5, 100),
    "dime": Fraction(10, 100),
    "dimes": Fraction(10, 100),
    "quarter": Fraction(25, 100),
    "quarters": Fraction(25, 100),
}
"""Coin name -> value in dollars."""

PACKS: dict[str, int] = {
    "dozen": 12,
    "dozens": 12,
    "pair": 2,
    "pairs": 2,
    "score": 20,
    "gross": 144,
}
"""Words that count things in packs of a fixed size."""

PEOPLE_AND_ANIMALS = frozenset(
    words_of(
        "person people child children kid kids boy boys girl girls man men woman women "
        "student students pupil pupils player players member members guest guests friend "
        "friends worker workers employee employees passenger passengers teacher teachers "
        "adult adults voter voters fan fans visitor visitors scout scouts soldier "
        "soldiers sailor sailors nurse nurses dancer dancers singer singers runner "
        "runners camper campers tourist tourists customer customers brother brothers "
        "sister sisters cousin cousins dog dogs cat cats cow cows horse horses sheep goat "
        "goats chicken chickens hen hens duck ducks bird birds rabbit rabbits fish pig "
        "pigs puppy puppies kitten kittens bee bees butterfly butterflies"
    )
)
"""Nouns of which there can be no fraction."""

WHOLE_THINGS = PEOPLE_AND_ANIMALS | frozenset(
    words_of(
        "car cars bus buses van vans book books card cards coin coins stamp stamps "
        "sticker stickers marble marbles ball balls balloon balloons chair chairs desk "
        "desks table tables ticket tickets button buttons pencil pencils pen pens toy "
        "toys doll dolls shirt shirts hat hats egg eggs seat seats bottle bottles jar "
        "jars can cans tile tiles bead beads shell shells flower flowers rose roses tulip "
        "tulips tree trees lamp lamps letter letters photo photos bulb bulbs brick bricks "
        "screw screws nail nails key keys ship ships boat boats bike bikes bicycle "
        "bicycles house houses room rooms cup cups plate plates spoon spoons phone phones "
        "candle candles envelope envelopes badge badges crayon crayons sock socks shoe "
        "shoes computer computers chess"
    )
)
"""Nouns of which a problem never means a fraction when it shares them out."""
