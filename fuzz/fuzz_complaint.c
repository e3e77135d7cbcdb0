/* SPDX-License-Identifier: Apache-2.0 */

/* Output of commands: every name lies in the text and on one line, and may be
 * what it is said to be. */

#include "run/denials/complaint.h"

#include <limits.h>

#include "check.h"

struct text {
	const char *at;
	size_t len;
	int count;
};

static void
check_part(const struct text *text, struct w_complaint_part part)
{
	CHECK(part.len > 0);
	CHECK(part.at >= text->at);
	CHECK(part.at + part.len <= text->at + text->len);
	CHECK(memchr(part.at, '\n', part.len) == NULL);
	CHECK(memchr(part.at, '\0', part.len) == NULL);
}

static bool
check_complaint(void *ctx, const struct w_complaint *complaint)
{
	struct text *text = ctx;

	CHECK(complaint->kind <= W_COMPLAINT_UNCONNECTED);
	if (complaint->kind < W_COMPLAINT_FAMILY) {
		check_part(text, complaint->path);
		CHECK(complaint->path.len < PATH_MAX);
		CHECK(complaint->host.at == NULL);
	} else if (complaint->host.at != NULL) {
		check_part(text, complaint->host);
		CHECK(complaint->host.len <= W_COMPLAINT_HOST_MAX);
	}
	return ++text->count < 64;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = copy_exact(data, size);
	struct text text = {.at = copy, .len = size};

	w_complaint_find_all(copy, size, check_complaint, &text);
	free(copy);
	return 0;
}
