// Which items a flip of one feature would gain or lose a draw.
// O(K_b * n / 64), or O(n / 64) where the feature has no choice of partner.
#pragma once

#include <algorithm>
#include <cstddef>

#include "alignment.hpp"
#include "edges.hpp"

namespace fangs {

// The items whose flip in feature r changes the overlap of the draw that was read: of those absent,
// the ones that any optimal partner has; of those present, the ones that all of them have.
template <class T>
void find_movable(const Workbench<T>& bench, const OptimalEdges<T>& edges, std::size_t r,
                  const Word* present, std::size_t n_words, Word* movable) noexcept {
    if (edges.has_no_choice(r)) {
        std::copy_n(bench.feature(static_cast<std::size_t>(bench.matching.rows.mate[r])), n_words,
                    movable);
        return;
    }
    const Word* partners = edges.partners(r);
    for (std::size_t w = 0; w < n_words; ++w) {
        Word in_any = 0, in_all = edges.may_be_unmatched(r) ? Word{0} : ~Word{0};
        for_each_bit(partners, edges.n_words(), [&](std::size_t c) {
            in_any |= bench.feature(c)[w];
            in_all &= bench.feature(c)[w];
        });
        movable[w] = (in_any & ~present[w]) | (in_all & present[w]);
    }
}

}  // namespace fangs
