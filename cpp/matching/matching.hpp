// Maximum-overlap matching of an allocation's features (rows) with a draw's features (columns).
// Jonker and Volgenant 1987, pp. 328-334, with "unmatched" as one more candidate of value 0.
// O(K^3) at worst, near O(K^2) on similar allocations. A repair takes one augmentation per row.
// check(n_operations) is called at each step that scans a row, and may throw.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "simd/block.hpp"
#include "simd/lanes.hpp"
#include "storage/bits.hpp"

namespace fangs {

// One side of the bipartite graph. In an optimal state duals are >= 0 and 0 where unmatched, and
// the duals of both ends of an edge add up to its weight or more: exactly its weight if it is
// matched.
template <class T>
struct Side {
    std::vector<T> dual;  // (padded), 0 in the padding
    std::vector<T> mate;  // (padded), index on the other side or -1
    std::size_t size = 0;

    [[nodiscard]] std::size_t padded() const noexcept { return dual.size(); }
    void resize(std::size_t n) {
        size = n;
        // Filled apart from resizing: faster than assign().
        dual.resize(round_up(n, lanes));
        mate.resize(round_up(n, lanes));
        std::fill(dual.begin(), dual.end(), T{0});
        std::fill(mate.begin(), mate.end(), T{-1});
    }
};

template <class T>
class Matching {
public:
    static constexpr T none = -1;

    // Sets the layout of the weights: (n_rows, stride()). The caller fills the padding with -1, so
    // that it is never tight. matching/width.hpp says which sizes and weights fit T.
    void resize(std::size_t n_rows, std::size_t n_columns) {
        rows.resize(n_rows);
        columns.resize(n_columns);
    }
    [[nodiscard]] std::size_t stride() const noexcept { return columns.padded(); }

    // Solves from scratch: row maxima, then augmenting row reduction, then shortest augmenting
    // paths for the rows that are still open.
    template <class Check>
    void solve(const T* weights, Check&& check) {
        weights_ = weights;
        std::fill(columns.dual.begin(), columns.dual.end(), T{0});
        std::fill(columns.mate.begin(), columns.mate.end(), none);
        std::fill(rows.mate.begin(), rows.mate.end(), none);
        found_.resize(words_for(stride()));
        free_.assign(words_for(stride()), ~Word{0});
        check(rows.size * stride());
        match_row_maxima();
        reduce_rows(check);
        for (const std::size_t row : open_rows_) augment(rows, columns, row, RowLine{this}, check);
    }

    // Restores optimality after any change to the weights of these rows.
    template <class Check>
    void repair(const T* weights, const std::vector<std::size_t>& changed_rows, Check&& check) {
        weights_ = weights;
        open_rows_.clear();
        open_columns_.clear();
        for (const std::size_t row : changed_rows) {
            const T best = best_of(row);
            const T mate = rows.mate[row];
            rows.dual[row] = best;
            if (mate == none) {
                if (best > 0) open_rows_.push_back(row);
                continue;
            }
            const auto column = static_cast<std::size_t>(mate);
            if (line(row)[column] - columns.dual[column] == best) continue;
            rows.mate[row] = none;
            columns.mate[column] = none;
            if (best > 0) open_rows_.push_back(row);
            open_columns_.push_back(column);
        }
        for (const std::size_t row : open_rows_) augment(rows, columns, row, RowLine{this}, check);
        for (const std::size_t column : open_columns_)
            if (columns.mate[column] == none && columns.dual[column] > 0)
                augment(columns, rows, column, ColumnLine{this}, check);
    }

    // The largest total overlap, by duality.
    [[nodiscard]] std::int64_t total() const noexcept {
        std::int64_t sum = 0;
        for (std::size_t r = 0; r < rows.size; ++r) sum += rows.dual[r];
        for (std::size_t c = 0; c < columns.size; ++c) sum += columns.dual[c];
        return sum;
    }

