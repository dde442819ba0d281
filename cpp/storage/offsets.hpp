// Where the features of each draw start, in about two bytes per draw.
// A start is kept as its distance from the first start of its block of up to 64 draws.
// O(1) to read. Blocks are halved whenever a distance does not fit 16 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "storage/growing.hpp"

namespace fangs {

class Offsets {
public:
    [[nodiscard]] std::size_t size() const noexcept { return distance_.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return base_.bytes() + distance_.bytes(); }
    [[nodiscard]] std::size_t operator[](std::size_t i) const noexcept {
        return base_[i >> log_block_] + distance_[i];
    }

    // Each start is at least the one before.
    void push_back(std::size_t start) {
        while (!at_block_start() && start - base_.back() > max_distance) halve_blocks();
        if (at_block_start()) base_.push_back(start);
        distance_.push_back(static_cast<std::uint16_t>(start - base_.back()));
    }

    void reserve(std::size_t size) {
        distance_.reserve(size);
        base_.reserve((size >> log_block_) + 1);
    }

    void shrink_to_fit() {
        base_.shrink_to_fit();
        distance_.shrink_to_fit();
    }

private:
    static constexpr std::size_t max_distance = std::numeric_limits<std::uint16_t>::max();

    [[nodiscard]] bool at_block_start() const noexcept {
        return size() % (std::size_t{1} << log_block_) == 0;
    }

    void halve_blocks() {
        const unsigned log_half = log_block_ - 1;
        Growing<std::size_t> base;
        for (std::size_t i = 0; i < size(); ++i) {
            const std::size_t start = (*this)[i];
            if (i >> log_half == base.size()) base.push_back(start);
            distance_[i] = static_cast<std::uint16_t>(start - base.back());
        }
        base_ = std::move(base);
        log_block_ = log_half;
    }

    unsigned log_block_ = 6;
    Growing<std::size_t> base_;        // (blocks), the first start of each
    Growing<std::uint16_t> distance_;  // (starts), from the base of its block
};

}  // namespace fangs
