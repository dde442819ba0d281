// Room for arrays that are filled by whoever uses them first: large ones in huge pages, where the
// system has them. The first touch of every page costs time in the system, with pages of 4 KiB as
// much as it takes to match all draws anew.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "bits.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fangs {

struct Freed {
    void operator()(void* room) const noexcept { std::free(room); }
};

template <class T>
using Room = std::unique_ptr<T[], Freed>;

// Not initialised.
template <class T>
[[nodiscard]] Room<T> make_room(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    void* room = nullptr;
#if defined(__linux__)
    constexpr std::size_t huge = std::size_t{2} << 20;
    if (bytes >= 2 * huge) {
        room = std::aligned_alloc(huge, round_up(bytes, huge));
        if (room != nullptr) madvise(room, round_up(bytes, huge), MADV_HUGEPAGE);
    }
#endif
    if (room == nullptr) room = std::malloc(bytes == 0 ? 1 : bytes);
    if (room == nullptr) throw std::bad_alloc();
    return Room<T>(static_cast<T*>(room));
}

}  // namespace fangs
