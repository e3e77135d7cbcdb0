/* SPDX-License-Identifier: Apache-2.0 */

/* The names of effects. */

#include "command/grammar/effect.h"

#include <string.h>

const char *const w_effect_words[] = {
#define X(name, bit, word) [bit] = (word),
    W_EFFECT_MAP(X)
#undef X
	NULL,
};

unsigned
w_effect_named(const char *word, size_t len)
{
	for (unsigned bit = 0; bit < W_EFFECT_COUNT; bit++) {
		const char *known = w_effect_words[bit];

		if (strlen(known) == len && memcmp(known, word, len) == 0)
			return 1U << bit;
	}
	return 0;
}

const char *
w_effect_word(unsigned effect)
{
	for (unsigned bit = 0; bit < W_EFFECT_COUNT; bit++) {
		if ((effect & (1U << bit)) != 0)
			return w_effect_words[bit];
	}
	return "";
}
