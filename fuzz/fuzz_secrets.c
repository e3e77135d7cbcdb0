/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Secrets in output: however a text is cut into pieces, what is shown of it is
 * the same, and no secret is in it. The first byte says how long the pieces
 * are; secrets follow, a NUL behind each and one behind the last, then the
 * text.
 */

#include "manifest/apply/secrets.h"

#include "check.h"

/* Each byte may become the word for a secret. */
#define GROWTH (sizeof(W_VALUE_HIDDEN))

struct input {
	const char *text;
	size_t len;
	size_t piece;
};

static size_t
read_secrets(struct w_secrets *secrets, struct w_arena *arena,
    const char *bytes, size_t size)
{
	size_t at = 0;

	while (at < size && bytes[at] != '\0') {
		const size_t len = strnlen(bytes + at, size - at);

		CHECK(w_secrets_add(secrets, arena, bytes + at, len));
		at += len + 1;
	}
	return at < size ? at + 1 : size;
}

static void
show_pieces(
    const struct w_secrets *secrets, const struct input *in, struct w_buf *buf)
{
	struct w_redaction redaction = {.held = NULL};

	for (size_t at = 0; at < in->len; at += in->piece) {
		const size_t left = in->len - at;

		CHECK(w_redaction_feed(&redaction, secrets, in->text + at,
		    left < in->piece ? left : in->piece, buf));
	}
	w_redaction_finish(&redaction, secrets, buf);
	w_redaction_done(&redaction);
}

/* What stands between the words for secrets has none in it. */
static void
check_parts(const struct w_secrets *secrets, const struct w_buf *shown)
{
	static const char word[] = W_VALUE_HIDDEN;
	const char *at = shown->data;
	const char *const end = shown->data + shown->len;

	while (at < end) {
		const char *next =
		    memmem(at, (size_t)(end - at), word, sizeof(word) - 1);
		const size_t len = (size_t)((next == NULL ? end : next) - at);

		for (size_t i = 0; i < secrets->count; i++)
			CHECK(memmem(at, len, secrets->items[i],
				  strlen(secrets->items[i])) == NULL);
		at += len + (next == NULL ? 0 : sizeof(word) - 1);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_arena arena = {.chunks = NULL};
	struct w_secrets secrets = {.count = 0};
	W_AUTO_BUF struct w_buf whole;
	W_AUTO_BUF struct w_buf pieces;

	w_buf_init(&whole, GROWTH * size);
	w_buf_init(&pieces, GROWTH * size);
	if (size < 2)
		return 0;
	const char *bytes = (const char *)data + 1;
	const size_t used = read_secrets(&secrets, &arena, bytes, size - 1);
	const struct input in = {.text = bytes + used,
	    .len = size - 1 - used,
	    .piece = (size_t)data[0] + 1};
	w_secrets_redact(&secrets, &whole, in.text, in.len);
	show_pieces(&secrets, &in, &pieces);
	CHECK(!whole.failed && !pieces.failed);
	CHECK(whole.len == pieces.len);
	CHECK(memcmp(whole.data, pieces.data, whole.len) == 0);
	check_parts(&secrets, &whole);
	w_arena_done(&arena);
	return 0;
}
