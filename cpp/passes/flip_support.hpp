// Flip support: the entries of an allocation whose flip changes the overlap with one draw.
// A flip moves the overlap by 0 or 1; the feature's optimal partners tell which
// (docs/how-the-search-works.md). O(K_b * n / 64) per feature, or O(n / 64) where its partner is
// unique.
#pragma once

#include <cstddef>

#include "matching/edges.hpp"
#include "passes/tally.hpp"
#include "passes/workspace.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"

namespace fangs {

// Puts into each row of the tally the items whose flip changes the overlap with the draw that was
// read: absent items that some optimal partner has, present items that all optimal partners have.
template <class T, class Check>
void put_flip_support(const Workspace<T>& workspace, const OptimalEdges<T>& edges,
                      const Allocation& allocation, Tally& tally, Check& check) {
    const std::size_t per_row = allocation.n_words() * edges.n_words() * word_bits;  // at most
    for (std::size_t r = 0; r < allocation.n_features(); ++r) {
        if (edges.has_unique_partner(r)) {
            tally.put(r, workspace.aligned_to(r));
            continue;
        }
        check(per_row);
        const Word* present = allocation.feature(r);
        Word* support = tally.row(r);
        for (std::size_t w = 0; w < allocation.n_words(); ++w) {
            Word in_any = 0, in_all = edges.may_be_unmatched(r) ? Word{0} : ~Word{0};
            for_each_bit(edges.partners(r), edges.n_words(), [&](std::size_t c) {
                in_any |= workspace.feature(c)[w];
                in_all &= workspace.feature(c)[w];
            });
            support[w] = (in_any & ~present[w]) | (in_all & present[w]);
        }
    }
}

}  // namespace fangs
