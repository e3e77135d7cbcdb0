/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SYSCALL_TABLE_H
#define W_SANDBOX_SYSCALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "sandbox/seccomp/seccomp_filter.h"

/*
 * The system calls that a filter knows by number. All others up to the newest
 * are allowed.
 */
enum w_seccomp_class {
	/* Power over the machine or other processes, or a part of the kernel
	 * that ordinary programs do not need: EPERM. */
	W_SECCOMP_DENY,
	/* Pretend it is missing: ENOSYS, so that libraries use the older call,
	 * which a filter can check. */
	W_SECCOMP_ABSENT,
	/* Changes what a mount namespace would protect; denied if the kind says
	 * so. */
	W_SECCOMP_METADATA,
	W_SECCOMP_MODES,
	/* Shared machine-wide without an IPC namespace; likewise. */
	W_SECCOMP_IPC,
	/* Allowed, but a wall may refuse it, so explaining needs to see it. */
	W_SECCOMP_WATCH,
	/* A file without a path, so Landlock does not see it executed or
	 * mapped: ENOSYS with an allowlist. */
	W_SECCOMP_MEMORY,
	/* Decided by their arguments. */
	W_SECCOMP_CLONE,
	W_SECCOMP_CHMOD,    /* MODES, else a mode in the 2nd argument */
	W_SECCOMP_CHMODAT,  /* likewise in the 3rd */
	W_SECCOMP_CREATE,   /* WATCH, else a mode in the 2nd */
	W_SECCOMP_CREATEAT, /* likewise in the 3rd */
	W_SECCOMP_OPEN,     /* flags in the 2nd, then the mode */
	W_SECCOMP_OPENAT,   /* flags in the 3rd, then the mode */
	W_SECCOMP_EXECVE,   /* WATCH, or judged */
	W_SECCOMP_EXECVEAT, /* likewise, except the command's own */
	W_SECCOMP_IOCTL,
	W_SECCOMP_PERSONALITY,
	W_SECCOMP_PRLIMIT,
	W_SECCOMP_SECCOMP,
	W_SECCOMP_SOCKET,
	W_SECCOMP_SOCKETPAIR,
	W_SECCOMP_CLASSES
};

enum w_seccomp_machine {
	W_SECCOMP_X86_64,
	W_SECCOMP_AARCH64,
	W_SECCOMP_MACHINES,
#if defined(__x86_64__)
	W_SECCOMP_NATIVE = W_SECCOMP_X86_64,
#else
	W_SECCOMP_NATIVE = W_SECCOMP_AARCH64,
#endif
};

enum {
	W_SECCOMP_NO_CALL = -1, /* missing on this architecture */
	W_SECCOMP_NEWEST = 469, /* file_setattr, Linux 6.17; same on both */
	W_SECCOMP_X32 = 0x40000000,
};

/* Numbers for both architectures: system headers know only their own. An array
 * costs no start of a program anything, a pointer does. */
struct w_seccomp_call {
	char name[32];
	int16_t nr[W_SECCOMP_MACHINES];
	uint8_t class;
};

extern const struct w_seccomp_call w_seccomp_calls[];
extern const size_t w_seccomp_call_count;

/* The filter for either architecture; w_seccomp_build() builds ours. */
void w_seccomp_build_for(enum w_seccomp_machine machine,
    const struct w_seccomp_kind *kind, struct w_seccomp_filter *out_filter);

#endif /* W_SANDBOX_SYSCALL_TABLE_H */
