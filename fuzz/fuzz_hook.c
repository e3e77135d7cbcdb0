/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Events of agent programs, made of any bytes: each is refused, or has acts
 * that can be judged, and an answer that is JSON or nothing.
 */

#include "cli/hook/hook.h"

#include <stdlib.h>

#include "check.h"

static void
check_answers(const struct w_hook_event *event)
{
	for (int i = W_HOOK_ALLOW; i <= W_HOOK_DENY; i++) {
		const struct w_hook_answer answer = {
		    .verdict = (enum w_hook_verdict)i,
		    .reason = "why",
		    .command = w_hook_can_replace(event) ? "true" : NULL,
		};
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, W_HOOK_BYTES_MAX);
		w_hook_answer(&buf, event, &answer);
		CHECK(!buf.failed);
		/* No is never said by silence. */
		CHECK(buf.len > 0 || i == W_HOOK_ALLOW);
		if (buf.len == 0)
			continue;
		yyjson_doc *doc =
		    yyjson_read(buf.data, buf.len, YYJSON_READ_NOFLAG);
		CHECK(doc != NULL);
		yyjson_doc_free(doc);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const enum w_hook_format format =
	    size == 0 ? W_HOOK_AUTO
		      : (enum w_hook_format)(data[0] % W_HOOK_FORMAT_COUNT);
	struct w_hook_event event;
	writ_error err;

	if (size == 0 || w_hook_read((const char *)data + 1, size - 1, format,
			     &event, &err) != WRIT_OK)
		return 0;
	for (size_t i = 0; i < event.act_count; i++) {
		const char *argv[W_HOOK_ARGV_MAX];

		w_hook_argv(&event.acts[i], argv);
		CHECK(argv[0] != NULL && argv[1] != NULL);
	}
	check_answers(&event);
	w_hook_done(&event);
	return 0;
}
