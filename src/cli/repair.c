/* SPDX-License-Identifier: Apache-2.0 */

/*
 * UTF-8 out of bytes that may be anything, for documents that must be text.
 */

#include "cli/repair.h"

#include <string.h>

#include "base/encode.h"

#define REPLACEMENT "\xef\xbf\xbd"

static size_t
char_len(const char *bytes, size_t len)
{
	const unsigned char lead = (unsigned char)bytes[0];
	const size_t want = lead < 0x80   ? 1
			    : lead < 0xe0 ? 2
			    : lead < 0xf0 ? 3
					  : 4;

	return want <= len && w_utf8_valid(bytes, want) ? want : 0;
}

static void
add_repaired(struct w_buf *out, const char *bytes, size_t len)
{
	if (w_utf8_valid(bytes, len)) {
		w_buf_add(out, bytes, len);
		return;
	}
	while (len > 0) {
		size_t taken = char_len(bytes, len);

		if (taken > 0) {
			w_buf_add(out, bytes, taken);
		} else {
			w_buf_add_str(out, REPLACEMENT);
			taken = 1;
		}
		bytes += taken;
		len -= taken;
	}
}

/* Completes the held character from the new bytes and returns how many it
 * took of them. */
static size_t
fill_held(
    struct w_repair *repair, struct w_buf *out, const char *bytes, size_t len)
{
	size_t taken = 0;

	while (repair->held_len > 0 && taken < len) {
		repair->held[repair->held_len++] = bytes[taken++];

		/* Up to here it is clear what the bytes are. */
		const size_t whole =
		    w_utf8_trim_end(repair->held, repair->held_len);
		add_repaired(out, repair->held, whole);
		repair->held_len -= whole;
		memmove(repair->held, repair->held + whole, repair->held_len);
	}
	return taken;
}

void
w_repair_add(
    struct w_repair *repair, struct w_buf *out, const char *bytes, size_t len)
{
	const size_t taken = fill_held(repair, out, bytes, len);

	bytes += taken;
	len -= taken;
	if (len == 0)
		return;

	const size_t whole = w_utf8_trim_end(bytes, len);
	add_repaired(out, bytes, whole);
	repair->held_len = len - whole;
	memcpy(repair->held, bytes + whole, repair->held_len);
}

void
w_repair_end(struct w_repair *repair, struct w_buf *out)
{
	add_repaired(out, repair->held, repair->held_len);
	repair->held_len = 0;
}