    Side<T> rows, columns;

private:
    // The weights of one node to all nodes of the other side, contiguous and padded.
    struct RowLine {
        Matching* self;
        const T* operator()(std::size_t row) const noexcept { return self->line(row); }
        T at(std::size_t row, std::size_t column) const noexcept { return self->line(row)[column]; }
    };
    struct ColumnLine {
        Matching* self;
        const T* operator()(std::size_t column) const {
            auto& out = self->column_line_;
            out.assign(self->rows.padded(), T{-1});
            for (std::size_t r = 0; r < self->rows.size; ++r) out[r] = self->line(r)[column];
            return out.data();
        }
        T at(std::size_t column, std::size_t row) const noexcept { return self->line(row)[column]; }
    };

    [[nodiscard]] const T* line(std::size_t row) const noexcept {
        return weights_ + row * stride();
    }

    // The best reduced weight of a row, or 0 for staying unmatched.
    [[nodiscard]] T best_of(std::size_t row) const noexcept {
        return best_value(line(row), columns.dual.data(), stride());
    }

    void match_row_maxima() {
        open_rows_.clear();
        for (std::size_t row = 0; row < rows.size; ++row) {
            const T best = largest(line(row), stride());
            rows.dual[row] = best;
            if (best == 0) continue;
            mark_value(line(row), best, stride(), found_.data());
            const std::size_t column = first_common(found_, free_);
            if (column == nowhere)
                open_rows_.push_back(row);
            else
                join(row, column);
        }
    }

    // Augmenting row reduction: an open row takes its best column and raises the dual of that
    // column until its second best is as good. The row that held the column bids next.
    template <class Check>
    void reduce_rows(Check&& check) {
        // Chains of bids end here at the latest; shortest paths finish what is left.
        std::size_t bids_left = 4 * open_rows_.size() + 8;
        still_open_.clear();
        for (std::size_t row : open_rows_) {
            bool open = true;
            for (; open && bids_left > 0; --bids_left) {
                check(stride());
                const auto [best, second] = best_two(line(row), columns.dual.data(), stride());
                rows.dual[row] = second;
                if (best == 0) {
                    open = false;
                    break;
                }
                mark_tight(line(row), columns.dual.data(), best, stride(), found_.data());
                std::size_t column = first_common(found_, free_);
                if (column != nowhere) {
                    rows.dual[row] = best;
                    join(row, column);
                    open = false;
                    break;
                }
                if (best == second) break;  // a bid of 0 changes nothing
                column = first_common(found_, found_);
                const auto holder = static_cast<std::size_t>(columns.mate[column]);
                columns.dual[column] = static_cast<T>(columns.dual[column] + best - second);
                rows.mate[holder] = none;
                join(row, column);
                row = holder;
            }
            if (open) still_open_.push_back(row);
        }
        open_rows_.swap(still_open_);
    }

    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] static std::size_t first_common(const std::vector<Word>& one,
                                                  const std::vector<Word>& other) noexcept {
        for (std::size_t w = 0; w < one.size(); ++w)
            if (const Word common = one[w] & other[w])
                return w * word_bits + static_cast<std::size_t>(std::countr_zero(common));
        return nowhere;
    }

    void join(std::size_t row, std::size_t column) noexcept {
        rows.mate[row] = static_cast<T>(column);
        columns.mate[column] = static_cast<T>(row);
        clear_bit(free_.data(), column);
    }

