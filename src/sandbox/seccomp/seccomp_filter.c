/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Builds a filter from the table of system calls.
 *
 * Loading a filter costs time by its length, at each start, so it is kept
 * short: numbers are found by binary search, neighbours with the same action
 * are one range, and each action exists once, at the end. Frequent calls need
 * no test of their own: the kernel caches for each number whether the filter
 * always allows it, and then skips the filter.
 *
 * Numbers and 32-bit arguments are compared in 32 bits, as the kernel truncates
 * them before use: the upper half must not help to evade the filter.
 */

#include "sandbox/seccomp/seccomp_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "sandbox/seccomp/seccomp_builder.h"

enum {
	RUNS_MAX = 256,
	LEAF = 3, /* ranges that are tested one after the other */
};

/* A range of numbers with the same action. */
struct run {
	uint32_t first;
	uint32_t last;
	unsigned label;
};

struct runs {
	struct run items[RUNS_MAX];
	size_t count;
};

/* The action of a class. */
static unsigned
label_of(const struct w_seccomp_kind *kind, enum w_seccomp_class class)
{
	unsigned watched = kind->explains ? W_LABEL_NOTIFY : W_LABEL_ALLOW;

	switch (class) {
	case W_SECCOMP_DENY:
		return W_LABEL_DENY;
	case W_SECCOMP_ABSENT:
		return W_LABEL_ABSENT;
	case W_SECCOMP_METADATA:
		/* Programs that copy attributes if they can go on. */
		if (kind->denies_metadata && kind->has_modes)
			return W_LABEL_UNSUPPORTED;
		return kind->denies_metadata ? W_LABEL_DENY : watched;
	case W_SECCOMP_MODES:
		return w_seccomp_denies_modes(kind) ? W_LABEL_DENY : watched;
	case W_SECCOMP_IPC:
		return kind->denies_metadata ? W_LABEL_DENY : W_LABEL_ALLOW;
	case W_SECCOMP_MEMORY:
		return kind->has_allowlist ? W_LABEL_ABSENT : W_LABEL_ALLOW;
	case W_SECCOMP_WATCH:
		return watched;
	case W_SECCOMP_CHMOD:
	case W_SECCOMP_CHMODAT:
		if (w_seccomp_denies_modes(kind))
			return W_LABEL_DENY;
		if (kind->explains)
			return W_LABEL_NOTIFY;
		break;
	case W_SECCOMP_CREATE:
	case W_SECCOMP_CREATEAT:
	case W_SECCOMP_OPEN:
	case W_SECCOMP_OPENAT:
		if (kind->explains)
			return W_LABEL_NOTIFY;
		break;
	case W_SECCOMP_EXECVE:
		return kind->judges ? W_LABEL_NOTIFY : watched;
	case W_SECCOMP_EXECVEAT:
		if (!kind->explains && !kind->judges)
			return W_LABEL_ALLOW;
		break;
	case W_SECCOMP_PRLIMIT:
		if (!kind->denies_metadata)
			return W_LABEL_ALLOW;
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
	return W_LABEL_CLASSES + (unsigned)class;
}

static void
seccomp_filter_add_run(
    struct runs *runs, uint32_t first, uint32_t last, unsigned label)
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

/* Collects every number that is not simply allowed, sorted. */
static void
seccomp_filter_collect(enum w_seccomp_machine machine,
    const struct w_seccomp_kind *kind, struct runs *runs)
{
	runs->count = 0;
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		const struct w_seccomp_call *call = &w_seccomp_calls[i];
		unsigned label =
		    label_of(kind, (enum w_seccomp_class)call->class);
		int nr = call->nr[machine];
		if (nr != W_SECCOMP_NO_CALL && label != W_LABEL_ALLOW)
			seccomp_filter_add_run(
			    runs, (uint32_t)nr, (uint32_t)nr, label);
	}
	if (machine == W_SECCOMP_X86_64) {
		seccomp_filter_add_run(runs, W_SECCOMP_NEWEST + 1,
		    W_SECCOMP_X32 - 1, W_LABEL_ABSENT);
		seccomp_filter_add_run(
		    runs, W_SECCOMP_X32, UINT32_MAX, W_LABEL_KILL);
	} else {
		seccomp_filter_add_run(
		    runs, W_SECCOMP_NEWEST + 1, UINT32_MAX, W_LABEL_ABSENT);
	}
	qsort(runs->items, runs->count, sizeof(*runs->items), compare_runs);
	join_neighbours(runs);
}

