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

/* Which filter. */
struct w_seccomp_kind {
	bool has_unix_paths;  /* socket(AF_UNIX) is allowed: a mount namespace
				 hides the sockets of the machine; socketpair
				 always is */
	bool has_internet;    /* AF_INET and AF_INET6 are allowed: the network
				 namespace or the policy takes care */
	bool has_netlink;     /* AF_NETLINK with NETLINK_ROUTE, which libc
				 wants to find out its addresses: with network
				 loopback or host */
	bool denies_metadata; /* chmod, chown, utime and xattr families: where
				 no mount namespace makes files read-only; also
				 System V and POSIX message queues, limits of
				 other processes and the ioctls that change a
				 file or file system, which no other wall
				 covers there */
	bool has_allowlist;   /* files in memory cannot be made: they could be
			     executed */
	bool explains;        /* denials and the calls that walls may refuse
				 go to a listener; see explain.h */
};

struct w_seccomp_filter {
	size_t count;
	struct sock_filter code[W_SECCOMP_MAX];
};

/* Cannot fail: the tables are constants, checked by tests. */
void w_seccomp_build(
    const struct w_seccomp_kind *kind, struct w_seccomp_filter *out_filter);

/*
 * What a filter answers to a call: a SECCOMP_RET_ value. For the listener of
 * a filter that explains: the same kind without `explains` says whether the
 * call may go on (SECCOMP_RET_ALLOW) or which errno it gets. Anything that is
 * not allowed there must never be continued.
 */
struct seccomp_data;
uint32_t w_seccomp_evaluate(
    const struct w_seccomp_filter *filter, const struct seccomp_data *data);

/* The name of a native call that the filter knows by number; NULL: another. */
const char *w_seccomp_call_name(int nr);

#endif /* W_SANDBOX_SECCOMP_FILTER_H */
