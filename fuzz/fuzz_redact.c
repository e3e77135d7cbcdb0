/* SPDX-License-Identifier: Apache-2.0 */

/* Secrets and a text, parted by NUL: what is written is JSON, and what stands
 * between the marks in it has no secret; without one the text is as it was. */

#include "audit/record/redact.h"

#include <yyjson.h>

#include "base/encode.h"
#include "base/words.h"
#include "check.h"

/* The bytes that a JSON value stands for. */
static void
decode(const struct w_buf *json, struct w_buf *out)
{
	yyjson_doc *doc = yyjson_read(json->data, json->len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *b64 = yyjson_obj_get(root, "b64");

	CHECK(doc != NULL);
	if (b64 != NULL)
		CHECK(w_base64_decode(
		    out, yyjson_get_str(b64), yyjson_get_len(b64)));
	else
		w_buf_add(out, yyjson_get_str(root), yyjson_get_len(root));
	CHECK(!out->failed);
	yyjson_doc_free(doc);
}

static void
check_pieces(const struct w_buf *text, const struct w_words *secrets)
{
	const char *at = text->data;

	while (at != NULL) {
		const char *mark = strstr(at, W_REDACTED);
		size_t len = mark == NULL ? strlen(at) : (size_t)(mark - at);

		for (size_t i = 0; i < secrets->count; i++) {
			const char *secret = secrets->items[i];

			CHECK(secret[0] == '\0' ||
			      memmem(at, len, secret, strlen(secret)) == NULL);
		}
		at = mark == NULL ? NULL : mark + strlen(W_REDACTED);
	}
}

static void
check_message(struct w_redactor *redactor, const char *text)
{
	writ_error error;
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf decoded;

	(void)w_fail(&error, WRIT_E_INVALID, "fuzz", 0, "cannot '%s'", text);
	w_buf_init(&json, 16384);
	w_buf_init(&decoded, 16384);
	w_redact_add_message(redactor, &json, error.message);
	CHECK(!json.failed);
	decode(&json, &decoded);
}

static void
check(const struct w_words *secrets, const char *text)
{
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf decoded;

	w_buf_init(&json, (size_t)1 << 24);
	w_buf_init(&decoded, (size_t)1 << 24);
	CHECK(w_redactor_add(&redactor, (const char *const *)secrets->items,
		  NULL) == WRIT_OK);
	w_redact_add(&redactor, &json, text);
	CHECK(!json.failed);
	decode(&json, &decoded);
	check_pieces(&decoded, secrets);
	CHECK(redactor.has_redacted || strcmp(decoded.data, text) == 0);
	check_message(&redactor, text);
	w_redactor_done(&redactor);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	W_AUTO_WORDS struct w_words secrets = {0};
	const char *bytes = (const char *)data;
	size_t at = 0;

	/* Behind the last NUL is the text, before it are the secrets. */
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != '\0')
			continue;
		CHECK(w_words_add(&secrets, bytes + at, i - at));
		at = i + 1;
	}
	char *text = copy_string(data + at, size - at);
	check(&secrets, text);
	free(text);
	return 0;
}
