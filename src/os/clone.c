/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The one place where a process is created.
 *
 * glibc has no wrapper for clone3(), and syscall() cannot be used: the child
 * would return through the wrapper's frame on a stack that it shares with its
 * parent. So the child jumps to fn, on a stack of its own.
 */

#include "os/clone.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdint.h>

#include "os/syscall.h"

#if defined(__x86_64__)

static long
clone_new(struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
{
	long ret;
	register long r8 __asm__("r8") = (long)fn;
	register long r9 __asm__("r9") = (long)arg;

	/* The kernel has set the child's stack pointer to the aligned top of
	 * its stack, as a call instruction needs it. */
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

static long
clone_old(const struct clone_args *args, int (*fn)(void *), void *arg)
{
	long ret;
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	register long r12 __asm__("r12") = (long)fn;
	register long r13 __asm__("r13") = (long)arg;

	__asm__ volatile(
	    "syscall\n\t"
	    "testq %%rax, %%rax\n\t"
	    "jnz 1f\n\t"
	    "xorl %%ebp, %%ebp\n\t"
	    "movq %%r13, %%rdi\n\t"
	    "callq *%%r12\n\t"
	    "movl %%eax, %%edi\n\t"
	    "movl %[exit], %%eax\n\t"
	    "syscall\n\t"
	    "1:"
	    : "=a"(ret)
	    : "0"((long)__NR_clone), "D"(args->flags | args->exit_signal),
	    "S"(args->stack + args->stack_size), "d"(args->pidfd), "r"(r10),
	    "r"(r8), "r"(r12), "r"(r13), [exit] "i"(__NR_exit_group)
	    : "rcx", "r11", "memory");
	return ret;
}

#elif defined(__aarch64__)

static long
clone_new(struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
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

static long
clone_old(const struct clone_args *args, int (*fn)(void *), void *arg)
{
	register long x8 __asm__("x8") = __NR_clone;
	register long x0 __asm__("x0") =
	    (long)(args->flags | args->exit_signal);
	register long x1 __asm__("x1") = (long)(args->stack + args->stack_size);
	register long x2 __asm__("x2") = (long)args->pidfd;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;
	register long x5 __asm__("x5") = (long)fn;
	register long x6 __asm__("x6") = (long)arg;

	__asm__ volatile("svc 0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, #0\n\t"
			 "mov x0, x6\n\t"
			 "blr x5\n\t"
			 "mov x8, %[exit]\n\t"
			 "svc 0\n\t"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5),
			 "r"(x6), [exit] "i"(__NR_exit_group)
			 : "x30", "memory");
	return x0;
}

#endif

/*
 * Containers block clone3() with ENOSYS, because no filter can read its flags.
 * The older call does the same, except for flags beyond 32 bits.
 */
long
w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
{
	long ret = clone_new(args, size, fn, arg);

	if (ret == -ENOSYS && args->flags <= UINT32_MAX)
		ret = clone_old(args, fn, arg);
	return ret;
}
