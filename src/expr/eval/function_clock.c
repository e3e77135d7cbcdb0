/* SPDX-License-Identifier: Apache-2.0 */

/* now(): the time in UTC, as RFC 3339 or in a form of strftime(3). */

#include <string.h>
#include <time.h>

#include "expr/eval/eval.h"

#define FORM_MAX 100
#define TIME_MAX 1024

W_FUNCTION(now)
{
	const char *form = "%Y-%m-%dT%H:%M:%SZ";
	char text[TIME_MAX];
	struct tm utc;
	const time_t now = time(NULL);

	if (call->as.list.count > 0) {
		writ_status status =
		    w_function_want(eval, call, args, 0, W_VALUE_STRING);

		if (status != WRIT_OK)
			return status;
		form = args[0].as.string.text;
		/* Widths, as in %1000000Y, are for no reader. */
		if (args[0].as.string.len > FORM_MAX ||
		    args[0].as.string.len == 0 ||
		    strpbrk(form, "0123456789") != NULL)
			return w_eval_fail(eval, call->as.list.items[0],
			    "a form of a time has 1 to %d bytes and no digits",
			    FORM_MAX);
	}
	if (gmtime_r(&now, &utc) == NULL)
		return w_eval_fail(eval, call, "the clock cannot be read");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	const size_t len = strftime(text, sizeof(text), form, &utc);
#pragma GCC diagnostic pop
	return w_eval_copy(eval, call, text, len, out_value);
}
