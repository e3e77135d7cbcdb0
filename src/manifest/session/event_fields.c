/* SPDX-License-Identifier: Apache-2.0 */

/* JSON members of events. */

#include "manifest/session/event_fields.h"

#include <string.h>

#include "base/encode.h"
#include "data/json.h"
#include "log/log_format.h"

#define DIGITS_MAX 20 /* of 2^64 */

void
w_event_add_number(struct w_buf *buf, const char *name, uint64_t number)
{
	char digits[DIGITS_MAX];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	w_buf_add_str(buf, name);
	w_buf_add(buf, digits + at, sizeof(digits) - at);
}

void
w_event_add_bool(struct w_buf *buf, const char *name, bool is_true)
{
	w_buf_add_str(buf, name);
	w_buf_add_str(buf, is_true ? "true" : "false");
}

/* Length in bytes of the first character; 0: invalid UTF-8. */
static size_t
character_len(const char *text, size_t len)
{
	for (size_t n = 1; n <= 4 && n <= len; n++)
		if (w_utf8_valid(text, n))
			return n;
	return 0;
}

static void
add_repaired(struct w_buf *buf, const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf whole;

	w_buf_init(&whole, 3 * len);
	while (len > 0) {
		size_t n = character_len(text, len);

		if (n == 0)
			w_buf_add_str(&whole, "\xef\xbf\xbd");
		else
			w_buf_add(&whole, text, n);
		n += n == 0;
		text += n;
		len -= n;
	}
	w_json_add_string(buf, whole.data, whole.len);
	buf->failed = buf->failed || whole.failed;
}

static void
event_fields_add_text(struct w_buf *buf, const char *text)
{
	if (text == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	size_t len = strlen(text);
	if (w_utf8_valid(text, len))
		w_json_add_string(buf, text, len);
	else
		add_repaired(buf, text, len);
}

void
w_event_add_text(struct w_buf *buf, const char *name, const char *text)
{
	w_buf_add_str(buf, name);
	event_fields_add_text(buf, text);
}

void
w_event_add_list(struct w_buf *buf, const char *name, const char *const *texts)
{
	w_buf_add_str(buf, name);
	w_buf_add_char(buf, '[');
	for (size_t i = 0; texts != NULL && texts[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		event_fields_add_text(buf, texts[i]);
	}
	w_buf_add_char(buf, ']');
}

void
w_event_add_time(struct w_buf *buf, const char *name, uint64_t time_us)
{
	char text[W_LOG_TIME_LEN + 3];

	w_buf_add_str(buf, name);
	if (time_us == 0) {
		w_buf_add_str(buf, "null");
		return;
	}
	text[0] = '"';
	w_log_time_format(time_us, text + 1);
	text[W_LOG_TIME_LEN + 1] = '"';
	w_buf_add(buf, text, W_LOG_TIME_LEN + 2);
}
