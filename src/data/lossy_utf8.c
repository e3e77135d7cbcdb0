/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Converts any bytes to UTF-8, for documents that must be text.
 */

#include "data/lossy_utf8.h"

#include <string.h>

#include "base/encode.h"

#define REPLACEMENT "\xef\xbf\xbd"

static size_t
lossy_utf8_char_len(const char *bytes, size_t len)
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
		size_t taken = lossy_utf8_char_len(bytes, len);

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

/* Completes the held character from the new bytes. Returns how many of them
 * were used. */
static size_t
fill_held(struct w_lossy_utf8 *decoder, struct w_buf *out, const char *bytes,
    size_t len)
{
	size_t taken = 0;

	while (decoder->held_len > 0 && taken < len) {
		decoder->held[decoder->held_len++] = bytes[taken++];

		/* All but an incomplete character at the end is decided. */
		const size_t whole =
		    w_utf8_trim_end(decoder->held, decoder->held_len);
		add_repaired(out, decoder->held, whole);
		decoder->held_len -= whole;
		memmove(
		    decoder->held, decoder->held + whole, decoder->held_len);
	}
	return taken;
}

void
w_lossy_utf8_add(struct w_lossy_utf8 *decoder, struct w_buf *out,
    const char *bytes, size_t len)
{
	const size_t taken = fill_held(decoder, out, bytes, len);

	bytes += taken;
	len -= taken;
	if (len == 0)
		return;

	const size_t whole = w_utf8_trim_end(bytes, len);
	add_repaired(out, bytes, whole);
	decoder->held_len = len - whole;
	memcpy(decoder->held, bytes + whole, decoder->held_len);
}

void
w_lossy_utf8_end(struct w_lossy_utf8 *decoder, struct w_buf *out)
{
	add_repaired(out, decoder->held, decoder->held_len);
	decoder->held_len = 0;
}
