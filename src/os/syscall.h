/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_SYSCALL_H
#define W_OS_SYSCALL_H

#include <asm/unistd.h>

/*
 * Raw system calls, for code that must not touch libc: the child half, which
 * shares its parent's memory (and errno), and the helper, which has no libc.
 *
 * The result is the kernel's: a negative errno on failure.
 */
#if defined(__clang_analyzer__)

/* An analyzer cannot see what assembly writes. */
long w_sys6(long nr, long a, long b, long c, long d, long e, long f);

#elif defined(__x86_64__)

static inline long
w_sys6(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile(
	    "syscall"
	    : "=a"(ret)
	    : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	    : "rcx", "r11", "memory");
	return ret;
}

#elif defined(__aarch64__)

static inline long
w_sys6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#else
#error "writ knows the system calls of x86_64 and aarch64 only"
#endif

#define w_sys0(nr)       w_sys6((nr), 0, 0, 0, 0, 0, 0)
#define w_sys1(nr, a)    w_sys6((nr), (long)(a), 0, 0, 0, 0, 0)
#define w_sys2(nr, a, b) w_sys6((nr), (long)(a), (long)(b), 0, 0, 0, 0)
#define w_sys3(nr, a, b, c) \
	w_sys6((nr), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define w_sys4(nr, a, b, c, d) \
	w_sys6((nr), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define w_sys5(nr, a, b, c, d, e) \
	w_sys6((nr), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

#endif /* W_OS_SYSCALL_H */
