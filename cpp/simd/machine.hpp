// What differs between compilers and machines, in one place; all other code is plain C++20.
// GCC and Clang define __SSE2__; MSVC does not, though every x86-64 has it.
// FANGS_INLINE marks a lambda that must be inlined for the dispatch on popcount to reach it.
#pragma once

#if defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define FANGS_SSE2 1
#include <emmintrin.h>
#endif

#if defined(__GNUC__)
#define FANGS_INLINE __attribute__((always_inline))
#else
#define FANGS_INLINE
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define FANGS_DISPATCH_POPCNT 1
#endif
