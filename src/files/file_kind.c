/* SPDX-License-Identifier: Apache-2.0 */

/* What a file is, by its first bytes. */

#include "files/file_kind.h"

#include <string.h>

struct kind_row {
	const char *words;
	const char *magic;
	size_t len;
	size_t offset;
	bool is_image;
};

#define ROW(words, magic, offset, image)                               \
	{                                                              \
		(words), (magic), sizeof(magic) - 1, (offset), (image) \
	}

static const struct kind_row rows[] = {
    ROW("PNG image", "\x89PNG\r\n\x1a\n", 0, true),
    ROW("JPEG image", "\xff\xd8\xff", 0, true),
    ROW("GIF image", "GIF87a", 0, true),
    ROW("GIF image", "GIF89a", 0, true),
    ROW("WebP image", "WEBP", 8, true),
    ROW("ELF program or library",
	"\x7f"
	"ELF",
	0, false),
    ROW("PDF document", "%PDF-", 0, false),
    ROW("gzip data", "\x1f\x8b", 0, false),
    ROW("xz data",
	"\xfd"
	"7zXZ",
	0, false),
    ROW("zstd data", "\x28\xb5\x2f\xfd", 0, false),
    ROW("bzip2 data", "BZh", 0, false),
    ROW("ZIP archive", "PK\x03\x04", 0, false),
    ROW("archive (ar)", "!<arch>\n", 0, false),
    ROW("tar archive", "ustar", 257, false),
    ROW("SQLite database", "SQLite format 3", 0, false),
    ROW("WebAssembly", "\0asm", 0, false),
    ROW("UTF-16 text", "\xff\xfe", 0, false),
    ROW("UTF-16 text", "\xfe\xff", 0, false),
};

const char *
w_files_kind(const char *head, size_t len, bool *out_is_image)
{
	const bool is_text = memchr(head, '\0', len) == NULL;

	*out_is_image = false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct kind_row *row = &rows[i];

		if (len < row->offset + row->len ||
		    memcmp(head + row->offset, row->magic, row->len) != 0)
			continue;
		/* A text may begin with "BZh" or "GIF89a". */
		if (is_text && (unsigned char)row->magic[0] < 0x80 &&
		    strcmp(row->words, "PDF document") != 0 && len > row->len)
			return NULL;
		*out_is_image = row->is_image;
		return row->words;
	}
	return is_text ? NULL : "binary";
}
