/* SPDX-License-Identifier: Apache-2.0 */

/* System calls that are decided by their arguments. */

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "sandbox/seccomp/seccomp_builder.h"

enum {
	NETLINK_OF_ROUTES = 0,
	TMPFILE_BIT = 020000000, /* of O_TMPFILE, on both architectures */
	SOCKET_TYPE = 0xf        /* without the flags */
};

/* Both architectures are little-endian: the low half comes first. */
static void
load_low(struct w_seccomp_builder *builder, size_t arg)
{
	w_seccomp_load(builder,
	    offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t));
}

static void
place_class(struct w_seccomp_builder *builder, enum w_seccomp_class class)
{
	w_seccomp_place(builder, W_LABEL_CLASSES + (unsigned)class);
}

/*
 * A set-user-ID program, left where the command may write, gives whoever starts
 * it later the rights of the command's user, outside any sandbox. These calls
 * never create a directory, so the set-group-ID bit is denied too; chmod of a
 * directory with that bit is common (shared repositories), and a filter cannot
 * tell what a path names.
 */
static void
emit_mode(struct w_seccomp_builder *builder, size_t arg, uint32_t bits)
{
	load_low(builder, arg);
	w_seccomp_test(builder, BPF_JSET, bits, W_LABEL_DENY, W_LABEL_ALLOW);
}

static void
emit_chmod(struct w_seccomp_builder *builder)
{
	place_class(builder, W_SECCOMP_CHMOD);
	emit_mode(builder, 1, S_ISUID);
	place_class(builder, W_SECCOMP_CHMODAT);
	emit_mode(builder, 2, S_ISUID);
}

static void
emit_create(struct w_seccomp_builder *builder)
{
	const uint32_t bits = S_ISUID | S_ISGID;
	const unsigned third = W_LABEL_CLASSES + W_SECCOMP_CREATEAT;

	place_class(builder, W_SECCOMP_CREATE);
	emit_mode(builder, 1, bits);
	/* Without O_CREAT the mode register holds garbage. */
	place_class(builder, W_SECCOMP_OPENAT);
	load_low(builder, 2);
	w_seccomp_test(builder, BPF_JSET, O_CREAT | TMPFILE_BIT, W_LABEL_NEXT,
	    W_LABEL_ALLOW);
	emit_mode(builder, 3, bits);
	place_class(builder, W_SECCOMP_OPEN);
	load_low(builder, 1);
	w_seccomp_test(
	    builder, BPF_JSET, O_CREAT | TMPFILE_BIT, third, W_LABEL_ALLOW);
	place_class(builder, W_SECCOMP_CREATEAT);
	emit_mode(builder, 2, bits);
}

/* A new namespace brings new capabilities inside it, and with them exposes much
 * more of the kernel. */
static void
emit_clone(struct w_seccomp_builder *builder)
{
	place_class(builder, W_SECCOMP_CLONE);
	load_low(builder, 0);
	w_seccomp_test(builder, BPF_JSET,
	    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
		CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
	    W_LABEL_REFUSE, W_LABEL_ALLOW);
}

static void
load_high(struct w_seccomp_builder *builder, size_t arg)
{
	w_seccomp_load(builder, offsetof(struct seccomp_data, args) +
				    arg * sizeof(uint64_t) + sizeof(uint32_t));
}

/* The command itself is started by its descriptor, before a listener exists.
 * Any program can be started by a descriptor, so judging takes a pass that only
 * our helper knows; the kernel ignores this argument. */
static void
emit_execveat(struct w_seccomp_builder *builder)
{
	const uint64_t pass = builder->kind->exec_pass;

	place_class(builder, W_SECCOMP_EXECVEAT);
	if (builder->kind->judges) {
		load_low(builder, 5);
		w_seccomp_test(builder, BPF_JEQ, (uint32_t)pass, W_LABEL_NEXT,
		    W_LABEL_NOTIFY);
		load_high(builder, 5);
		w_seccomp_test(builder, BPF_JEQ, (uint32_t)(pass >> 32),
		    W_LABEL_ALLOW, W_LABEL_NOTIFY);
		return;
	}
	load_low(builder, 4);
	w_seccomp_test(
	    builder, BPF_JSET, AT_EMPTY_PATH, W_LABEL_ALLOW, W_LABEL_NOTIFY);
}

/*
 * Injecting input into a terminal escapes any sandbox that has one.
 *
 * A descriptor opened for reading is enough for file system ioctls that set
 * flags, make subvolumes or make a file immutable, and no Landlock right covers
 * them: of their groups only the plain queries are allowed.
 */
