/* SPDX-License-Identifier: Apache-2.0 */

/* Bytes as text: base64 there and back, cuts of UTF-8, and errors that carry
 * any bytes. */

#include "base/encode.h"

#include "base/buf.h"
#include "check.h"

static void
check_base64(const uint8_t *data, size_t size)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf back;

	w_buf_init(&text, 2 * size + 8);
	w_buf_init(&back, size);
	w_base64_add(&text, data, size);
	CHECK(!text.failed);
	CHECK(text.len == (size + 2) / 3 * 4);
	CHECK(w_base64_decode(&back, text.data, text.len));
	CHECK(back.len == size);
	CHECK(size == 0 || memcmp(back.data, data, size) == 0);
}

/* Exactly one text stands for any bytes. */
static void
check_decode(const uint8_t *data, size_t size)
{
	W_AUTO_BUF struct w_buf bytes;
	W_AUTO_BUF struct w_buf text;
	char *exact = copy_exact(data, size);

	w_buf_init(&bytes, size);
	w_buf_init(&text, size);
	if (w_base64_decode(&bytes, exact, size)) {
		w_base64_add(&text, bytes.data, bytes.len);
		CHECK(!text.failed && text.len == size);
		CHECK(memcmp(text.data, exact, size) == 0);
	}
	free(exact);
}

static void
check_cuts(const uint8_t *data, size_t size)
{
	bool is_valid = w_utf8_valid(data, size);
	size_t end = w_utf8_trim_end(data, size);
	size_t start = w_utf8_trim_start(data, size);

	CHECK(end <= size && size - end <= 3);
	CHECK(start <= 3 && start <= size);
	CHECK(w_utf8_trim_end(data, end) == end || !w_utf8_valid(data, end));
	if (!is_valid)
		return;
	CHECK(end == size && start == 0);
	for (size_t cut = 0; cut < size && cut < 64; cut++) {
		size_t head = w_utf8_trim_end(data, cut);
		size_t skip = w_utf8_trim_start(data + cut, size - cut);
		CHECK(w_utf8_valid(data, head));
		CHECK(w_utf8_valid(data + cut + skip, size - cut - skip));
	}
}

static void
check_message(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);
	writ_error err;

	writ_status status = w_fail(&err, WRIT_E_SYSTEM, text,
	    (int)(size % 140), "cannot open '%s'", text);
	w_suggest(&err, "%s", text);
	check_error(&err, status);

	/* A message made harmless stays as it is. */
	writ_error again;
	(void)w_fail(&again, WRIT_E_SYSTEM, err.stage, 0, "%s", err.message);
	CHECK(strcmp(again.message, err.message) == 0);
	CHECK(strcmp(again.stage, err.stage) == 0);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_base64(data, size);
	check_decode(data, size);
	check_cuts(data, size);
	check_message(data, size);
	return 0;
}
