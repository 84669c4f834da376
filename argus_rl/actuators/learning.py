"""The learner: one update from one lesson."""

from argus_rl.core.rng import Stream
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import LearningEffect
from argus_rl.data.ports import Learner, Lesson


@actuator(Loop.middle)
def teach(lesson: Lesson, learner: Learner, progress: float, stream: Stream) -> LearningEffect:
    """Run one update; a lesson without new pairs changes nothing.

    Without new pairs there is no frontier to learn from, and an update on replay alone would be
    practice without evidence: neither gauge could say what it did.

    Args:
        lesson: weighted pairs, replay and anchors.
        learner: owns weights and optimizer.
        progress: share of the run behind us, in [0, 1], for the schedule.
        stream: names the order of the data.
    """
    if not lesson.pairs:
        return LearningEffect(
            changed=(), updates=0, pairs=0, replayed=0, tokens=0, mean_loss=0.0, skipped=0
        )
    return learner.learn(lesson, progress, stream)
