// What differs between compilers and machines, in one place; all other code is plain C++20.
// GCC and Clang define __SSE2__; MSVC does not, though every x86-64 has it.
// What runs under the dispatch on popcount must be inlined for it to take effect: functions are
// marked FANGS_ALWAYS_INLINE, lambdas FANGS_INLINE.
#pragma once

#if defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define FANGS_SSE2 1
#include <emmintrin.h>
#endif

#if defined(__GNUC__)
#define FANGS_INLINE __attribute__((always_inline))
#define FANGS_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define FANGS_INLINE
#define FANGS_ALWAYS_INLINE inline
#endif

namespace fangs {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define FANGS_DISPATCH_POPCNT 1

template <class Work>
[[gnu::target("popcnt")]] void run_popcnt(Work&& work) {
    work();
}
#endif

// Runs the work, which must be inlined, with hardware popcount where there is one.
template <class Work>
void with_popcnt(Work&& work) {
#ifdef FANGS_DISPATCH_POPCNT
    if (__builtin_cpu_supports("popcnt")) return run_popcnt(work);
#endif
    work();
}

}  // namespace fangs
