// Sets of items as words of 64 bits.
// A set over n items takes words_for(n) words; bits past n are always zero.
// Everything here is O(words).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace fangs {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

[[nodiscard]] constexpr std::size_t words_for(std::size_t n_bits) noexcept {
    return (n_bits + word_bits - 1) / word_bits;
}

[[nodiscard]] constexpr std::size_t round_up(std::size_t size, std::size_t multiple) noexcept {
    return (size + multiple - 1) / multiple * multiple;
}

// The lowest `count` bits set; count may be 0 to 64.
[[nodiscard]] constexpr Word low_bits(std::size_t count) noexcept {
    return count >= word_bits ? ~Word{0} : (Word{1} << count) - 1;
}

[[nodiscard]] inline bool test_bit(const Word* words, std::size_t bit) noexcept {
    return (words[bit / word_bits] >> (bit % word_bits)) & 1U;
}

inline void set_bit(Word* words, std::size_t bit) noexcept {
    words[bit / word_bits] |= Word{1} << (bit % word_bits);
}

inline void clear_bit(Word* words, std::size_t bit) noexcept {
    words[bit / word_bits] &= ~(Word{1} << (bit % word_bits));
}

inline void flip_bit(Word* words, std::size_t bit) noexcept {
    words[bit / word_bits] ^= Word{1} << (bit % word_bits);
}

[[nodiscard]] inline bool any(const Word* words, std::size_t n_words) noexcept {
    Word seen = 0;
    for (std::size_t w = 0; w < n_words; ++w) seen |= words[w];
    return seen != 0;
}

// Calls visit(bit) for each set bit, in increasing order.
template <class Visit>
inline void for_each_bit(const Word* words, std::size_t n_words, Visit&& visit) {
    for (std::size_t w = 0; w < n_words; ++w)
        for (Word rest = words[w]; rest != 0; rest &= rest - 1)
            visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
}

}  // namespace fangs
