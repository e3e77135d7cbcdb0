/* SPDX-License-Identifier: Apache-2.0 */

/* The media type of output, by its first bytes. */

#include "engine/call/call_content.h"

#include <stdint.h>
#include <string.h>

#include "base/encode.h"

/* X(kind of output, offset, bytes at that offset, media type) */
static const struct magic {
	enum w_output_as as;
	size_t offset;
	const char *bytes;
	size_t len;
	const char *type;
} magics[] = {
#define ROW(as, offset, bytes, type)                                  \
	{                                                             \
		W_OUTPUT_##as, offset, bytes, sizeof(bytes) - 1, type \
	}
    ROW(IMAGE, 0, "\x89PNG\r\n\x1a\n", "image/png"),
    ROW(IMAGE, 0, "\xff\xd8\xff", "image/jpeg"),
    ROW(IMAGE, 0, "GIF87a", "image/gif"),
    ROW(IMAGE, 0, "GIF89a", "image/gif"),
    ROW(IMAGE, 8, "WEBP", "image/webp"),
    ROW(IMAGE, 0, "BM", "image/bmp"),
    ROW(IMAGE, 0, "II*\0", "image/tiff"),
    ROW(IMAGE, 0, "MM\0*", "image/tiff"),
    ROW(IMAGE, 4, "ftypavif", "image/avif"),
    ROW(IMAGE, 0, "<svg", "image/svg+xml"),
    ROW(AUDIO, 8, "WAVE", "audio/wav"),
    ROW(AUDIO, 0, "ID3", "audio/mpeg"),
    ROW(AUDIO, 0, "\xff\xfb", "audio/mpeg"),
    ROW(AUDIO, 0, "\xff\xf3", "audio/mpeg"),
    ROW(AUDIO, 0, "\xff\xf2", "audio/mpeg"),
    ROW(AUDIO, 0, "OggS", "audio/ogg"),
    ROW(AUDIO, 0, "fLaC", "audio/flac"),
    ROW(AUDIO, 4, "ftypM4A", "audio/mp4"),
    ROW(RESOURCE, 0, "%PDF-", "application/pdf"),
    ROW(RESOURCE, 0, "PK\x03\x04", "application/zip"),
    ROW(RESOURCE, 0, "\x1f\x8b", "application/gzip"),
#undef ROW
};

static bool
magic_matches(const struct magic *magic, const char *bytes, size_t len)
{
	const bool is_riff = strcmp(magic->bytes, "WAVE") == 0 ||
			     strcmp(magic->bytes, "WEBP") == 0;

	return len >= magic->offset + magic->len &&
	       memcmp(bytes + magic->offset, magic->bytes, magic->len) == 0 &&
	       (!is_riff || memcmp(bytes, "RIFF", 4) == 0);
}

const char *
w_call_content_type(enum w_output_as as, const char *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		/* A resource may be any of them. */
		if ((magics[i].as == as || as == W_OUTPUT_RESOURCE) &&
		    magic_matches(&magics[i], bytes, len))
			return magics[i].type;
	}
	if (as == W_OUTPUT_IMAGE)
		return "image/png";
	if (as == W_OUTPUT_AUDIO)
		return "audio/wav";
	return w_utf8_valid(bytes, len) && memchr(bytes, '\0', len) == NULL
		   ? "text/plain"
		   : "application/octet-stream";
}
