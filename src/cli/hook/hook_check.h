/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOOK_CHECK_H
#define W_CLI_HOOK_CHECK_H

#include <writ/config.h>
#include <writ/policy.h>

#include "cli/hook/hook.h"

/* An event that is being judged: what it is about, act by act. */
struct w_hook_check {
	const writ_config *config;
	const char *agent; /* NULL: the policy's default agent */
	bool is_confined;  /* shells go through 'writ run' */
	bool never_asks;   /* ask is no */
	struct w_hook_event event;
	writ_engine *engine;
	/* The strictest so far. */
	enum w_hook_verdict verdict;
	struct w_buf reason; /* empty: nothing was judged yet */
};

/* Whether what the event is about will run in walls that writ builds. */
bool w_hook_check_is_sandboxed(const struct w_hook_check *hook_check);

/* Judges every act of the event, and appends the answer. A no is left on
 * record. */
writ_status w_hook_check_answer(
    struct w_hook_check *hook_check, struct w_buf *out_answer, writ_error *err);

#endif /* W_CLI_HOOK_CHECK_H */
