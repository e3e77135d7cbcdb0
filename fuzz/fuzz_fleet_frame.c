/* SPDX-License-Identifier: Apache-2.0 */

/* What writ-agentd sends to the executor: frames lie inside the bytes, their
 * words are printable, and what is written is read back. */

#include "fleet/host/fleet_frame.h"

#include "check.h"

static void
check_frame(const struct w_fleet_frame *frame, const char *bytes, size_t used)
{
	struct w_fleet_frame again;
	size_t again_used = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_FLEET_FRAME_MAX + 256);
	CHECK(strlen(frame->word) <= W_FLEET_WORD_MAX);
	check_line(frame->word, sizeof(frame->word));
	CHECK(
	    frame->bytes >= bytes && frame->bytes + frame->len == bytes + used);
	w_fleet_frame_add(
	    &buf, frame->kind, frame->word, frame->bytes, frame->len);
	CHECK(buf.len == used && memcmp(buf.data, bytes, used) == 0);
	CHECK(w_fleet_frame_read(
		  buf.data, buf.len, &again, &again_used, NULL) == WRIT_OK);
	CHECK(again_used == used);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = copy_exact(data, size);
	struct w_fleet_frame frame;
	size_t at = 0;
	size_t used = 1;
	writ_error err;

	while (used > 0) {
		writ_status status = w_fleet_frame_read(
		    bytes + at, size - at, &frame, &used, &err);

		if (status != WRIT_OK) {
			check_error(&err, status);
			break;
		}
		if (used > 0)
			check_frame(&frame, bytes + at, used);
		at += used;
		CHECK(at <= size);
	}
	free(bytes);
	return 0;
}
