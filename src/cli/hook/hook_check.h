/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOOK_CHECK_H
#define W_CLI_HOOK_CHECK_H

#include <writ/config.h>
#include <writ/policy.h>

#include "cli/hook/hook.h"

/* An event while its acts are judged. */
struct w_hook_check {
	const writ_config *config;
	const char *agent; /* NULL: the policy's default agent */
	bool is_confined;  /* shell strings go through 'writ run' */
	bool never_asks;   /* "ask" becomes "deny" */
	struct w_hook_event event;
	writ_engine *engine;
	/* The strictest verdict so far. */
	enum w_hook_verdict verdict;
	struct w_buf reason; /* empty: nothing judged yet */
};

/* Whether the act will run in a sandbox of writ. */
bool w_hook_check_is_sandboxed(const struct w_hook_check *hook_check);

/* Judges every act and appends the answer. Denials are recorded. */
writ_status w_hook_check_answer(
    struct w_hook_check *hook_check, struct w_buf *out_answer, writ_error *err);

#endif /* W_CLI_HOOK_CHECK_H */
