/* SPDX-License-Identifier: Apache-2.0 */

/* The words for the states of a run. */

#include <writ/audit.h>

const char *
writ_run_state_word(writ_run_state state)
{
	static const char *const words[] = {
#define X(name, word) [WRIT_RUN_##name] = (word),
	    WRIT_RUN_STATE_MAP(X)
#undef X
	};

	return (unsigned)state < sizeof(words) / sizeof(*words) ? words[state]
								: "unknown";
}
