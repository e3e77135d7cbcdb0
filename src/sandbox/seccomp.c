/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From the table of system calls to a filter.
 *
 * Loading a filter costs time by its length, at each start, so it is kept
 * short: numbers are searched by halves, neighbours with the same fate are
 * one range, and each fate exists once, at the end. Frequent calls need no
 * test of their own: the kernel notes for each number whether the filter
 * always allows it, and then does not run it.
 *
 * Numbers and 32-bit arguments are compared in 32 bits, as the kernel cuts
 * them before use: what is in the upper half must not help anybody.
 *
 * While a filter is made, jt and jf of a jump hold labels. All is forward and
 * within 255 instructions; the tests see to it.
 */

#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "sandbox/seccomp_table.h"

enum {
	NETLINK_OF_ROUTES = 0,
	RUNS_MAX = 256,
	LABELS_MAX = 256,
	LEAF = 3, /* runs that are tried one after the other */
};

/* Where a jump goes. Up to LABEL_ENDS each is an instruction that returns;
 * the tree of numbers makes more behind the last. */
enum label {
	LABEL_NEXT,
	LABEL_ALLOW,
	LABEL_DENY,   /* EPERM, or the listener */
	LABEL_REFUSE, /* EPERM, even with a listener */
	LABEL_ABSENT, /* ENOSYS */
	LABEL_FAMILY, /* EAFNOSUPPORT, or the listener */
	LABEL_KILL,
	LABEL_NOTIFY,
	LABEL_ENDS,
	LABEL_CLASSES, /* plus the class: those judged by arguments */
	LABEL_FREE = LABEL_CLASSES + W_SECCOMP_CLASSES,
};

struct maker {
	const struct w_seccomp_kind *kind;
	struct w_seccomp_filter *out;
	size_t at[LABELS_MAX];
	unsigned labels;
};

/* Numbers with the same fate. */
struct run {
	uint32_t first;
	uint32_t last;
	unsigned label;
};

struct runs {
	struct run items[RUNS_MAX];
	size_t count;
};

static void
emit(struct maker *maker, uint16_t code, uint32_t k)
{
	maker->out->code[maker->out->count++] =
	    (struct sock_filter){.code = code, .k = k};
}

/* Compares the accumulator; yes and no are labels. */
static void
test(struct maker *maker, uint16_t op, uint32_t k, unsigned yes, unsigned no)
{
	emit(maker, (uint16_t)(BPF_JMP | op | BPF_K), k);
	struct sock_filter *last = &maker->out->code[maker->out->count - 1];
	last->jt = (uint8_t)yes;
	last->jf = (uint8_t)no;
}

