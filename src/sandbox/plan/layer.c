/* SPDX-License-Identifier: Apache-2.0 */

#include "sandbox/plan/layer.h"

static const char *const words[] = {
#define X(name, word) [W_LAYER_##name] = (word),
    W_LAYER_MAP(X)
#undef X
};

const char *
w_layer_word(enum w_layer layer)
{
	return words[layer];
}
