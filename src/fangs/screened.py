"""The default search: starts are compared on some of the draws, the best go on to all.

A few hundred draws tell good starts from bad ones. Where there are many features a descent is long,
and one over these draws ends close to one over all: then the starts are sweetened on them too, and
only the best end goes on. All draws decide: the estimate is sweetened on them until no single flip
lowers the expected loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fangs.course import Course
from fangs.crossing import crossed
from fangs.loss import Objective, left_ordered
from fangs.samples import IntArray, Samples
from fangs.starts import Candidate, from_baseline, from_kick, from_template
from fangs.sweeten import Sweetened, with_births

SCREEN = 512
"""Draws on which starts are made, compared and sweetened before all draws are used."""
WALK, NARROW_WALK = 128, 32
"""Draws that a template is grown from; the second where draws are narrow."""
NARROW = 16
"""Draws with at most this many features on average are narrow: descents are short."""
AGREEMENT = 2
"""Starts in a row that repeat an earlier one, after which no more are made."""
MAX_KICKS = 16
"""Attempts to get past a flip-optimal allocation when no time is granted for more."""
KICK_WORK = 2_000_000
"""Overlaps that one pass for each of those attempts may take; large problems get none."""
KICK_FLIPS = 500
"""Flips in all after which no more of them are begun: where descents are long, they are dear."""
PATIENCE = 500
"""Attempts without success after which a search with time to spare gives up."""


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
        self.ends: list[int] = []

    def run(self) -> None:
        """Start, sweeten, and try to get past where that ends."""
        course = self.course
        with course.timed("start"):
            candidates = self.initialise()
        with course.timed("sweeten"):
            if self.few is self.engine or self.is_narrow:
                self.sweeten_all(candidates)
            else:
                self.sweeten_best(candidates)
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

    def sweeten_all(self, candidates: list[Candidate]) -> None:
        """Sweeten the starts on all draws, and cross where they end."""
        ends: list[Sweetened] = []
        for done, candidate in enumerate(candidates):
            self.course.tell("sweeten", done, len(candidates))
            states = with_births(self.engine, candidate.matrix, self.course.objective)
            ends.append(self.course.follow(candidate, states))
            if self.has_agreement(ends[-1]):
                break
        if len(set(self.ends)) > 1:
            best, *others = sorted(ends, key=lambda end: end.score)
            crossing = Candidate("crossing", None, best.matrix)
            matrices = [other.matrix for other in others]
            states = crossed(self.engine, best.matrix, matrices, self.course.objective)
            self.course.follow(crossing, states)

    def sweeten_best(self, candidates: list[Candidate]) -> None:
        """Sweeten and cross the starts on the screening draws, and what is best on all draws."""
        course = self.course
        ends: list[tuple[Candidate, Sweetened, Sweetened]] = []
        for done, candidate in enumerate(candidates):
            course.tell("sweeten", done, len(candidates) + 1)
            first = Sweetened(candidate.matrix, course.score(candidate.matrix))
            course.consider(first)
            last = self.last_of(with_births(self.few, candidate.matrix, self.few_objective))
            last = replace(last, score=course.score(last.matrix), is_flip_optimal=False)
            last = min(last, first, key=lambda state: state.score)
            course.consider(last)
            course.record_end(candidate, first, last)
            ends.append((candidate, first, last))
            if self.has_agreement(last):
                break
        course.tell("sweeten", len(candidates), len(candidates) + 1)
        ends.sort(key=lambda end: end[2].score)
        candidate, first, last = ends[0]
        others = [end[2].matrix for end in ends[1:]]
        better = self.last_of(crossed(self.few, last.matrix, others, self.few_objective))
        if better.n_flips:
            crossing = Candidate("crossing", None, last.matrix)
            course.follow(crossing, with_births(self.engine, better, course.objective), last)
        if course.best is None or not course.best.is_flip_optimal:
            course.follow(candidate, with_births(self.engine, last, course.objective), first)

    def last_of(self, states: Iterator[Sweetened]) -> Sweetened:
        """Where a descent on the screening draws ends."""
        last = next(states)
        for state in states:
            last = state
            self.course.check_time()
        return last

    def has_agreement(self, end: Sweetened) -> bool:
        """Whether two starts have now come to the same end, and none to a better one."""
        self.ends.append(end.score)
        return self.ends.count(min(self.ends)) == 2

    def improve(self) -> None:
        """Kick the allocation and sweeten it again; go on from there unless it got worse."""
        course = self.course
        assert course.best is not None
        current, kicks, failures, flips = course.best, 0, 0, 0
        most = None if course.record.max_seconds is not None else self.kicks_to_try()
        while failures < PATIENCE if most is None else kicks < most and flips < KICK_FLIPS:
            course.tell("improve", kicks, most)
            kicks += 1
            before = course.best.score
            kick = from_kick(current.matrix, self.engine, self.rng, anew=self.is_narrow)
            end = course.follow(kick, with_births(self.engine, kick.matrix, course.objective))
            flips += end.n_flips
            failures = 0 if end.score < before else failures + 1
            if end.score <= current.score:
                current = end
        if failures:
            course.stopped_because = (
                f"no single flip, and none of the last {failures} kicks, helped"
            )

    def kicks_to_try(self) -> int:
        """As many as are affordable; but where the end can be trusted, only if next to free."""
        work = pass_work(self.engine.samples)
        if self.is_trusted and MAX_KICKS * work > KICK_WORK / 8:
            return 0
        return min(MAX_KICKS, int(KICK_WORK / work))

    @property
    def is_trusted(self) -> bool:
        """Whether all starts came to one end, and it is no easy mistake to agree on.

        Away from a = 1 starts may all lack the same feature, unless every draw has just as many.
        """
        assert self.course.best is not None
        n_features = int(self.course.best.matrix.any(axis=0).sum())
        is_complete = bool((self.engine.samples.n_features == n_features).all())
        return len(set(self.ends)) == 1 and (self.course.objective.a == 1 or is_complete)


def pass_work(samples: Samples) -> float:
    """Roughly the work of one pass over all draws, in overlaps."""
    n_features = samples.n_features.astype(np.float64)
    n_words = -(-samples.n_items // 64)
    return float((n_features**2).sum()) * (0.8 + 0.3 * n_words) + 50.0 * len(samples)


def is_quick(samples: Samples) -> bool:
    """Whether a search is a matter of milliseconds: narrow draws, or so few that kicks pay."""
    return bool(samples.n_features.mean() <= NARROW) or pass_work(samples) <= KICK_WORK
