// Maximum-overlap matching of the estimate's features (rows) with a draw's features (columns),
// with dual prices that prove it, and its repair after some rows changed.
// Row maxima, then augmenting row reduction, then shortest augmenting paths (Jonker and Volgenant
// 1987, pp. 328-334), where "stays unmatched" is one more candidate of value 0.
// O(K^3) at worst; near O(K^2) on overlaps of similar allocations. A repair is one augmentation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bits.hpp"

namespace fangs {

// Lines of weights are padded to whole vectors, so that every scan is a plain loop without a tail.
inline constexpr std::size_t lanes = 16;

// One side of the bipartite graph. Invariants of an optimal state: dual >= 0, dual of both ends of
// an edge together >= its weight, equal on matched edges, and 0 where unmatched.
template <class T>
struct Side {
    std::vector<T> dual;  // (padded), 0 in the padding
    std::vector<T> mate;  // (padded), index on the other side or -1
    std::size_t size = 0;

    [[nodiscard]] std::size_t padded() const noexcept { return dual.size(); }
    void resize(std::size_t n) {
        size = n;
        dual.assign(round_up(n, lanes), 0);
        mate.assign(round_up(n, lanes), -1);
    }
};

template <class T>
class Matching {
public:
    static constexpr T none = -1;

    // Largest number of items whose sums of three overlaps stay below the "closed" mark.
    static constexpr std::size_t max_items = std::numeric_limits<T>::max() / 3 - 1;

    // Gives the weights' layout: (n_rows, stride()), padding filled with -1 by the caller so that
    // it is never tight.
    void resize(std::size_t n_rows, std::size_t n_columns) {
        rows.resize(n_rows);
        columns.resize(n_columns);
    }
    [[nodiscard]] std::size_t stride() const noexcept { return columns.padded(); }

    // Solves from nothing.
    void solve(const T* weights) {
        weights_ = weights;
        std::fill(columns.dual.begin(), columns.dual.end(), T{0});
        std::fill(columns.mate.begin(), columns.mate.end(), none);
        std::fill(rows.mate.begin(), rows.mate.end(), none);
        match_row_maxima();
        reduce_rows();
        for (const std::size_t row : open_rows_) augment(rows, columns, row, RowLine{this});
    }