static void
load(struct maker *maker, size_t offset)
{
	emit(maker, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

/* Both machines are little-endian: the low half comes first. */
static void
load_low(struct maker *maker, unsigned arg)
{
	load(maker, offsetof(struct seccomp_data, args) + 8 * arg);
}

static void
load_high(struct maker *maker, unsigned arg)
{
	load(maker, offsetof(struct seccomp_data, args) + 8 * arg + 4);
}

static void
place(struct maker *maker, unsigned label)
{
	maker->at[label] = maker->out->count;
}

static void
place_class(struct maker *maker, enum w_seccomp_class class)
{
	place(maker, LABEL_CLASSES + (unsigned)class);
}

/* What becomes of a class. */
static unsigned
label_of(const struct w_seccomp_kind *kind, enum w_seccomp_class class)
{
	unsigned watched = kind->explains ? LABEL_NOTIFY : LABEL_ALLOW;

	switch (class) {
	case W_SECCOMP_DENY:
		return LABEL_DENY;
	case W_SECCOMP_ABSENT:
		return LABEL_ABSENT;
	case W_SECCOMP_METADATA:
		return kind->denies_metadata ? LABEL_DENY : watched;
	case W_SECCOMP_IPC:
		return kind->denies_metadata ? LABEL_DENY : LABEL_ALLOW;
	case W_SECCOMP_WATCH:
		return watched;
	case W_SECCOMP_EXECVEAT:
		if (!kind->explains)
			return LABEL_ALLOW;
		break;
	case W_SECCOMP_PRLIMIT:
		if (!kind->denies_metadata)
			return LABEL_ALLOW;
		break;
	case W_SECCOMP_CLONE:
	case W_SECCOMP_IOCTL:
	case W_SECCOMP_PERSONALITY:
	case W_SECCOMP_SECCOMP:
	case W_SECCOMP_SOCKET:
	case W_SECCOMP_SOCKETPAIR:
	case W_SECCOMP_CLASSES:
		break;
	}
	return LABEL_CLASSES + (unsigned)class;
}

static void
add_run(struct runs *runs, uint32_t first, uint32_t last, unsigned label)
{
	runs->items[runs->count++] = (struct run){first, last, label};
}

static int
compare_runs(const void *a, const void *b)
{
	const struct run *left = a;
	const struct run *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

static void
join_neighbours(struct runs *runs)
{
	size_t kept = 0;

	for (size_t i = 1; i < runs->count; i++) {
		struct run *last = &runs->items[kept];
		const struct run *run = &runs->items[i];
		if (run->label == last->label && run->first == last->last + 1)
			last->last = run->last;
		else
			runs->items[++kept] = *run;
	}
	runs->count = kept + 1;
}

/* All that is not allowed at sight, sorted. */
static void
collect(enum w_seccomp_machine machine, const struct w_seccomp_kind *kind,
    struct runs *runs)
{
	runs->count = 0;
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		const struct w_seccomp_call *call = &w_seccomp_calls[i];
		unsigned label =
		    label_of(kind, (enum w_seccomp_class)call->class);
		int nr = call->nr[machine];
		if (nr != W_SECCOMP_NO_CALL && label != LABEL_ALLOW)
			add_run(runs, (uint32_t)nr, (uint32_t)nr, label);
	}
	if (machine == W_SECCOMP_X86_64) {
		add_run(runs, W_SECCOMP_NEWEST + 1, W_SECCOMP_X32 - 1,
		    LABEL_ABSENT);
		add_run(runs, W_SECCOMP_X32, UINT32_MAX, LABEL_KILL);
	} else {
		add_run(runs, W_SECCOMP_NEWEST + 1, UINT32_MAX, LABEL_ABSENT);
	}
	qsort(runs->items, runs->count, sizeof(*runs->items), compare_runs);
	join_neighbours(runs);
}

/* A few runs in their order. What lies before one, and was none of those
 * before it, is allowed. */
static void
emit_leaf(struct maker *maker, const struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct run *run = &runs[i];
		bool is_last = i + 1 == count;
		if (run->first == run->last) {
			test(maker, BPF_JEQ, run->first, run->label,
			    is_last ? LABEL_ALLOW : LABEL_NEXT);
			continue;
		}
		unsigned above = is_last ? LABEL_ALLOW : maker->labels++;
		if (run->last != UINT32_MAX)
			test(maker, BPF_JGT, run->last, above, LABEL_NEXT);
		test(maker, BPF_JGE, run->first, run->label, LABEL_ALLOW);
		if (!is_last)
			place(maker, above);
	}
}

/* Halves the runs until few are left. As deep as the logarithm of a constant;
 * the stack holds one upper half for each level. */
static void
emit_tree(struct maker *maker, const struct runs *runs)
{
	struct {
		const struct run *runs;
		size_t count;
		unsigned label;
	} upper[16];
	size_t depth = 0;
	const struct run *part = runs->items;
	size_t count = runs->count;

	for (;;) {
		while (count > LEAF) {
			size_t half = count / 2;
			unsigned label = maker->labels++;
			test(maker, BPF_JGE, part[half].first, label,
			    LABEL_NEXT);
			upper[depth].runs = part + half;
			upper[depth].count = count - half;
			upper[depth++].label = label;
			count = half;
		}
		emit_leaf(maker, part, count);
		if (depth == 0)
			return;
		depth--;
		part = upper[depth].runs;
		count = upper[depth].count;
		place(maker, upper[depth].label);
	}
}

/* A new namespace brings new powers inside it, and with them much of the
 * kernel that was out of reach. */
static void
emit_clone(struct maker *maker)
{
	place_class(maker, W_SECCOMP_CLONE);
	load_low(maker, 0);
	test(maker, BPF_JSET,
	    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
		CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
	    LABEL_REFUSE, LABEL_ALLOW);
}

/* The command itself is started by its descriptor, before anybody listens. */
static void
emit_execveat(struct maker *maker)
{
	place_class(maker, W_SECCOMP_EXECVEAT);
	load_low(maker, 4);
	test(maker, BPF_JSET, AT_EMPTY_PATH, LABEL_ALLOW, LABEL_NOTIFY);
}

/*
 * Typing into a terminal is a way out of any sandbox that has one.
 *
 * A descriptor that was opened for reading is enough for the requests of file
 * systems that set flags, make subvolumes or seal a file for ever, and no
 * Landlock right covers them: of their groups only the plain questions stay.
 */
static void
emit_ioctl(struct maker *maker)
{
	static const uint32_t groups[] = {
	    'X', 'f', 'r', 'v', 0x94 /* btrfs */, 0xf5 /* f2fs */};
	static const uint32_t questions[] = {0x80086601 /* FS_IOC_GETFLAGS */,
	    0x80087601 /* FS_IOC_GETVERSION */,
	    0x801c581f /* FS_IOC_FSGETXATTR */, 0xc020660b /* FS_IOC_FIEMAP */};
	size_t group_count = sizeof(groups) / sizeof(*groups);

	place_class(maker, W_SECCOMP_IOCTL);
	load_low(maker, 1);
	test(maker, BPF_JEQ, TIOCSTI, LABEL_DENY, LABEL_NEXT);
	bool goes_on = maker->kind->denies_metadata;
	test(maker, BPF_JEQ, TIOCLINUX, LABEL_DENY,
	    goes_on ? LABEL_NEXT : LABEL_ALLOW);
	if (!goes_on)
		return;
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		test(maker, BPF_JEQ, questions[i], LABEL_ALLOW, LABEL_NEXT);
	emit(maker, BPF_ALU | BPF_AND | BPF_K, 0xff00);
	for (size_t i = 0; i < group_count; i++)
		test(maker, BPF_JEQ, groups[i] << 8, LABEL_DENY,
		    i + 1 < group_count ? LABEL_NEXT : LABEL_ALLOW);
}

/* To be told, or back to normal; anything else weakens the process. */
static void
emit_personality(struct maker *maker)
{
	place_class(maker, W_SECCOMP_PERSONALITY);
	load_low(maker, 0);
	test(maker, BPF_JEQ, 0, LABEL_ALLOW, LABEL_NEXT);
	test(maker, BPF_JEQ, UINT32_MAX, LABEL_ALLOW, LABEL_DENY);
}

/* New limits for another process of the same user can end it. */
static void
emit_prlimit(struct maker *maker)
{
	place_class(maker, W_SECCOMP_PRLIMIT);
	load_low(maker, 0);
	test(maker, BPF_JEQ, 0, LABEL_ALLOW, LABEL_NEXT);
	load_low(maker, 2);
	test(maker, BPF_JEQ, 0, LABEL_NEXT, LABEL_DENY);
	load_high(maker, 2);
	test(maker, BPF_JEQ, 0, LABEL_ALLOW, LABEL_DENY);
}

/* Filters in filters are fine, a listener would judge in place of ours. */
static void
emit_seccomp(struct maker *maker)
{
	place_class(maker, W_SECCOMP_SECCOMP);
	load_low(maker, 1);
	test(maker, BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER, LABEL_DENY,
	    LABEL_ALLOW);
}

/* Families by name: those that nobody thought of are not there. */
static void
emit_socket(struct maker *maker)
{
	const struct w_seccomp_kind *kind = maker->kind;

	place_class(maker, W_SECCOMP_SOCKET);
	load_low(maker, 0);
	if (kind->has_internet) {
		test(maker, BPF_JEQ, AF_INET, LABEL_ALLOW, LABEL_NEXT);
		test(maker, BPF_JEQ, AF_INET6, LABEL_ALLOW, LABEL_NEXT);
	}
	if (kind->has_netlink) {
		unsigned other = maker->labels++;
		test(maker, BPF_JEQ, AF_NETLINK, LABEL_NEXT, other);
		load_low(maker, 2);
		test(maker, BPF_JEQ, NETLINK_OF_ROUTES, LABEL_ALLOW,
		    LABEL_FAMILY);
		place(maker, other);
	}
	test(maker, BPF_JEQ, AF_UNIX,
	    kind->has_unix_paths ? LABEL_ALLOW : LABEL_FAMILY, LABEL_FAMILY);
}

static void
emit_socketpair(struct maker *maker)
{
	place_class(maker, W_SECCOMP_SOCKETPAIR);
	load_low(maker, 0);
	test(maker, BPF_JEQ, AF_UNIX, LABEL_ALLOW, LABEL_FAMILY);
}

static void
emit_ends(struct maker *maker)
{
	bool explains = maker->kind->explains;
	const uint32_t denied = SECCOMP_RET_ERRNO | EPERM;
	const uint32_t no_family = SECCOMP_RET_ERRNO | EAFNOSUPPORT;
	const uint32_t ends[LABEL_ENDS] = {
	    [LABEL_ALLOW] = SECCOMP_RET_ALLOW,
	    [LABEL_DENY] = explains ? SECCOMP_RET_USER_NOTIF : denied,
	    [LABEL_REFUSE] = denied,
	    [LABEL_ABSENT] = SECCOMP_RET_ERRNO | ENOSYS,
	    [LABEL_FAMILY] = explains ? SECCOMP_RET_USER_NOTIF : no_family,
	    [LABEL_KILL] = SECCOMP_RET_KILL_PROCESS,
	    [LABEL_NOTIFY] = SECCOMP_RET_USER_NOTIF,
	};

	for (unsigned i = LABEL_ALLOW; i < LABEL_ENDS; i++) {
		place(maker, i);
		emit(maker, BPF_RET | BPF_K, ends[i]);
	}
}

static void
resolve_labels(struct maker *maker)
{
	for (size_t i = 0; i < maker->out->count; i++) {
		struct sock_filter *insn = &maker->out->code[i];
		if (BPF_CLASS(insn->code) != BPF_JMP)
			continue;
		if (insn->jt != LABEL_NEXT)
			insn->jt = (uint8_t)(maker->at[insn->jt] - i - 1);
		if (insn->jf != LABEL_NEXT)
			insn->jf = (uint8_t)(maker->at[insn->jf] - i - 1);
	}
}

void
w_seccomp_build_for(enum w_seccomp_machine machine,
    const struct w_seccomp_kind *kind, struct w_seccomp_filter *out_filter)
{
	static const uint32_t machines[W_SECCOMP_MACHINES] = {
	    [W_SECCOMP_X86_64] = AUDIT_ARCH_X86_64,
	    [W_SECCOMP_AARCH64] = AUDIT_ARCH_AARCH64,
	};
	struct maker maker = {
	    .kind = kind, .out = out_filter, .labels = LABEL_FREE};
	struct runs runs;

	out_filter->count = 0;
	collect(machine, kind, &runs);
	/* Numbers mean nothing before it is known whose they are. */
	load(&maker, offsetof(struct seccomp_data, arch));
	test(&maker, BPF_JEQ, machines[machine], LABEL_NEXT, LABEL_KILL);
	load(&maker, offsetof(struct seccomp_data, nr));
	emit_tree(&maker, &runs);
	emit_clone(&maker);
	if (kind->explains)
		emit_execveat(&maker);
	emit_ioctl(&maker);
	emit_personality(&maker);
	if (kind->denies_metadata)
		emit_prlimit(&maker);
	emit_seccomp(&maker);
	emit_socket(&maker);
	emit_socketpair(&maker);
	emit_ends(&maker);
	resolve_labels(&maker);
}

void
w_seccomp_build(
    const struct w_seccomp_kind *kind, struct w_seccomp_filter *out_filter)
{
#if defined(__x86_64__)
	w_seccomp_build_for(W_SECCOMP_X86_64, kind, out_filter);
#else
	w_seccomp_build_for(W_SECCOMP_AARCH64, kind, out_filter);
#endif
}

int
w_seccomp_probe(void)
{
	/* A kernel that has filters gets as far as looking for this one. */
	long ret = w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, 0);

	return ret == -EFAULT ? 0 : (int)-ret;
}
