/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_HOOKS_H
#define TEST_HOOKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/hook/hook.h"

/* Events of agent programs, for tests: quotes are written as apostrophes. */
static inline char *
quoted(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	for (char *at = copy; *at != '\0'; at++) {
		if (*at == '\'')
			*at = '"';
	}
	return copy;
}

static inline writ_status
try_read(const char *text, struct w_hook_event *event, writ_error *err)
{
	char *json = quoted(text);
	writ_status status =
	    w_hook_read(json, strlen(json), W_HOOK_AUTO, event, err);

	free(json);
	return status;
}

static inline void
read_event(const char *text, struct w_hook_event *event)
{
	writ_error err;

	if (try_read(text, event, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

#endif /* TEST_HOOKS_H */