    // Restores optimality after the weights of these rows changed in any way.
    void repair(const T* weights, const std::vector<std::size_t>& changed_rows) {
        weights_ = weights;
        open_rows_.clear();
        open_columns_.clear();
        for (const std::size_t row : changed_rows) {
            const T best = best_value(row);
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
        for (const std::size_t row : open_rows_) augment(rows, columns, row, RowLine{this});
        for (const std::size_t column : open_columns_)
            if (columns.mate[column] == none && columns.dual[column] > 0)
                augment(columns, rows, column, ColumnLine{this});
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
    static constexpr T closed = std::numeric_limits<T>::max();

    // The weights of one node to all nodes of the other side, contiguous and padded.
    struct RowLine {
        Matching* self;
        const T* operator()(std::size_t row) const noexcept { return self->line(row); }
    };
    struct ColumnLine {
        Matching* self;
        const T* operator()(std::size_t column) const {
            auto& out = self->column_line_;
            out.assign(self->rows.padded(), T{-1});
            for (std::size_t r = 0; r < self->rows.size; ++r) out[r] = self->line(r)[column];
            return out.data();
        }
    };

    [[nodiscard]] const T* line(std::size_t row) const noexcept {
        return weights_ + row * stride();
    }

    // What the row would pay for its best column, or 0 for staying unmatched.
    [[nodiscard]] T best_value(std::size_t row) const noexcept {
        const T* weight = line(row);
        const T* price = columns.dual.data();
        T best = 0;
        for (std::size_t c = 0; c < stride(); ++c)
            best = std::max(best, static_cast<T>(weight[c] - price[c]));
        return best;
    }

    void match_row_maxima() {
        open_rows_.clear();
        for (std::size_t row = 0; row < rows.size; ++row) {
            const T best = best_value(row);
            rows.dual[row] = best;
            if (best == 0) continue;
            const T* weight = line(row);
            const T* mate = columns.mate.data();
            T found = closed;
            for (std::size_t c = 0; c < stride(); ++c) {
                const bool fits = (weight[c] == best) & (mate[c] < 0);
                found = std::min(found, fits ? static_cast<T>(c) : closed);
            }
            if (found == closed)
                open_rows_.push_back(row);
            else
                join(row, static_cast<std::size_t>(found));
        }
    }

    // Augmenting row reduction: an open row takes its best column and raises that column's price
    // until its second best is as good; whoever held the column bids next.
    void reduce_rows() {
        // A chain of bids is cut off here at the latest; shortest paths finish what is left.
        std::size_t bids_left = 4 * open_rows_.size() + 8;
        still_open_.clear();
        for (std::size_t row : open_rows_) {
            while (true) {
                if (bids_left-- == 0) {
                    bids_left = 1;
                    still_open_.push_back(row);
                    break;
                }
                const Bid bid = best_two(row);
                rows.dual[row] = bid.second;
                if (bid.best == 0) break;
                const auto column = static_cast<std::size_t>(bid.column);
                const T holder = columns.mate[column];
                if (holder != none && bid.best == bid.second) {
                    still_open_.push_back(row);  // a bid of nothing moves nobody
                    break;
                }
                columns.dual[column] =
                    static_cast<T>(columns.dual[column] + bid.best - bid.second);
                join(row, column);
                if (holder == none) break;
                row = static_cast<std::size_t>(holder);
                rows.mate[row] = none;
            }
        }
        open_rows_.swap(still_open_);
    }

    struct Bid {
        T best, second, column;
    };

    // Best and second best value of a row, counting "unmatched" as 0; among the best columns a
    // free one comes first, then the lowest.
    [[nodiscard]] Bid best_two(std::size_t row) noexcept {
        const T* weight = line(row);
        const T* price = columns.dual.data();
        const T* mate = columns.mate.data();
        const T best = best_value(row);
        if (best == 0) return {0, 0, none};
        T count = 0, second = 0, lowest = closed, lowest_free = closed;
        for (std::size_t c = 0; c < stride(); ++c) {
            const T value = static_cast<T>(weight[c] - price[c]);
            const bool top = value == best;
            const T index = static_cast<T>(c);
            count = static_cast<T>(count + (top ? 1 : 0));
            second = std::max(second, top ? T{0} : value);
            lowest = std::min(lowest, top ? index : closed);
            lowest_free = std::min(lowest_free, top & (mate[c] < 0) ? index : closed);
        }
        if (count > 1) second = best;
        return {best, second, lowest_free == closed ? lowest : lowest_free};
    }

    void join(std::size_t row, std::size_t column) noexcept {
        rows.mate[row] = static_cast<T>(column);
        columns.mate[column] = static_cast<T>(row);
    }

    // Shortest alternating path from `source`, an unmatched node of `near` with a positive dual, to
    // a free node of `far`, or to a node of `near` that gives up its mate because its dual falls to
    // 0 (the source itself included). Works from either side.
    template <class Line>
    void augment(Side<T>& near, Side<T>& far, std::size_t source, Line line_of) {
        const std::size_t width = far.padded();
        const T* price = far.dual.data();
        const T* mate = far.mate.data();
        distance_.resize(width);
        closed_.assign(width, T{0});
        before_.resize(width);
        T* distance = distance_.data();
        T* before = before_.data();
        const T* shut = closed_.data();

        const T* weight = line_of(source);
        T start = 0;
        for (std::size_t c = 0; c < width; ++c)
            start = std::max(start, static_cast<T>(weight[c] - price[c]));
        near.dual[source] = start;
        for (std::size_t c = 0; c < width; ++c) {
            distance[c] = static_cast<T>(start + price[c] - weight[c]);
            before[c] = static_cast<T>(source);
        }
        T leave_cost = start;  // price of the cheapest node of `near` that could end unmatched
        std::size_t leaver = source;
        scanned_.clear();
        T reach;
        std::size_t end;
        while (true) {
            T nearest = closed;
            for (std::size_t c = 0; c < width; ++c) nearest = std::min(nearest, distance[c]);
            if (leave_cost <= nearest) {
                reach = leave_cost;
                end = width;
                break;
            }
            T lowest = closed, lowest_free = closed;
            for (std::size_t c = 0; c < width; ++c) {
                const bool top = distance[c] == nearest;
                const T index = static_cast<T>(c);
                lowest = std::min(lowest, top ? index : closed);
                lowest_free = std::min(lowest_free, top & (mate[c] < 0) ? index : closed);
            }
            reach = nearest;
            if (lowest_free != closed) {
                end = static_cast<std::size_t>(lowest_free);
                break;
            }
            const auto stop = static_cast<std::size_t>(lowest);
            const auto next = static_cast<std::size_t>(mate[stop]);
            scanned_.push_back({stop, nearest});
            distance[stop] = closed;
            closed_[stop] = closed;
            if (nearest + near.dual[next] < leave_cost) {
                leave_cost = static_cast<T>(nearest + near.dual[next]);
                leaver = next;
            }
            weight = line_of(next);
            const T base = static_cast<T>(nearest + near.dual[next]);
            const T label = static_cast<T>(next);
            for (std::size_t c = 0; c < width; ++c) {
                // A closed node's distance is the largest value, and so is its candidate.
                const T candidate = static_cast<T>((base + price[c] - weight[c]) | shut[c]);
                const bool better = candidate < distance[c];
                before[c] = better ? label : before[c];
                distance[c] = better ? candidate : distance[c];
            }
        }

        near.dual[source] = static_cast<T>(near.dual[source] - reach);
        for (const auto& [node, at] : scanned_) {
            const T slack = static_cast<T>(reach - at);
            const auto partner = static_cast<std::size_t>(far.mate[node]);
            far.dual[node] = static_cast<T>(far.dual[node] + slack);
            near.dual[partner] = static_cast<T>(near.dual[partner] - slack);
        }
        if (end == width) {  // the leaver gives up its mate to the path behind it
            if (leaver == source) return;
            end = static_cast<std::size_t>(near.mate[leaver]);
            near.mate[leaver] = none;
        }
        while (true) {
            const auto node = static_cast<std::size_t>(before_[end]);
            const T passed = near.mate[node];
            near.mate[node] = static_cast<T>(end);
            far.mate[end] = static_cast<T>(node);
            if (node == source) return;
            end = static_cast<std::size_t>(passed);
        }
    }

    struct Scanned {
        std::size_t node;
        T distance;
    };

    const T* weights_ = nullptr;  // (n_rows, stride)
    std::vector<std::size_t> open_rows_, still_open_, open_columns_;
    std::vector<T> distance_, closed_, before_, column_line_;
    std::vector<Scanned> scanned_;
};

}  // namespace fangs
