/* SPDX-License-Identifier: Apache-2.0 */

/* Evaluates one of our filters for a call, outside the kernel. */

#include <linux/seccomp.h>
#include <string.h>

#include "sandbox/seccomp/syscall_table.h"

static bool
bpf_interpreter_holds(const struct sock_filter *insn, uint32_t value)
{
	switch (BPF_OP(insn->code)) {
	case BPF_JEQ:
		return value == insn->k;
	case BPF_JGE:
		return value >= insn->k;
	case BPF_JGT:
		return value > insn->k;
	case BPF_JSET:
		return (value & insn->k) != 0;
	default:
		return false;
	}
}

uint32_t
w_seccomp_evaluate(
    const struct w_seccomp_filter *filter, const struct seccomp_data *data)
{
	uint32_t value = 0;

	for (size_t i = 0; i < filter->count; i++) {
		const struct sock_filter *insn = &filter->code[i];
		switch (BPF_CLASS(insn->code)) {
		case BPF_LD:
			memcpy(&value, (const char *)data + insn->k,
			    sizeof(value));
			break;
		case BPF_ALU: /* only AND is used */
			value &= insn->k;
			break;
		case BPF_JMP:
			i += bpf_interpreter_holds(insn, value) ? insn->jt
								: insn->jf;
			break;
		default:
			return insn->k;
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

const char *
w_seccomp_call_name(int nr)
{
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		if (w_seccomp_calls[i].nr[W_SECCOMP_NATIVE] == nr)
			return w_seccomp_calls[i].name;
	}
	return NULL;
}
