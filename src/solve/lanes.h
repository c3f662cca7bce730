// SPDX-License-Identifier: Apache-2.0
// Two or four numbers side by side, at any place in memory. The compiler turns each operation into one or more
// instructions, with the same bits on every processor.
#ifndef SOLVE_LANES_H
#define SOLVE_LANES_H

typedef double StickTwo __attribute__((vector_size(16), aligned(8), may_alias));
typedef double StickFour __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long StickFourBits __attribute__((vector_size(32)));

// A body that is compiled into two functions, a plain one and one with STICK_AVX2.
#define STICK_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define STICK_AVX2 __attribute__((target("avx2")))
#define STICK_HAS_AVX2() __builtin_cpu_supports("avx2")
#else
#define STICK_AVX2
#define STICK_HAS_AVX2() 0
#endif

#endif