/* Tests a few ranges in order. A number before one, and in none of those before
 * it, is allowed. */
static void
emit_leaf(
    struct w_seccomp_builder *builder, const struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct run *run = &runs[i];
		bool is_last = i + 1 == count;
		if (run->first == run->last) {
			w_seccomp_test(builder, BPF_JEQ, run->first, run->label,
			    is_last ? W_LABEL_ALLOW : W_LABEL_NEXT);
			continue;
		}
		unsigned above = is_last ? W_LABEL_ALLOW : builder->labels++;
		if (run->last != UINT32_MAX)
			w_seccomp_test(
			    builder, BPF_JGT, run->last, above, W_LABEL_NEXT);
		w_seccomp_test(
		    builder, BPF_JGE, run->first, run->label, W_LABEL_ALLOW);
		if (!is_last)
			w_seccomp_place(builder, above);
	}
}

/* Halves the ranges until few are left. The depth is the logarithm of a
 * constant; the stack holds one upper half per level. */
static void
emit_tree(struct w_seccomp_builder *builder, const struct runs *runs)
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
			unsigned label = builder->labels++;
			w_seccomp_test(builder, BPF_JGE, part[half].first,
			    label, W_LABEL_NEXT);
			upper[depth].runs = part + half;
			upper[depth].count = count - half;
			upper[depth++].label = label;
			count = half;
		}
		emit_leaf(builder, part, count);
		if (depth == 0)
			return;
		depth--;
		part = upper[depth].runs;
		count = upper[depth].count;
		w_seccomp_place(builder, upper[depth].label);
	}
}

static void
emit_ends(struct w_seccomp_builder *builder)
{
	bool explains = builder->kind->explains;
	const uint32_t denied = SECCOMP_RET_ERRNO | EPERM;
	const uint32_t no_family = SECCOMP_RET_ERRNO | EAFNOSUPPORT;
	const uint32_t ends[W_LABEL_ENDS] = {
	    [W_LABEL_ALLOW] = SECCOMP_RET_ALLOW,
	    [W_LABEL_DENY] = explains ? SECCOMP_RET_USER_NOTIF : denied,
	    [W_LABEL_REFUSE] = denied,
	    [W_LABEL_ABSENT] = SECCOMP_RET_ERRNO | ENOSYS,
	    [W_LABEL_FAMILY] = explains ? SECCOMP_RET_USER_NOTIF : no_family,
	    [W_LABEL_UNSUPPORTED] = SECCOMP_RET_ERRNO | EOPNOTSUPP,
	    [W_LABEL_KILL] = SECCOMP_RET_KILL_PROCESS,
	    [W_LABEL_NOTIFY] = SECCOMP_RET_USER_NOTIF,
	};

	for (unsigned i = W_LABEL_ALLOW; i < W_LABEL_ENDS; i++) {
		w_seccomp_place(builder, i);
		w_seccomp_emit(builder, BPF_RET | BPF_K, ends[i]);
	}
}

static void
resolve_labels(struct w_seccomp_builder *builder)
{
	for (size_t i = 0; i < builder->out->count; i++) {
		struct sock_filter *insn = &builder->out->code[i];
		if (BPF_CLASS(insn->code) != BPF_JMP)
			continue;
		if (insn->jt != W_LABEL_NEXT)
			insn->jt = (uint8_t)(builder->at[insn->jt] - i - 1);
		if (insn->jf != W_LABEL_NEXT)
			insn->jf = (uint8_t)(builder->at[insn->jf] - i - 1);
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
	struct w_seccomp_builder builder = {
	    .kind = kind, .out = out_filter, .labels = W_LABEL_FREE};
	struct runs runs;

	out_filter->count = 0;
	seccomp_filter_collect(machine, kind, &runs);
	/* Numbers mean nothing until the architecture is known. */
	w_seccomp_load(&builder, offsetof(struct seccomp_data, arch));
	w_seccomp_test(
	    &builder, BPF_JEQ, machines[machine], W_LABEL_NEXT, W_LABEL_KILL);
	w_seccomp_load(&builder, offsetof(struct seccomp_data, nr));
	emit_tree(&builder, &runs);
	w_seccomp_emit_args(&builder);
	emit_ends(&builder);
	resolve_labels(&builder);
}

void
w_seccomp_build(
    const struct w_seccomp_kind *kind, struct w_seccomp_filter *out_filter)
{
	w_seccomp_build_for(W_SECCOMP_NATIVE, kind, out_filter);
}
