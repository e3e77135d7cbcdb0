/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SECCOMP_FILTER_H
#define W_SANDBOX_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	W_SECCOMP_MAX = 1024
};

/* Selects a filter. */
struct w_seccomp_kind {
	bool has_unix_paths; /* allow socket(AF_UNIX): a mount namespace hides
				the machine's sockets. socketpair is always
				allowed */
	bool has_internet; /* allow AF_INET and AF_INET6: the network namespace
			      or the policy decides */
	bool has_netlink;  /* allow AF_NETLINK with NETLINK_ROUTE, which libc
			      needs to list addresses: with network loopback or
			      host */
	bool denies_metadata; /* deny the chmod, chown, utime and xattr families
				 where no mount namespace makes files read-only;
				 also System V and POSIX message queues, limits
				 of other processes and the ioctls that change a
				 file or file system, which no other wall covers
				 there */
	bool has_modes;       /* allow the chmod, chown and utime families all
				 the same: builds need them */
	bool has_allowlist;   /* no files in memory: they could be executed */
	bool explains; /* send denials, and calls that walls may refuse, to a
			  listener; see explain.h */
	bool judges;   /* send each start of a program to a listener, except
			  one with the pass */
	uint64_t exec_pass; /* the unused 6th argument of the execveat() that
			       starts the command itself, while nobody listens
			       yet; random, so that no command can use it */
};

static inline bool
w_seccomp_denies_modes(const struct w_seccomp_kind *kind)
{
	return kind->denies_metadata && !kind->has_modes;
}

struct w_seccomp_filter {
	size_t count;
	struct sock_filter code[W_SECCOMP_MAX];
};

/* Cannot fail: the tables are constants, checked by tests. */
void w_seccomp_build(
    const struct w_seccomp_kind *kind, struct w_seccomp_filter *out_filter);

/*
 * The filter's result for a call: a SECCOMP_RET_ value. For the listener of a
 * filter that explains: the same kind without `explains` says whether the call
 * may continue (SECCOMP_RET_ALLOW) or which errno it gets. A call that is not
 * allowed there must never be continued.
 */
struct seccomp_data;
uint32_t w_seccomp_evaluate(
    const struct w_seccomp_filter *filter, const struct seccomp_data *data);

/* The name of a native call that the filter knows by number; else NULL. */
const char *w_seccomp_call_name(int nr);

#endif /* W_SANDBOX_SECCOMP_FILTER_H */
