// Uninitialised memory for large arrays, in huge pages where the system has them.
// The first touch of a page costs system time: with 4 KiB pages as much as matching all draws.
// O(1); the threads that fill the memory touch it first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "storage/bits.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fangs {

struct FreeMemory {
    void operator()(void* memory) const noexcept { std::free(memory); }
};

template <class T>
using Buffer = std::unique_ptr<T[], FreeMemory>;

template <class T>
[[nodiscard]] Buffer<T> make_buffer(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    void* memory = nullptr;
#if defined(__linux__)
    constexpr std::size_t huge = std::size_t{2} << 20;
    if (bytes >= 2 * huge) {
        memory = std::aligned_alloc(huge, round_up(bytes, huge));
        if (memory != nullptr) madvise(memory, round_up(bytes, huge), MADV_HUGEPAGE);
    }
#endif
    if (memory == nullptr) memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return Buffer<T>(static_cast<T*>(memory));
}

}  // namespace fangs