static void
emit_ioctl(struct w_seccomp_builder *builder)
{
	static const uint32_t groups[] = {
	    'X', 'f', 'r', 'v', 0x94 /* btrfs */, 0xf5 /* f2fs */};
	static const uint32_t questions[] = {0x80086601 /* FS_IOC_GETFLAGS */,
	    0x80087601 /* FS_IOC_GETVERSION */,
	    0x801c581f /* FS_IOC_FSGETXATTR */, 0xc020660b /* FS_IOC_FIEMAP */};
	size_t group_count = sizeof(groups) / sizeof(*groups);

	place_class(builder, W_SECCOMP_IOCTL);
	load_low(builder, 1);
	w_seccomp_test(builder, BPF_JEQ, TIOCSTI, W_LABEL_DENY, W_LABEL_NEXT);
	bool goes_on = builder->kind->denies_metadata;
	w_seccomp_test(builder, BPF_JEQ, TIOCLINUX, W_LABEL_DENY,
	    goes_on ? W_LABEL_NEXT : W_LABEL_ALLOW);
	if (!goes_on)
		return;
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		w_seccomp_test(builder, BPF_JEQ, questions[i], W_LABEL_ALLOW,
		    W_LABEL_NEXT);
	w_seccomp_emit(builder, BPF_ALU | BPF_AND | BPF_K, 0xff00);
	for (size_t i = 0; i < group_count; i++)
		w_seccomp_test(builder, BPF_JEQ, groups[i] << 8, W_LABEL_DENY,
		    i + 1 < group_count ? W_LABEL_NEXT : W_LABEL_ALLOW);
}

/* Only querying it or resetting it to normal; anything else weakens the
 * process. */
static void
emit_personality(struct w_seccomp_builder *builder)
{
	place_class(builder, W_SECCOMP_PERSONALITY);
	load_low(builder, 0);
	w_seccomp_test(builder, BPF_JEQ, 0, W_LABEL_ALLOW, W_LABEL_NEXT);
	w_seccomp_test(
	    builder, BPF_JEQ, UINT32_MAX, W_LABEL_ALLOW, W_LABEL_DENY);
}

/* New limits can kill another process of the same user. */
static void
emit_prlimit(struct w_seccomp_builder *builder)
{
	place_class(builder, W_SECCOMP_PRLIMIT);
	load_low(builder, 0);
	w_seccomp_test(builder, BPF_JEQ, 0, W_LABEL_ALLOW, W_LABEL_NEXT);
	load_low(builder, 2);
	w_seccomp_test(builder, BPF_JEQ, 0, W_LABEL_NEXT, W_LABEL_DENY);
	load_high(builder, 2);
	w_seccomp_test(builder, BPF_JEQ, 0, W_LABEL_ALLOW, W_LABEL_DENY);
}

/* Nested filters are fine; a nested listener would decide in place of ours. */
static void
emit_seccomp(struct w_seccomp_builder *builder)
{
	place_class(builder, W_SECCOMP_SECCOMP);
	load_low(builder, 1);
	w_seccomp_test(builder, BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER,
	    W_LABEL_DENY, W_LABEL_ALLOW);
}

/* An allowlist of address families: unknown ones are denied. */
static void
emit_socket(struct w_seccomp_builder *builder)
{
	const struct w_seccomp_kind *kind = builder->kind;

	place_class(builder, W_SECCOMP_SOCKET);
	load_low(builder, 0);
	if (kind->has_internet) {
		w_seccomp_test(
		    builder, BPF_JEQ, AF_INET, W_LABEL_ALLOW, W_LABEL_NEXT);
		w_seccomp_test(
		    builder, BPF_JEQ, AF_INET6, W_LABEL_ALLOW, W_LABEL_NEXT);
	}
	if (kind->has_netlink) {
		unsigned other = builder->labels++;
		w_seccomp_test(
		    builder, BPF_JEQ, AF_NETLINK, W_LABEL_NEXT, other);
		load_low(builder, 2);
		w_seccomp_test(builder, BPF_JEQ, NETLINK_OF_ROUTES,
		    W_LABEL_ALLOW, W_LABEL_FAMILY);
		w_seccomp_place(builder, other);
	}
	w_seccomp_test(builder, BPF_JEQ, AF_UNIX,
	    kind->has_unix_paths ? W_LABEL_ALLOW : W_LABEL_FAMILY,
	    W_LABEL_FAMILY);
}

/* Datagram socket pairs are not closed: each end can send to any address, like
 * one from socket(). */
static void
emit_socketpair(struct w_seccomp_builder *builder)
{
	bool goes_on = !builder->kind->has_unix_paths;

	place_class(builder, W_SECCOMP_SOCKETPAIR);
	load_low(builder, 0);
	w_seccomp_test(builder, BPF_JEQ, AF_UNIX,
	    goes_on ? W_LABEL_NEXT : W_LABEL_ALLOW, W_LABEL_FAMILY);
	if (!goes_on)
		return;
	load_low(builder, 1);
	w_seccomp_emit(builder, BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPE);
	w_seccomp_test(
	    builder, BPF_JEQ, SOCK_STREAM, W_LABEL_ALLOW, W_LABEL_NEXT);
	w_seccomp_test(
	    builder, BPF_JEQ, SOCK_SEQPACKET, W_LABEL_ALLOW, W_LABEL_FAMILY);
}

void
w_seccomp_emit_args(struct w_seccomp_builder *builder)
{
	emit_clone(builder);
	if (builder->kind->explains || builder->kind->judges)
		emit_execveat(builder);
	if (!builder->kind->explains && !w_seccomp_denies_modes(builder->kind))
		emit_chmod(builder);
	if (!builder->kind->explains)
		emit_create(builder);
	emit_ioctl(builder);
	emit_personality(builder);
	if (builder->kind->denies_metadata)
		emit_prlimit(builder);
	emit_seccomp(builder);
	emit_socket(builder);
	emit_socketpair(builder);
}
