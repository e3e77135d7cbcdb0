/* SPDX-License-Identifier: Apache-2.0 */

/* System calls that are allowed or not by what they ask for. */

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "sandbox/seccomp_make.h"

enum {
	NETLINK_OF_ROUTES = 0,
	SOCKET_TYPES = 0xf, /* the rest of the word are flags */
};

/* Both machines are little-endian: the low half comes first. */
static void
load_low(struct w_seccomp_maker *maker, size_t arg)
{
	w_seccomp_load(maker,
	    offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t));
}

static void
load_high(struct w_seccomp_maker *maker, size_t arg)
{
	w_seccomp_load(maker, offsetof(struct seccomp_data, args) +
				  arg * sizeof(uint64_t) + sizeof(uint32_t));
}

static void
place_class(struct w_seccomp_maker *maker, enum w_seccomp_class class)
{
	w_seccomp_place(maker, W_LABEL_CLASSES + (unsigned)class);
}

/* A new namespace brings new powers inside it, and with them much of the
 * kernel that was out of reach. */
static void
emit_clone(struct w_seccomp_maker *maker)
{
	place_class(maker, W_SECCOMP_CLONE);
	load_low(maker, 0);
	w_seccomp_test(maker, BPF_JSET,
	    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
		CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
	    W_LABEL_REFUSE, W_LABEL_ALLOW);
}

/* The command itself is started by its descriptor, before anybody listens. */
static void
emit_execveat(struct w_seccomp_maker *maker)
{
	place_class(maker, W_SECCOMP_EXECVEAT);
	load_low(maker, 4);
	w_seccomp_test(
	    maker, BPF_JSET, AT_EMPTY_PATH, W_LABEL_ALLOW, W_LABEL_NOTIFY);
}

/*
 * Typing into a terminal is a way out of any sandbox that has one.
 *
 * A descriptor that was opened for reading is enough for the requests of file
 * systems that set flags, make subvolumes or seal a file for ever, and no
 * Landlock right covers them: of their groups only the plain questions stay.
 */
static void
emit_ioctl(struct w_seccomp_maker *maker)
{
	static const uint32_t groups[] = {
	    'X', 'f', 'r', 'v', 0x94 /* btrfs */, 0xf5 /* f2fs */};
	static const uint32_t questions[] = {0x80086601 /* FS_IOC_GETFLAGS */,
	    0x80087601 /* FS_IOC_GETVERSION */,
	    0x801c581f /* FS_IOC_FSGETXATTR */, 0xc020660b /* FS_IOC_FIEMAP */};
	size_t group_count = sizeof(groups) / sizeof(*groups);

	place_class(maker, W_SECCOMP_IOCTL);
	load_low(maker, 1);
	w_seccomp_test(maker, BPF_JEQ, TIOCSTI, W_LABEL_DENY, W_LABEL_NEXT);
	bool goes_on = maker->kind->denies_metadata;
	w_seccomp_test(maker, BPF_JEQ, TIOCLINUX, W_LABEL_DENY,
	    goes_on ? W_LABEL_NEXT : W_LABEL_ALLOW);
	if (!goes_on)
		return;
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		w_seccomp_test(
		    maker, BPF_JEQ, questions[i], W_LABEL_ALLOW, W_LABEL_NEXT);
	w_seccomp_emit(maker, BPF_ALU | BPF_AND | BPF_K, 0xff00);
	for (size_t i = 0; i < group_count; i++)
		w_seccomp_test(maker, BPF_JEQ, groups[i] << 8, W_LABEL_DENY,
		    i + 1 < group_count ? W_LABEL_NEXT : W_LABEL_ALLOW);
}

/* To be told, or back to normal; anything else weakens the process. */
static void
emit_personality(struct w_seccomp_maker *maker)
{
	place_class(maker, W_SECCOMP_PERSONALITY);
	load_low(maker, 0);
	w_seccomp_test(maker, BPF_JEQ, 0, W_LABEL_ALLOW, W_LABEL_NEXT);
	w_seccomp_test(maker, BPF_JEQ, UINT32_MAX, W_LABEL_ALLOW, W_LABEL_DENY);
}

