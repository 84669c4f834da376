"""Self-play training of language models that cannot fool itself.

Three loops at three time scales (`argus_rl.loops`) around one model that proposes word problems,
solves them, learns from its own consensus, and refuses an update on which two gauges disagree.
"""
