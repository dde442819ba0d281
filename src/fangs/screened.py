"""The default search: starts are compared on some of the draws, the best go on to all.

A few hundred draws tell good starts from bad ones. Where there are many features a descent is long,
and one over these draws ends close to one over all: then the starts are sweetened on them too, and
only the best end goes on. All draws decide: the estimate is sweetened on them until no single flip
lowers the expected loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from fangs.course import Course
from fangs.crossing import crossed
from fangs.leap import leap
from fangs.loss import Objective, left_ordered
from fangs.samples import IntArray, Samples
from fangs.starts import Candidate, from_baseline, from_kick, from_template
from fangs.sweeten import Sweetened, with_births
from fangs.swings import MAX_SWINGS, swung, swung_away
from fangs.validate import BinaryMatrix

SCREEN = 512
"""Draws on which starts are made, compared and sweetened before all draws are used."""
WALK, NARROW_WALK = 128, 32
"""Draws that a template is grown from; the second where draws are narrow."""
NARROW = 16
"""Draws with at most this many features on average are narrow: descents are short."""
ENOUGH = 64
"""Screening draws that must lack, or have, an entry for a flip of it to pay; else all are used."""
LATE_TURNS = 2
"""Turns of swings over all draws that must be in vain before there are no more."""
AGREEMENT = 2
"""Starts in a row that repeat an earlier one, after which no more are made."""
MAX_ATTEMPTS = 32
"""Attempts in a row to get past a flip-optimal allocation when no time is granted for more."""
ATTEMPT_WORK = 2_000_000
"""Overlaps that one pass for each of those attempts may take; large problems get none."""
FLIPS_IN_VAIN = 2000
"""Flips without success after which no more are begun: where descents are long, they are dear."""
PATIENCE = 500
"""Attempts without success after which a search with time to spare gives up."""


class End(NamedTuple):
    """Where the descent from a start ended."""

    candidate: Candidate
    first: Sweetened
    last: Sweetened


class ScreenedSearch:
    """One run of the default search."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.engine = course.engine
        self.rng = np.random.default_rng(course.record.seed)
        self.draws = np.arange(self.engine.n_draws)
        self.few = self.engine
        if len(self.draws) > SCREEN:
            self.draws = np.sort(self.rng.choice(len(self.draws), size=SCREEN, replace=False))
            self.few = self.engine.select(self.draws)
        self.few_objective = Objective.of(self.few, course.objective.a)
        self.is_narrow = self.few.samples.n_features.mean() <= NARROW
        self.sweetens_all = self.few is self.engine or self.is_narrow
        self.n_distinct = 0
        self.ends: list[int] = []

    def run(self) -> None:
        """Start, sweeten, and try to get past where that ends."""
        course = self.course
        with course.timed("start"):
            candidates = self.initialise()
        with course.timed("sweeten"):
            sweeten = self.sweeten_all if self.sweetens_all else self.sweeten_some
            ends = sweeten(candidates)
        with course.timed("refine"):
            self.refine(ends)
        course.stopped_because = "no single flip lowers the expected loss"
        with course.timed("improve"):
            self.improve()

    def initialise(self) -> list[Candidate]:
        """Make starts and keep the best `n_sweet`, no two of them equal, by the screening draws."""
        course = self.course
        ranked: list[tuple[int, Candidate]] = []
        seen: dict[bytes, int] = {}
        repeats: list[tuple[int, Candidate]] = []
        in_a_row = 0
        for done, candidate in enumerate(self.candidates(), start=1):
            key = left_ordered(candidate.matrix).tobytes()
            if key in seen:
                in_a_row += 1
                repeats.append((seen[key], candidate))
                if in_a_row == AGREEMENT:
                    break
            else:
                in_a_row = 0
                seen[key] = self.score(candidate)
                ranked.append((seen[key], candidate))
            course.tell("start", done, course.record.n_init)
        self.n_distinct = len(ranked)
        ranked.sort(key=lambda pair: pair[0])
        if self.few is self.engine:
            for score, candidate in sorted([*ranked, *repeats], key=lambda pair: pair[0]):
                course.record_start(candidate, score)
        return [candidate for _, candidate in ranked[: course.record.n_sweet]]

    def candidates(self) -> Iterator[Candidate]:
        """Templates and starts from single draws, in turn."""
        n_draws, n_init = len(self.draws), self.course.record.n_init
        n_walk = min(NARROW_WALK if self.is_narrow else WALK, n_draws)
        walks = [self.rng.permutation(n_draws)[:n_walk] for _ in range(n_init // 2)]
        n_baselines = min(n_init - len(walks), n_draws)
        baselines = self.rng.choice(n_draws, size=n_baselines, replace=False).tolist()
        grown: list[IntArray] = []
        for turn in range(max(len(walks), n_baselines)):
            if turn < len(walks):
                if not grown:  # as many at once as there are threads
                    grown = self.few.grow_templates(walks[turn : turn + self.engine.n_threads])
                yield from_template(self.few, grown.pop(0), n_walk, self.few_objective)
            if turn < n_baselines:
                at = baselines[turn]
                start = from_baseline(self.few, at, self.few_objective)
                yield replace(start, draw=int(self.draws[at]))

    def score(self, candidate: Candidate) -> int:
        """Score a start: exactly by all draws, or well enough by the screening draws."""
        course, matrix = self.course, candidate.matrix
        if self.few is self.engine:
            score = course.score(matrix)
            course.consider(Sweetened(matrix, score))
            return score
        # Aligned to what the start was made from, not to the start itself; so no further pass.
        score = self.few_objective.score(int(matrix.sum()), candidate.overlap)
        loss = self.few_objective.loss_of_score(score)
        if course.preview is None or loss < course.preview[0]:
            course.preview = (loss, matrix)
        return score

    def sweeten_all(self, candidates: list[Candidate]) -> list[End]:
        """Sweeten the starts on all draws, until two agree."""
        ends: list[End] = []
        for done, candidate in enumerate(candidates):
            self.course.tell("sweeten", done, len(candidates))
            last = self.leap(candidate) if self.n_distinct == 1 else None
            if last is None:
                descent = with_births(self.engine, candidate.matrix, self.course.objective)
                last = self.course.follow(candidate, descent)
            ends.append(End(candidate, last, last))
            if self.has_agreement(last):
                break
        return ends

    def leap(self, candidate: Candidate) -> Sweetened | None:
        """Where a start ends if its features are so clear that all flips can be made at once."""
        course, own = self.course, self.course.objective
        priced = self.engine.price(left_ordered(candidate.matrix))
        states = [course.state_of(priced)]
        is_there = states[0].is_flip_optimal
        landed = leap(self.engine, priced, {**course.also, **({} if is_there else {own.a: own})})
        if not is_there:
            if own.a not in landed:
                return None
            _, priced, n_flips = landed.pop(own.a)
            states.append(replace(course.state_of(priced), n_flips=n_flips))
            if states[1].score >= states[0].score:
                return None
        last = course.follow(candidate, iter(states))
        course.priced, course.landed = priced, landed
        return last

    def sweeten_some(self, candidates: list[Candidate]) -> list[End]:
        """Sweeten the starts on the screening draws, until two agree; score them on all draws."""
        course = self.course
        ends: list[End] = []
        for done, candidate in enumerate(candidates):
            course.tell("sweeten", done, len(candidates))
            first = Sweetened(candidate.matrix, course.score(candidate.matrix))
            course.consider(first)
            last = self.last_of(with_births(self.few, candidate.matrix, self.few_objective))
            last = replace(last, score=course.score(last.matrix), is_flip_optimal=False)
            last = min(last, first, key=lambda state: state.score)
            course.consider(last)
            course.record_end(candidate, first, last)
            ends.append(End(candidate, first, last))
            if self.has_agreement(last):
                break
        return ends

    def refine(self, ends: list[End]) -> None:
        """Cross the ends and swing, on the screening draws; sweeten the outcome on all draws."""
        course, few, objective = self.course, self.few, self.few_objective
        best, *others = sorted(ends, key=lambda end: end.last.score)
        if not self.is_trusted or self.is_next_to_free:
            matrices = [other.last.matrix for other in others]
            crossing = self.last_of(crossed(few, best.last.matrix, matrices, objective))
            own, *_, found = self.told(swung(few, crossing.matrix, objective, self.rng))
            if crossing.n_flips or found.n_flips:
                method = "swing" if found.score < own.score else "crossing"
                better = Candidate(method, None, best.last.matrix)
                descent = with_births(self.engine, found, course.objective)
                course.follow(better, descent, best.last)
        assert course.best is not None
        if not course.best.is_flip_optimal:
            descent = with_births(self.engine, best.last, course.objective)
            course.follow(best.candidate, descent, best.first)
        is_enough = few is self.engine or not is_far_out(objective.a)
        if not is_enough and not self.is_trusted:
            late = Candidate("swing", None, course.best.matrix)
            states = swung(self.engine, late.matrix, course.objective, self.rng, turns=LATE_TURNS)
            course.follow(late, self.told(states))

    def last_of(self, states: Iterator[Sweetened]) -> Sweetened:
        """Where a descent on the screening draws ends."""
        last = next(states)
        for state in states:
            last = state
            self.course.check_time()
        return last

    def told(self, swings: Iterator[Sweetened]) -> Iterator[Sweetened]:
        """The states after each swing, with a report on each."""
        for done, state in enumerate(swings):
            self.course.tell("refine", done, MAX_SWINGS)
            yield state

    def has_agreement(self, end: Sweetened) -> bool:
        """Whether two starts have now come to the same end, and none to a better one."""
        self.ends.append(end.score)
        return self.ends.count(min(self.ends)) == 2

    def improve(self) -> None:
        """Kick or swing and sweeten again, many times; go on from there unless it got worse."""
        course = self.course
        assert course.best is not None
        has_time = course.record.max_seconds is not None
        patience = PATIENCE if has_time else self.attempts_to_make()
        current, attempts, failures, in_vain = course.best, 0, 0, 0
        while failures < patience and (has_time or in_vain < FLIPS_IN_VAIN):
            course.tell("improve", attempts, None)
            attempts += 1
            before = course.best.score
            start = self.kicked_or_swung(current.matrix, swings=attempts % 2 == 0)
            end = course.follow(start, with_births(self.engine, start.matrix, course.objective))
            if end.score < before:
                failures, in_vain = 0, 0
            else:
                failures, in_vain = failures + 1, in_vain + end.n_flips
            if end.score <= current.score:
                current = end
        if failures:
            course.stopped_because = (
                f"no single flip, and none of the last {failures} kicks and swings, helped"
            )

    def kicked_or_swung(self, matrix: BinaryMatrix, *, swings: bool) -> Candidate:
        """Where to descend from next."""
        if swings:
            objective = self.course.objective
            return Candidate("swing", None, swung_away(self.engine, matrix, objective, self.rng))
        return from_kick(matrix, self.engine, self.rng, anew=self.is_narrow)

    def attempts_to_make(self) -> int:
        """As many as are affordable; where the end can be trusted, only some that are free."""
        if self.is_trusted:
            return MAX_ATTEMPTS // 2 if self.is_next_to_free else 0
        return min(MAX_ATTEMPTS, int(ATTEMPT_WORK / pass_work(self.engine.samples)))

    @property
    def is_next_to_free(self) -> bool:
        """Whether draws are so few and small that more can be tried without need."""
        return MAX_ATTEMPTS * pass_work(self.engine.samples) <= ATTEMPT_WORK / 4

    @property
    def is_trusted(self) -> bool:
        """Whether all starts were one or came to one end, and that is no easy mistake.

        On the screening draws two of many ends may agree by chance. Away from a = 1 starts may all
        lack the same feature, unless every draw has just as many.
        """
        assert self.course.best is not None
        n_features = int(self.course.best.matrix.any(axis=0).sum())
        is_complete = bool((self.engine.samples.n_features == n_features).all())
        has_one_end = self.sweetens_all and len(self.ends) > 1 and len(set(self.ends)) == 1
        is_unanimous = has_one_end or self.n_distinct == 1
        return is_unanimous and (self.course.objective.a == 1 or is_complete)


def is_far_out(a: float) -> bool:
    """Whether so few draws decide about an entry that hardly any are screening draws."""
    return SCREEN * min(a, 2 - a) / 2 < ENOUGH


def pass_work(samples: Samples) -> float:
    """Roughly the work of one pass over all draws, in overlaps."""
    n_features = samples.n_features.astype(np.float64)
    n_words = -(-samples.n_items // 64)
    return float((n_features**2).sum()) * (0.8 + 0.3 * n_words) + 50.0 * len(samples)


def is_quick(samples: Samples) -> bool:
    """Whether a search is a matter of milliseconds: narrow draws, or so few that kicks pay."""
    return bool(samples.n_features.mean() <= NARROW) or pass_work(samples) <= ATTEMPT_WORK
