/* SPDX-License-Identifier: Apache-2.0 */

/* Output of a run on its way to people: made safe for a terminal, as a
 * recording for players, as lines of a window, as a cell of a table; and
 * moments as people write them. */

#include "cli/output/sanitizer.h"

#include "base/encode.h"
#include "base/printable.h"
#include "check.h"
#include "cli/live/live_output.h"
#include "cli/options/datetime.h"
#include "cli/output/asciicast.h"
#include "cli/output/csv.h"
#include "cli/output/line_wrap.h"
#include "data/json.h"
#include "log/log_format.h"

static void
sanitizer_in_pieces(struct w_buf *out, bool is_screen, const uint8_t *data,
    size_t size, size_t piece)
{
	struct w_sanitizer sanitizer = {.is_screen = is_screen};

	w_buf_init(out, 4 * size + 256);
	for (size_t at = 0; at < size; at += piece)
		w_sanitizer_add(&sanitizer, out, (const char *)data + at,
		    size - at < piece ? size - at : piece);
	w_sanitizer_end(&sanitizer, out);
	CHECK(!out->failed);
}

/* After an ESC stands a colour, and nothing else below a blank but tabs and
 * line ends. */
static void
check_harmless(const struct w_buf *out)
{
	CHECK(w_utf8_valid(out->data, out->len));
	for (size_t i = 0; i < out->len; i++) {
		const unsigned char c = (unsigned char)out->data[i];

		if (c == 0x1b) {
			CHECK(out->data[i + 1] == '[');
			i += 2 + strspn(out->data + i + 2, "0123456789;:");
			CHECK(out->data[i] == 'm');
			continue;
		}
		CHECK(c >= 0x20 || c == '\n' || c == '\t');
		CHECK(c != 0x7f);
		CHECK(c != 0xc2 || (unsigned char)out->data[i + 1] >= 0xa0);
	}
}

/* On a screen more passes, but nothing that has a text or asks. */
static void
check_screen(const struct w_buf *out)
{
	CHECK(w_utf8_valid(out->data, out->len));
	for (size_t i = 0; i < out->len; i++) {
		const unsigned char c = (unsigned char)out->data[i];

		CHECK(c != 0x05 && c != 0x7f);
		CHECK(c != 0xc2 || (unsigned char)out->data[i + 1] >= 0xa0);
		if (c != 0x1b)
			continue;
		const char letter = out->data[++i];
		CHECK(strchr("[78DEHM=>()*+", letter) != NULL);
		if (letter != '[')
			continue;
		i += 1 + strspn(out->data + i + 1, "0123456789;:?! ");
		CHECK(strchr("@ABCDEFGHIJKLMPSTXZ`abdefghlmpqrsu",
			  out->data[i]) != NULL);
	}
}

static void
check_sanitizer(const uint8_t *data, size_t size)
{
	for (int is_screen = 0; is_screen < 2; is_screen++) {
		W_AUTO_BUF struct w_buf whole;
		W_AUTO_BUF struct w_buf pieces;

		sanitizer_in_pieces(
		    &whole, is_screen == 1, data, size, size + 1);
		sanitizer_in_pieces(&pieces, is_screen == 1, data, size, 1);
		CHECK(whole.len == pieces.len);
		CHECK(memcmp(whole.data, pieces.data, whole.len) == 0);
		if (is_screen == 1)
			check_screen(&whole);
		else
			check_harmless(&whole);
	}
}

/* Drawn as lines of a window: none leaves its line or its columns. */
static void
check_lines(const uint8_t *data, size_t size)
{
	struct w_live_output output = {.recording = NULL};
	const size_t half = size / 2;
	const size_t columns = size % 100 + 1;

	CHECK(
	    w_live_output_add(&output, WRIT_STDOUT, (const char *)data, half));
	CHECK(w_live_output_add(
	    &output, WRIT_STDERR, (const char *)data + half, size - half));
	const size_t count = w_live_output_count(&output);
	CHECK(count <= W_LIVE_LINES_MAX + 1);
	for (size_t i = 0; i < count; i++) {
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, (size_t)1 << 20);
		CHECK(w_live_output_cut(&line, w_live_output_line(&output, i),
			  columns, i % 2 == 0) <= columns);
		check_harmless(&line);
		CHECK(strpbrk(line.data, "\n\t") == NULL);
		CHECK(w_wrap_columns(line.data) <= columns);
		CHECK(i % 2 == 0 || strchr(line.data, '\033') == NULL);
		/* No colour reaches the next line. */
		CHECK(strchr(line.data, '\033') == NULL ||
		      strcmp(line.data + line.len - 4, "\033[0m") == 0);
	}
	w_live_output_done(&output);
}

static void
check_cast(const uint8_t *data, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = 16 * size + 64, .depth_max = 8};
	struct w_asciicast cast = {.last_us = 0};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, 16 * size + 64);
	w_asciicast_add(&cast, &out, false, size, (const char *)data, size);
	CHECK(!out.failed);
	if (out.len == 0)
		return;
	CHECK(memchr(out.data, '\n', out.len) == out.data + out.len - 1);
	CHECK(w_json_read(out.data, out.len, &limits, &json, NULL) == WRIT_OK);
	w_json_free(json);
}

static void
check_cells(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);
	W_AUTO_BUF struct w_buf out;
	struct w_csv csv = {.out = &out};

	w_buf_init(&out, 16 * size + 64);
	const size_t columns = w_printable_add(&out, text, 20);
	CHECK(!out.failed && columns <= 20);
	check_harmless(&out);
	CHECK(strchr(out.data, '\n') == NULL);
	w_csv_text(&csv, text);
	CHECK(!out.failed);
	free(text);
}

static void
check_moment(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);
	char again[W_LOG_TIME_LEN + 1];
	uint64_t us = 0;
	uint64_t us_again = 0;
	writ_error err;

	writ_status status =
	    w_datetime_parse(text, UINT64_C(1) << 50, false, &us, &err);
	if (status == WRIT_OK) {
		w_log_time_format(us, again);
		CHECK(w_datetime_parse(again, 0, false, &us_again, &err) ==
		      WRIT_OK);
		CHECK(us == us_again);
	} else {
		check_error(&err, status);
	}
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 65536)
		return 0;
	check_sanitizer(data, size);
	check_lines(data, size);
	check_cast(data, size);
	check_cells(data, size);
	check_moment(data, size);
	return 0;
}