    // Augments along a shortest alternating path from `source`, an unmatched node of `near` with a
    // positive dual. It ends at a free node of `far`, or at a node of `near` (perhaps the source)
    // that becomes unmatched because its dual falls to 0. Works from either side.
    template <class Line, class Check>
    void augment(Side<T>& near, Side<T>& far, std::size_t source, Line line_of, Check&& check) {
        near.dual[source] = best_value(line_of(source), far.dual.data(), far.padded());
        scanned_.assign(1, {source, near.dual[source], 0});
        found_.resize(words_for(far.padded()));
        free_.resize(words_for(far.padded()));
        mark_value(far.mate.data(), none, far.padded(), free_.data());
        const PathEnd end = find_path(near, far, line_of, check);

        // Trace the path back before the duals change.
        path_.assign(1, {scanned_[end.at].node, end.taken});
        for (std::size_t at = end.at; at != 0;) {
            const auto taken = static_cast<std::size_t>(near.mate[scanned_[at].node]);
            at = predecessor_of(far, taken, scanned_[at].reach, at, line_of);
            path_.push_back({scanned_[at].node, taken});
        }
        for (const auto& [node, base, reach] : scanned_) {
            const T slack = static_cast<T>(end.reach - reach);
            near.dual[node] = static_cast<T>(near.dual[node] - slack);
            if (node == source) continue;
            T& dual = far.dual[static_cast<std::size_t>(near.mate[node])];
            dual = static_cast<T>(dual + slack);
        }
        for (const auto& [node, taken] : path_) {
            near.mate[node] = taken == nowhere ? none : static_cast<T>(taken);
            if (taken != nowhere) far.mate[taken] = static_cast<T>(node);
        }
    }

    struct PathEnd {
        std::size_t at;     // place in scanned_ of the last node of `near`
        std::size_t taken;  // the free node it takes, or nowhere if it becomes unmatched
        T reach;
    };

    // Dijkstra's algorithm on reduced costs; all nodes at the same distance are closed together.
    template <class Line, class Check>
    [[nodiscard]] PathEnd find_path(const Side<T>& near, const Side<T>& far, Line line_of,
                                    Check&& check) {
        constexpr T unreached = std::numeric_limits<T>::max();
        const std::size_t width = far.padded();
        closed_.assign(width, T{0});
        distance_.assign(width, unreached);
        T leave_cost = unreached;  // of the cheapest node of `near` to leave unmatched
        std::size_t leaver = 0;
        for (std::size_t at = 0;; ++at) {
            check(width);
            const auto [node, base, from] = scanned_[at];
            if (base < leave_cost) {
                leave_cost = base;
                leaver = at;
            }
            const T reach = relax(line_of(node), far.dual.data(), closed_.data(), base, width,
                                  distance_.data());
            if (at + 1 < scanned_.size()) continue;
            if (leave_cost <= reach) return {leaver, nowhere, leave_cost};
            mark_value(distance_.data(), reach, width, found_.data());
            const std::size_t free = first_common(found_, free_);
            if (free != nowhere)
                return {predecessor_of(far, free, reach, scanned_.size(), line_of), free, reach};
            for_each_bit(found_.data(), found_.size(), [&](std::size_t passed) {
                distance_[passed] = closed_[passed] = unreached;
                const auto next = static_cast<std::size_t>(far.mate[passed]);
                scanned_.push_back({next, static_cast<T>(reach + near.dual[next]), reach});
            });
        }
    }

    // Which of the first `count` scanned nodes gave `far_node` this distance.
    template <class Line>
    [[nodiscard]] std::size_t predecessor_of(const Side<T>& far, std::size_t far_node, T distance,
                                             std::size_t count, Line line_of) const {
        std::size_t at = count;
        while (--at != 0)
            if (scanned_[at].base + far.dual[far_node] - line_of.at(scanned_[at].node, far_node) ==
                distance)
                break;
        return at;
    }

    struct Scanned {
        std::size_t node;
        T base;   // its distance plus its dual: the cost of leaving it unmatched
        T reach;  // its distance
    };
    struct Step {
        std::size_t node, taken;  // the node gets this mate; nowhere means none
    };

    const T* weights_ = nullptr;  // (n_rows, stride)
    std::vector<std::size_t> open_rows_, still_open_, open_columns_;
    std::vector<T> distance_, closed_, column_line_;
    std::vector<Word> found_, free_;  // sets of nodes of the far side
    std::vector<Scanned> scanned_;
    std::vector<Step> path_;
};

}  // namespace fangs
