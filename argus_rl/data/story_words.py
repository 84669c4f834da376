"""The words of the built-in stories: who holds what, and where. No operations, no numbers.

This file is the part of the story world that every room may read. It carries no truth: which verb
adds and which takes away is known only to `argus_rl.data.story_forms`, behind the sealed key.
"""

HE_NAMES = ("Tom", "Sam", "Ben", "Max", "Leo", "Dan")
"""People whom a story calls `he`."""
SHE_NAMES = ("Ann", "Mia", "Eva", "Zoe", "Amy", "Ida")
"""People whom a story calls `she`."""
NAMES = HE_NAMES + SHE_NAMES
"""Everyone. The only words of the world that are written with a capital inside a sentence."""

ITEMS = ("cards", "shells", "pens", "books", "apples", "eggs", "stamps", "balls", "keys", "nuts")
"""Things that people hold and boxes contain, in the plural."""
THINGS = ("hat", "cup", "toy", "bag")
"""Things that are bought and sold for dollars, in the singular."""
BOXES = ("box", "jar", "basket")
"""What holds items."""
VEHICLES = ("bus", "train", "ship")
"""What people get on and off."""
ANIMALS = ("ducks", "birds", "cows", "sheep")
"""Animals that come and leave."""
PLACES = ("pond", "park", "field")
"""Where animals are."""
TRIPS = ("walk", "ride", "trip", "drive")
"""What takes minutes."""

SCENERY = (
    "the sun is warm",
    "it rains a little",
    "a dog barks",
    "the day is long",
    "the wind is cold",
    "a bird sings",
    "it is late",
    "the sky is blue",
    "a bell rings",
    "the road is quiet",
    "a clock ticks",
    "the grass is wet",
)
"""Sentences about nothing that is counted."""


def pronouns(name: str) -> tuple[str, str, str]:
    """Subject, object and possessive pronoun of a known name; raises KeyError for any other."""
    if name in HE_NAMES:
        return ("he", "him", "his")
    if name in SHE_NAMES:
        return ("she", "her", "her")
    raise KeyError(name)
