/* SPDX-License-Identifier: Apache-2.0 */

/* Quotes values in messages: as JSON if short, truncated or described if long,
 * with terminal control characters escaped. */

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "data/json.h"
#include "schema/check/fault.h"

#define TEXT_MAX 60

/* Containers with more values are described. */
#define VALUES_MAX 12

/* Characters that break or reverse a line, or control a terminal: C1 controls
 * and bidi marks. yyjson and w_json escape ASCII controls. */
static bool
fault_quote_is_harmful(const unsigned char *at, size_t left)
{
	if (at[0] < 0x20 || at[0] == 0x7f)
		return true;
	if (left >= 2 && at[0] == 0xc2)
		return at[1] < 0xa0;
	if (left >= 2 && at[0] == 0xd8)
		return at[1] == 0x9c;
	if (left < 3 || at[0] != 0xe2)
		return false;
	return (at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f ||
				     (at[2] >= 0xa8 && at[2] <= 0xae))) ||
	       (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

/* The code point that fault_quote_is_harmful() found. */
static unsigned
fault_quote_decode(const unsigned char *at, size_t *out_len)
{
	if (at[0] < 0x80) {
		*out_len = 1;
		return at[0];
	}
	if (at[0] < 0xe0) {
		*out_len = 2;
		return (at[0] & 0x1fU) << 6 | (at[1] & 0x3fU);
	}
	*out_len = 3;
	return (at[0] & 0xfU) << 12 | (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU);
}

void
w_quote_bare(struct w_buf *buf, const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < len;) {
		if (!fault_quote_is_harmful(bytes + i, len - i)) {
			w_buf_add_char(buf, text[i++]);
			continue;
		}
		size_t taken = 1;
		w_buf_add_fmt(
		    buf, "\\u%04x", fault_quote_decode(bytes + i, &taken));
		i += taken;
	}
}

static void
fault_quote_add_text(struct w_buf *buf, yyjson_val *value)
{
	W_AUTO_BUF struct w_buf quoted;
	const char *text = yyjson_get_str(value);
	size_t len = yyjson_get_len(value);
	size_t shown = w_utf8_trim_end(text, len < TEXT_MAX ? len : TEXT_MAX);

	w_buf_init(&quoted, 6 * TEXT_MAX + 8);
	w_json_add_string(&quoted, text, shown);
	w_quote_bare(buf, quoted.data, quoted.len);
	if (shown < len)
		w_buf_add_str(buf, "...");
}

void
w_quote_value(struct w_buf *buf, yyjson_val *value)
{
	size_t inside = (size_t)(unsafe_yyjson_get_next(value) - value);
	size_t len = 0;

	if (yyjson_is_str(value)) {
		fault_quote_add_text(buf, value);
		return;
	}
	char *text = inside <= VALUES_MAX
			 ? yyjson_val_write(value, YYJSON_WRITE_NOFLAG, &len)
			 : NULL;
	if (text != NULL && yyjson_is_raw(value) && len > TEXT_MAX)
		w_buf_add_fmt(
		    buf, "%.*s... (%zu characters)", TEXT_MAX / 2, text, len);
	else if (text != NULL && len <= TEXT_MAX)
		w_quote_bare(buf, text, len);
	else if (yyjson_is_arr(value))
		w_buf_add_fmt(buf, "an array of %zu item%s",
		    yyjson_arr_size(value),
		    yyjson_arr_size(value) == 1 ? "" : "s");
	else if (yyjson_is_obj(value))
		w_buf_add_fmt(buf, "an object with %zu key%s",
		    yyjson_obj_size(value),
		    yyjson_obj_size(value) == 1 ? "" : "s");
	else
		w_buf_add_str(buf, "something else");
	free(text);
}
