/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_BPF_RUN_H
#define W_TEST_BPF_RUN_H

/* A classic BPF machine with the checks that the kernel's has. */

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>

struct bpf_program {
	size_t count;
	const struct sock_filter *code;
};

static inline size_t
bpf_jump(const struct sock_filter *insn, uint32_t value)
{
	switch (insn->code) {
	case BPF_JMP | BPF_JA:
		return insn->k;
	case BPF_JMP | BPF_JEQ | BPF_K:
		return value == insn->k ? insn->jt : insn->jf;
	case BPF_JMP | BPF_JGE | BPF_K:
		return value >= insn->k ? insn->jt : insn->jf;
	case BPF_JMP | BPF_JGT | BPF_K:
		return value > insn->k ? insn->jt : insn->jf;
	case BPF_JMP | BPF_JSET | BPF_K:
		return (value & insn->k) != 0 ? insn->jt : insn->jf;
	default:
		fail_msg("no such instruction: %#x", (unsigned)insn->code);
		return 0;
	}
}

static inline uint32_t
bpf_run(struct bpf_program program, const struct seccomp_data *data)
{
	uint32_t value = 0;

	for (size_t at = 0; at < program.count; at++) {
		const struct sock_filter *insn = &program.code[at];
		switch (insn->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (insn->k % 4 != 0 || insn->k >= sizeof(*data))
				fail_msg("load from %u", insn->k);
			memcpy(&value, (const char *)data + insn->k, 4);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			value &= insn->k;
			break;
		case BPF_RET | BPF_K:
			return insn->k;
		default:
			at += bpf_jump(insn, value);
		}
	}
	fail_msg("the program runs out of itself");
	return 0;
}

#endif /* W_TEST_BPF_RUN_H */
