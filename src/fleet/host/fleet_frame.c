/* SPDX-License-Identifier: Apache-2.0 */

/* Frames between the executor and writ-agentd. */

#include "fleet/host/fleet_frame.h"

#include <string.h>

#define STAGE    "frame"
#define HEAD_LEN 5
#define KINDS    "WLPANRYESC"

void
w_fleet_frame_add(struct w_buf *buf, enum w_fleet_frame_kind kind,
    const char *word, const void *bytes, size_t len)
{
	const size_t body = strlen(word) + 1 + len;
	const char head[HEAD_LEN] = {(char)kind, (char)(body >> 24 & 0xff),
	    (char)(body >> 16 & 0xff), (char)(body >> 8 & 0xff),
	    (char)(body & 0xff)};

	w_buf_add(buf, head, sizeof(head));
	w_buf_add_str(buf, word);
	w_buf_add_char(buf, '\n');
	w_buf_add(buf, bytes, len);
}

writ_status
w_fleet_frame_read(const char *bytes, size_t len,
    struct w_fleet_frame *out_frame, size_t *out_used, writ_error *err)
{
	struct w_fleet_frame frame;
	size_t body = 0;

	if (len < HEAD_LEN) {
		*out_used = 0;
		return WRIT_OK;
	}
	for (size_t i = 1; i < HEAD_LEN; i++)
		body = body << 8 | (unsigned char)bytes[i];
	if (bytes[0] == '\0' || strchr(KINDS, bytes[0]) == NULL ||
	    body > W_FLEET_FRAME_MAX)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "these bytes are no frame");
	if (len - HEAD_LEN < body) {
		*out_used = 0;
		return WRIT_OK;
	}
	const char *word = bytes + HEAD_LEN;
	const char *end = memchr(word, '\n', body);
	const size_t word_len = end == NULL ? 0 : (size_t)(end - word);
	if (end == NULL || word_len > W_FLEET_WORD_MAX)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the frame has no word");
	for (size_t i = 0; i < word_len; i++) {
		if (word[i] < '!' || word[i] > '~')
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the word of the frame is not printable");
	}
	memcpy(frame.word, word, word_len);
	frame.word[word_len] = '\0';
	frame.kind = (enum w_fleet_frame_kind)bytes[0];
	frame.bytes = end + 1;
	frame.len = body - word_len - 1;
	*out_frame = frame;
	*out_used = HEAD_LEN + body;
	return WRIT_OK;
}
