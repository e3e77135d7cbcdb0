/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SECCOMP_BUILDER_H
#define W_SANDBOX_SECCOMP_BUILDER_H

#include <stdint.h>

#include "sandbox/seccomp/syscall_table.h"

/*
 * A filter under construction. jt and jf of its jumps hold labels until all are
 * placed; all jumps are forward and within 255 instructions, which the tests
 * check.
 */
enum {
	W_LABELS_MAX = 256
};

/* Jump targets. Up to W_LABEL_ENDS each is an instruction that returns; the
 * number tree adds more behind the last. */
enum w_seccomp_label {
	W_LABEL_NEXT,
	W_LABEL_ALLOW,
	W_LABEL_DENY,        /* EPERM, or the listener */
	W_LABEL_REFUSE,      /* EPERM, even with a listener */
	W_LABEL_ABSENT,      /* ENOSYS */
	W_LABEL_FAMILY,      /* EAFNOSUPPORT, or the listener */
	W_LABEL_UNSUPPORTED, /* EOPNOTSUPP */
	W_LABEL_KILL,
	W_LABEL_NOTIFY,
	W_LABEL_ENDS,
	W_LABEL_CLASSES, /* plus the class: calls decided by arguments */
	W_LABEL_FREE = W_LABEL_CLASSES + W_SECCOMP_CLASSES,
};

struct w_seccomp_builder {
	const struct w_seccomp_kind *kind;
	struct w_seccomp_filter *out;
	size_t at[W_LABELS_MAX];
	unsigned labels;
};

static inline void
w_seccomp_emit(struct w_seccomp_builder *builder, uint16_t code, uint32_t k)
{
	builder->out->code[builder->out->count++] =
	    (struct sock_filter){.code = code, .k = k};
}

/* Compares the accumulator; yes and no are labels. */
static inline void
w_seccomp_test(struct w_seccomp_builder *builder, uint16_t op, uint32_t k,
    unsigned yes, unsigned no)
{
	w_seccomp_emit(builder, (uint16_t)(BPF_JMP | op | BPF_K), k);
	struct sock_filter *last = &builder->out->code[builder->out->count - 1];
	last->jt = (uint8_t)yes;
	last->jf = (uint8_t)no;
}

static inline void
w_seccomp_load(struct w_seccomp_builder *builder, size_t offset)
{
	w_seccomp_emit(builder, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

static inline void
w_seccomp_place(struct w_seccomp_builder *builder, unsigned label)
{
	builder->at[label] = builder->out->count;
}

/* The code for calls decided by their arguments, each placed at the label of
 * its class. */
void w_seccomp_emit_args(struct w_seccomp_builder *builder);

#endif /* W_SANDBOX_SECCOMP_BUILDER_H */
