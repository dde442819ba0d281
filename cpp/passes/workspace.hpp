// What one thread needs to match one draw after another to an allocation.
// Owns the draw's item sets, the overlaps and the matching, so that hot loops never allocate.
// O(overlap + matching) per draw.
#pragma once

#include <cstddef>
#include <vector>

#include "matching/matching.hpp"
#include "matching/overlap.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace fangs {

template <class T>
class Workspace {
public:
    Workspace(const Draws& draws, const Allocation& allocation)
        : draws_(draws),
          n_rows_(allocation.n_features()),
          overlaps_(allocation),
          sets_(draws.max_features() * draws.n_words()) {}

    // Gives the matching the shape of this draw.
    void resize_for(std::size_t draw) { matching.resize(n_rows_, draws_.n_features(draw)); }

    // Unpacks the features of this draw.
    void read(std::size_t draw) noexcept { draws_.read(draw, sets_.data()); }

    // The overlaps with the draw that was read // (n_rows, stride), in `out` or in own memory
    template <class Check>
    [[nodiscard]] T* compute_overlaps(Check& check, T* out = nullptr) {
        if (out == nullptr) {
            weights_.resize(n_rows_ * matching.stride());
            out = weights_.data();
        }
        overlaps_.compute(sets_.data(), matching.columns.size, matching.stride(), out, check);
        return out;
    }

    // Reads a draw and matches it from scratch; returns its overlaps.
    template <class Check>
    const T* solve(std::size_t draw, Check& check, T* out = nullptr) {
        resize_for(draw);
        read(draw);
        const T* weights = compute_overlaps(check, out);
        matching.solve(weights, check);
        return weights;
    }

    // The draw's feature aligned to this row of the allocation, or null.
    [[nodiscard]] const Word* aligned_to(std::size_t row) const noexcept {
        const T mate = matching.rows.mate[row];
        return mate == Matching<T>::none ? nullptr : feature(static_cast<std::size_t>(mate));
    }
    [[nodiscard]] const Word* feature(std::size_t column) const noexcept {
        return sets_.data() + column * draws_.n_words();
    }

    Matching<T> matching;

private:
    const Draws& draws_;
    std::size_t n_rows_;
    Overlaps<T> overlaps_;
    std::vector<Word> sets_;  // (n_columns, n_words)
    std::vector<T> weights_;  // (n_rows, stride)
};

}  // namespace fangs
