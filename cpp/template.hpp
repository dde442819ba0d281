// A start that belongs to no single draw: mean columns, grown while walking through some draws.
// Each draw is matched to the running means; what it matches is averaged in, what it does not match
// opens a new column, and columns that few draws support are dropped. Further rounds match the
// same draws to the means of the round before. O(draws walked * (overlap + matching)).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "draws.hpp"
#include "matching.hpp"

namespace fangs {

template <class T>
class Template {
public:
    explicit Template(const Draws& draws)
        : draws_(draws), sets_(draws.max_features() * draws.n_words()), row_(draws.n_items()) {}

    // walk // draw indices; counts come out as (n_features, n_items): in how many of the draws
    // walked the feature matched to this column has the item.
    std::vector<std::int32_t> grow(std::span<const std::size_t> walk, std::size_t n_rounds) {
        columns_.clear();
        for (std::size_t step = 0; step < walk.size(); ++step) {
            match(walk[step], columns_);
            add_matched(columns_, true);
            if ((step + 1) % prune_every == 0) prune();
        }
        prune();
        for (std::size_t round = 1; round < n_rounds; ++round) {
            std::vector<Column> fresh(columns_.size(), Column{});
            for (Column& column : fresh) column.counts.assign(draws_.n_items(), 0);
            for (const std::size_t draw : walk) {
                match(draw, columns_);
                add_matched(fresh, false);
            }
            for (Column& column : fresh) column.age = static_cast<std::int32_t>(walk.size());
            columns_ = std::move(fresh);
            prune();
        }
        std::vector<std::int32_t> out;
        for (const Column& column : columns_)
            out.insert(out.end(), column.counts.begin(), column.counts.end());
        return out;
    }

private:
    struct Column {
        std::vector<std::int32_t> counts;  // (n_items)
        std::int32_t support = 0;          // draws that matched it
        std::int32_t age = 0;              // draws since it was opened
    };

    static constexpr std::size_t prune_every = 16;

    // Matches a draw's features to the columns; weights are shares of draws in units of 1/scale.
    void match(std::size_t draw, const std::vector<Column>& columns) {
        const std::size_t n_words = draws_.n_words(), n_features = draws_.n_features(draw);
        draws_.read(draw, sets_.data());
        matching_.resize(columns.size(), n_features);
        const std::size_t stride = matching_.stride();
        weights_.assign(columns.size() * stride, T{-1});
        const auto scale = static_cast<std::int32_t>(
            std::min<std::size_t>(128, Matching<T>::max_items / draws_.n_items()));
        for (std::size_t j = 0; j < columns.size(); ++j) {
            for (std::size_t i = 0; i < draws_.n_items(); ++i)
                row_[i] = (columns[j].counts[i] * scale + columns[j].age / 2) /
                          std::max(columns[j].age, 1);
            for (std::size_t k = 0; k < n_features; ++k) {
                std::int32_t sum = 0;
                for_each_bit(sets_.data() + k * n_words, n_words,
                             [&](std::size_t item) { sum += row_[item]; });
                weights_[j * stride + k] = static_cast<T>(sum);
            }
        }
        matching_.solve(weights_.data());
    }

    void add_matched(std::vector<Column>& columns, bool open_new) {
        const std::size_t n_words = draws_.n_words(), n_known = columns.size();
        for (Column& column : columns) ++column.age;
        for (std::size_t k = 0; k < matching_.columns.size; ++k) {
            const T mate = matching_.columns.mate[k];
            if (mate == Matching<T>::none && !open_new) continue;
            const std::size_t j =
                mate == Matching<T>::none ? columns.size() : static_cast<std::size_t>(mate);
            if (j >= n_known && mate == Matching<T>::none)
                columns.push_back({std::vector<std::int32_t>(draws_.n_items(), 0), 0, 1});
            ++columns[j].support;
            for_each_bit(sets_.data() + k * n_words, n_words,
                         [&](std::size_t item) { ++columns[j].counts[item]; });
        }
    }

    // Drops columns none of whose items is in at least a tenth of the draws since they opened.
    void prune() {
        std::erase_if(columns_, [](const Column& column) {
            const std::int32_t most = *std::max_element(column.counts.begin(), column.counts.end());
            return column.age >= 8 && 10 * most < column.age;
        });
    }

    const Draws& draws_;
    std::vector<Word> sets_;         // (n_features of the draw, n_words)
    std::vector<std::int32_t> row_;  // (n_items)
    std::vector<T> weights_;         // (columns, stride)
    std::vector<Column> columns_;
    Matching<T> matching_;
};

}  // namespace fangs
