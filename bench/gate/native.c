/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lets writ run in valgrind, which knows neither how writ makes a process nor
 * the system calls of the last years. It is preloaded; these run on the real
 * processor then, outside of what valgrind counts:
 *
 * - w_clone_child(): the child shares our memory until it executes something,
 *   so valgrind could not run it as well;
 * - system calls that valgrind of Debian 12 does not know: syscall() of the C
 *   library, and w_landlock_abi().
 */

#include <asm/prctl.h>
#include <errno.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

/* From here on the numbers are the same everywhere, and new. */
#define FIRST_NEW_CALL SYS_pidfd_send_signal

struct call {
	long number;
	long args[6];
	long result;
};

static inline long
raw_call(const struct call *call)
{
	long ret;
	register long r10 __asm__("r10") = call->args[3];
	register long r8 __asm__("r8") = call->args[4];
	register long r9 __asm__("r9") = call->args[5];

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(call->number), "D"(call->args[0]),
			 "S"(call->args[1]), "d"(call->args[2]), "r"(r10),
			 "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

static long
native_call(unsigned long thread, struct call *call)
{
	(void)thread;
	call->result = raw_call(call);
	return 0;
}

/* In place of the C library's. */
__attribute__((visibility("default"))) long
syscall(long number, ...)
{
	struct call call = {.number = number};
	va_list list;

	va_start(list, number);
	for (size_t i = 0; i < 6; i++)
		call.args[i] = va_arg(list, long);
	va_end(list);
	if (number >= FIRST_NEW_CALL)
		(void)VALGRIND_NON_SIMD_CALL1(native_call, &call);
	else
		call.result = raw_call(&call);
	if (call.result >= 0 || call.result < -4095)
		return call.result;
	errno = (int)-call.result;
	return -1;
}

/* In place of that of src/sandbox/landlock/landlock_plan.h. */
int I_WRAP_SONAME_FNNAME_ZU(NONE, w_landlock_abi)(int *out_errno);

__attribute__((visibility("default"))) int
I_WRAP_SONAME_FNNAME_ZU(NONE, w_landlock_abi)(int *out_errno)
{
	struct call call = {.number = SYS_landlock_create_ruleset,
	    .args = {0, 0, LANDLOCK_CREATE_RULESET_VERSION}};

	(void)VALGRIND_NON_SIMD_CALL1(native_call, &call);
	if (out_errno != NULL)
		*out_errno = call.result < 0 ? (int)-call.result : 0;
	return call.result < 0 ? 0 : (int)call.result;
}

/* ---- w_clone_child() of src/os/clone.h ---- */

struct birth {
	struct clone_args *args;
	size_t size;
	int (*fn)(void *);
	void *arg;
	long thread_area; /* of the program: valgrind has another */
	long result;
};

static long
native_clone(unsigned long thread, struct birth *birth)
{
	long before = 0, ret;
	struct call ask = {
	    .number = SYS_arch_prctl, .args = {ARCH_GET_FS, (long)&before}};
	struct call set = {.number = SYS_arch_prctl,
	    .args = {ARCH_SET_FS, birth->thread_area}};
	register long r8 __asm__("r8");
	register long r9 __asm__("r9");

	(void)thread;
	(void)raw_call(&ask);
	(void)raw_call(&set);
	set.args[1] = before;
	r8 = (long)birth->fn;
	r9 = (long)birth->arg;
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
			 : "0"((long)SYS_clone3), "D"(birth->args),
			 "S"(birth->size), "r"(r8),
			 "r"(r9), [exit] "i"(SYS_exit_group)
			 : "rcx", "r11", "memory");
	(void)raw_call(&set);
	birth->result = ret;
	return 0;
}

long I_WRAP_SONAME_FNNAME_ZU(NONE, w_clone_child)(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg);

__attribute__((visibility("default"))) long
I_WRAP_SONAME_FNNAME_ZU(NONE, w_clone_child)(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
{
	struct birth birth = {.args = args, .size = size, .fn = fn, .arg = arg};

	__asm__("movq %%fs:0, %0" : "=r"(birth.thread_area));
	(void)VALGRIND_NON_SIMD_CALL1(native_clone, &birth);
	return birth.result;
}
