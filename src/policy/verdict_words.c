/* SPDX-License-Identifier: Apache-2.0 */

/* Names of verdicts and tiers. */

#include "policy/evaluate/decision.h"

const char *
w_verdict_word(enum w_verdict verdict)
{
	static const char *const words[] = {"allow", "ask", "deny"};

	return words[verdict];
}

const char *
w_tier_word(enum w_tier tier)
{
	static const char *const words[] = {
#define X(name, word) [W_TIER_##name] = word,
	    W_TIER_MAP(X)
#undef X
	};

	return words[tier];
}
