/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Regular expressions: the first line is the pattern, the rest is searched.
 * Whatever the pattern is, the answer comes, and the same one with machine
 * code as without; what is refused says why.
 */

#include "schema/pattern/pattern.h"

#include "check.h"

#define OFTEN 70

static void
check_matches(const struct w_pattern *pattern, const char *text, size_t len)
{
	enum w_pattern_answer first = w_pattern_match(pattern, text, len, NULL);

	for (int i = 0; i < OFTEN && first != W_PATTERN_LIMIT; i++) {
		enum w_pattern_answer again =
		    w_pattern_match(pattern, text, len, NULL);

		/* They count alike, but their memory has other limits. */
		CHECK(again == first || again == W_PATTERN_LIMIT);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
	const size_t len = end != NULL ? (size_t)(end - data) : size;
	const size_t rest = end != NULL ? size - len - 1 : 0;
	char *source = copy_exact(data, len);
	char *text = copy_exact(end != NULL ? end + 1 : data, rest);
	struct w_pattern *pattern = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status = w_pattern_compile(source, len, &pattern, &err);

	if (status == WRIT_OK) {
		if (w_utf8_valid(text, rest))
			check_matches(pattern, text, rest);
		w_pattern_free(pattern);
	} else {
		CHECK(pattern == NULL);
		check_error(&err, status);
	}
	free(source);
	free(text);
	return 0;
}
