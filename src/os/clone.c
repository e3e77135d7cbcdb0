/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The one place where a process is made.
 *
 * glibc has no wrapper for clone3(), and syscall() cannot be used: the child
 * would return through the wrapper's frame on a stack that it shares with its
 * parent. So the child is sent to fn by hand, on a stack of its own.
 */

#include "os/clone.h"

#include <linux/sched.h>

#include "os/syscall.h"

#if defined(__x86_64__)

long
w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
{
	long ret;
	register long r8 __asm__("r8") = (long)fn;
	register long r9 __asm__("r9") = (long)arg;

	/* The kernel has set the child's stack pointer to the aligned top of
	 * its stack, as a call instruction wants it. */
	__asm__ volatile("syscall\n\t"
			 "testq %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xorl %%ebp, %%ebp\n\t"
			 "movq %%r9, %%rdi\n\t"
			 "callq *%%r8\n\t"
			 "movl %%eax, %%edi\n\t"
			 "movl %[exit], %%eax\n\t"
			 "syscall\n\t"
			 "1:"
			 : "=a"(ret)
			 : "0"((long)__NR_clone3), "D"(args), "S"(size),
			 "r"(r8), "r"(r9), [exit] "i"(__NR_exit_group)
			 : "rcx", "r11", "memory");
	return ret;
}

#elif defined(__aarch64__)

long
w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
{
	register long x8 __asm__("x8") = __NR_clone3;
	register long x0 __asm__("x0") = (long)args;
	register long x1 __asm__("x1") = (long)size;
	register long x2 __asm__("x2") = (long)fn;
	register long x3 __asm__("x3") = (long)arg;

	__asm__ volatile(
	    "svc 0\n\t"
	    "cbnz x0, 1f\n\t"
	    "mov x29, #0\n\t"
	    "mov x0, x3\n\t"
	    "blr x2\n\t"
	    "mov x8, %[exit]\n\t"
	    "svc 0\n\t"
	    "1:"
	    : "+r"(x0)
	    : "r"(x8), "r"(x1), "r"(x2), "r"(x3), [exit] "i"(__NR_exit_group)
	    : "x30", "memory");
	return x0;
}

#endif
