"""An engine that counts its passes over the draws, and offers the Engine protocol and no more."""

from collections import Counter

from fangs.engine import ThreadedEngine

PASSES = ("overlaps", "align", "place", "permutations", "evaluate", "neighbourhood")
OTHERS = (
    *("samples_info", "select", "subsample", "draw", "relabel", "measure"),
    *("item_counts", "first_equal", "pair_overlaps"),
)


class CountingEngine:
    """Delegates to a `ThreadedEngine`; `passes` says how often each kind of pass was run."""

    def __init__(self, samples, n_threads=1):
        self._engine = ThreadedEngine(samples, n_threads)
        self.passes = Counter()

    def __getattr__(self, name):
        if name in OTHERS:
            return getattr(self._engine, name)
        if name not in PASSES:
            raise AttributeError(name)

        def counted(*args):
            self.passes[name] += 1
            return getattr(self._engine, name)(*args)

        return counted