/* New limits for another process of the same user can end it. */
static void
emit_prlimit(struct w_seccomp_maker *maker)
{
	place_class(maker, W_SECCOMP_PRLIMIT);
	load_low(maker, 0);
	w_seccomp_test(maker, BPF_JEQ, 0, W_LABEL_ALLOW, W_LABEL_NEXT);
	load_low(maker, 2);
	w_seccomp_test(maker, BPF_JEQ, 0, W_LABEL_NEXT, W_LABEL_DENY);
	load_high(maker, 2);
	w_seccomp_test(maker, BPF_JEQ, 0, W_LABEL_ALLOW, W_LABEL_DENY);
}

/* Filters in filters are fine, a listener would judge in place of ours. */
static void
emit_seccomp(struct w_seccomp_maker *maker)
{
	place_class(maker, W_SECCOMP_SECCOMP);
	load_low(maker, 1);
	w_seccomp_test(maker, BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER,
	    W_LABEL_DENY, W_LABEL_ALLOW);
}

/* Families by name: those that nobody thought of are not there. */
static void
emit_socket(struct w_seccomp_maker *maker)
{
	const struct w_seccomp_kind *kind = maker->kind;

	place_class(maker, W_SECCOMP_SOCKET);
	load_low(maker, 0);
	if (kind->has_internet) {
		w_seccomp_test(
		    maker, BPF_JEQ, AF_INET, W_LABEL_ALLOW, W_LABEL_NEXT);
		w_seccomp_test(
		    maker, BPF_JEQ, AF_INET6, W_LABEL_ALLOW, W_LABEL_NEXT);
	}
	if (kind->has_netlink) {
		unsigned other = maker->labels++;
		w_seccomp_test(maker, BPF_JEQ, AF_NETLINK, W_LABEL_NEXT, other);
		load_low(maker, 2);
		w_seccomp_test(maker, BPF_JEQ, NETLINK_OF_ROUTES, W_LABEL_ALLOW,
		    W_LABEL_FAMILY);
		w_seccomp_place(maker, other);
	}
	w_seccomp_test(maker, BPF_JEQ, AF_UNIX,
	    kind->has_unix_paths ? W_LABEL_ALLOW : W_LABEL_FAMILY,
	    W_LABEL_FAMILY);
}

/* A datagram socket, even one of a pair, sends to whatever path it is told:
 * where no view hides the machine's sockets, pairs are connections. */
static void
emit_socketpair(struct w_seccomp_maker *maker)
{
	bool goes_on = !maker->kind->has_unix_paths;

	place_class(maker, W_SECCOMP_SOCKETPAIR);
	load_low(maker, 0);
	w_seccomp_test(maker, BPF_JEQ, AF_UNIX,
	    goes_on ? W_LABEL_NEXT : W_LABEL_ALLOW, W_LABEL_FAMILY);
	if (!goes_on)
		return;
	load_low(maker, 1);
	w_seccomp_emit(maker, BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPES);
	w_seccomp_test(
	    maker, BPF_JEQ, SOCK_STREAM, W_LABEL_ALLOW, W_LABEL_NEXT);
	w_seccomp_test(
	    maker, BPF_JEQ, SOCK_SEQPACKET, W_LABEL_ALLOW, W_LABEL_FAMILY);
}

void
w_seccomp_emit_args(struct w_seccomp_maker *maker)
{
	emit_clone(maker);
	if (maker->kind->explains)
		emit_execveat(maker);
	emit_ioctl(maker);
	emit_personality(maker);
	if (maker->kind->denies_metadata)
		emit_prlimit(maker);
	emit_seccomp(maker);
	emit_socket(maker);
	emit_socketpair(maker);
}
