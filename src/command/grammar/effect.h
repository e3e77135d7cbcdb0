/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_EFFECT_H
#define W_COMMAND_EFFECT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What a command does, as bits. docs/effects.md says what each means and what
 * it does not.
 */
#define W_EFFECT_MAP(X)                    \
	X(READ, 0, "read")                 \
	X(WRITE, 1, "write")               \
	X(DELETE, 2, "delete")             \
	X(EXEC, 3, "exec")                 \
	X(CODE, 4, "code")                 \
	X(NET, 5, "net")                   \
	X(PUBLISH, 6, "publish")           \
	X(PRIV, 7, "priv")                 \
	X(IRREVERSIBLE, 8, "irreversible") \
	X(SIGNAL, 9, "signal")

enum {
#define X(name, bit, word) W_EFFECT_##name = 1 << (bit),
	W_EFFECT_MAP(X)
#undef X
};

#define W_EFFECT_COUNT 10

/* The bit of a name; 0: no such effect. */
unsigned w_effect_named(const char *word, size_t len);

/* The name of the lowest bit. */
const char *w_effect_word(unsigned effect);

/* All names, NULL-ended, in the order of the bits: for suggestions. */
extern const char *const w_effect_words[];

/* The target of an effect. */
enum w_target_kind {
	W_TARGET_NONE,  /* unknown target */
	W_TARGET_TEXT,  /* a path; for net and publish a host */
	W_TARGET_PARAM, /* the values of a parameter, or text if there are none
			 */
};

/* "write {output|a.out}", "may net". */
struct w_effect {
	unsigned bit;
	enum w_target_kind kind;
	size_t param;      /* index in the grammar's params */
	const char *text;  /* NULL: none */
	bool is_directory; /* "{file:dir}": the directory of each value */
	bool is_possible;  /* "may net": the program also works without */
};

#endif /* W_COMMAND_EFFECT_H */
