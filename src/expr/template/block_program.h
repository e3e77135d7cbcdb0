/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_BLOCK_PROGRAM_H
#define W_EXPR_BLOCK_PROGRAM_H

#include "expr/eval/eval.h"
#include "expr/template/block_template.h"

/* A block template as a list of steps; loops and choices are jumps. */
enum w_block_kind {
	W_BLOCK_TEXT,  /* literal */
	W_BLOCK_VALUE, /* expr */
	W_BLOCK_SET,   /* the name in slot is expr */
	W_BLOCK_FOR,   /* through expr; if it is empty, to target */
	W_BLOCK_NEXT,  /* back behind the FOR at target, or on */
	W_BLOCK_IF,    /* unless expr, to target */
	W_BLOCK_JUMP,  /* to target */
};

#define W_BLOCK_NO_SLOT 255

struct w_block_step {
	uint8_t kind;
	uint8_t key_slot; /* of a loop; W_BLOCK_NO_SLOT: none */
	uint8_t slot;
	uint8_t loop_slot;
	uint32_t target;
	const char *literal;
	size_t len;
	const struct w_expr *expr;
};

struct w_block_template {
	const struct w_block_step *steps;
	size_t count;
};

/* For template(): with the limits of an evaluation that goes on. */
writ_status w_block_run(const struct w_block_template *template,
    struct w_eval *eval, struct w_value *out_text);

#define W_BLOCK_STAGE "template"

#endif /* W_EXPR_BLOCK_PROGRAM_H */
