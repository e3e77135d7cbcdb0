/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves references between schemas (RFC 3986). URIs are not validated; two
 * are the same if their texts are. */

#include "schema/compile/uri.h"

#include <string.h>

#include "base/hex.h"

struct uri_part {
	const char *text; /* NULL: absent */
	size_t len;
};

struct uri {
	struct uri_part scheme;
	struct uri_part authority;
	struct uri_part path; /* always present, may be empty */
	struct uri_part query;
};

/* Number of bytes before the first stop character. */
static size_t
length_before(const char *text, size_t len, const char *stops)
{
	size_t n = 0;

	while (n < len && strchr(stops, text[n]) == NULL)
		n++;
	return n;
}

static struct uri
uri_split(const char *text, size_t len)
{
	struct uri uri = {.scheme = {NULL, 0}};
	size_t n;

	len = length_before(text, len, "#");
	n = length_before(text, len, ":/?");
	if (n > 0 && n < len && text[n] == ':') {
		uri.scheme = (struct uri_part){text, n};
		text += n + 1;
		len -= n + 1;
	}
	n = length_before(text, len, "?");
	if (n < len)
		uri.query = (struct uri_part){text + n + 1, len - n - 1};
	len = n;
	if (len >= 2 && text[0] == '/' && text[1] == '/') {
		n = length_before(text + 2, len - 2, "/");
		uri.authority = (struct uri_part){text + 2, n};
		text += n + 2;
		len -= n + 2;
	}
	uri.path = (struct uri_part){text, len};
	return uri;
}

/* Removes the last segment, with its slash, of a path that begins at from. */
static void
drop_segment(struct w_buf *buf, size_t from)
{
	while (buf->len > from && w_buf_last(buf) != '/')
		buf->len--;
	if (buf->len > from)
		buf->len--;
	if (buf->cap > 0)
		buf->data[buf->len] = '\0';
}

static bool
is_segment(const char *segment, size_t len, const char *dots)
{
	return len == strlen(dots) && memcmp(segment, dots, len) == 0;
}

/* Appends a path without its "." and ".." segments. */
static void
uri_add_path(struct w_buf *buf, const char *path, size_t len)
{
	size_t from = buf->len;

	while (len > 0 && !buf->failed) {
		size_t slash = path[0] == '/' ? 1 : 0;
		size_t n =
		    slash + length_before(path + slash, len - slash, "/");
		bool is_last = n == len;

		if (is_segment(path + slash, n - slash, "..")) {
			drop_segment(buf, from);
			if (is_last)
				w_buf_add_char(buf, '/');
		} else if (!is_segment(path + slash, n - slash, ".")) {
			w_buf_add(buf, path, n);
		} else if (is_last && slash == 1) {
			w_buf_add_char(buf, '/');
		}
		path += n;
		len -= n;
	}
}

/* A relative path replaces what follows the last slash of base. */
static void
add_merged(
    struct w_buf *buf, const struct uri *base, const struct uri_part *path)
{
	W_AUTO_BUF struct w_buf merged;
	size_t kept = base->path.len;

	w_buf_init(&merged, base->path.len + path->len + 1);
	while (kept > 0 && base->path.text[kept - 1] != '/')
		kept--;
	w_buf_add(&merged, base->path.text, kept);
	if (base->path.len == 0 && base->authority.text != NULL)
		w_buf_add_char(&merged, '/');
	w_buf_add(&merged, path->text, path->len);
	uri_add_path(buf, merged.data, merged.len);
	buf->failed |= merged.failed;
}

static void
add_around(struct w_buf *buf, const char *before, const struct uri_part *part,
    const char *after)
{
	if (part->text == NULL)
		return;
	w_buf_add_str(buf, before);
	w_buf_add(buf, part->text, part->len);
	w_buf_add_str(buf, after);
}

void
w_uri_resolve(
    struct w_buf *buf, const char *base_text, const char *ref, size_t ref_len)
{
	struct uri base = uri_split(base_text, strlen(base_text));
	struct uri to = uri_split(ref, ref_len);
	bool is_whole = to.scheme.text != NULL;
	bool has_own_place = is_whole || to.authority.text != NULL;
	bool is_same = !has_own_place && to.path.len == 0;

	add_around(buf, "", is_whole ? &to.scheme : &base.scheme, ":");
	add_around(
	    buf, "//", has_own_place ? &to.authority : &base.authority, "");
	if (is_same)
		w_buf_add(buf, base.path.text, base.path.len);
	else if (is_whole && (to.path.len == 0 || to.path.text[0] != '/'))
		w_buf_add(buf, to.path.text, to.path.len);
	else if (has_own_place || to.path.text[0] == '/')
		uri_add_path(buf, to.path.text, to.path.len);
	else
		add_merged(buf, &base, &to.path);
	add_around(buf, "?",
	    is_same && to.query.text == NULL ? &base.query : &to.query, "");
}

bool
w_uri_is_short(const char *base, const char *ref, size_t ref_len)
{
	return strlen(base) + length_before(ref, ref_len, "#") <= W_URI_MAX;
}

const char *
w_uri_fragment(const char *ref, size_t ref_len, size_t *out_len)
{
	const char *hash = memchr(ref, '#', ref_len);

	if (hash == NULL)
		return NULL;
	*out_len = ref_len - (size_t)(hash + 1 - ref);
	return hash + 1;
}

bool
w_uri_decode(struct w_buf *buf, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '%') {
			w_buf_add_char(buf, text[i]);
			continue;
		}
		int high = i + 2 < len ? w_hex_digit(text[i + 1]) : -1;
		int low = i + 2 < len ? w_hex_digit(text[i + 2]) : -1;
		if (high < 0 || low < 0)
			return false;
		w_buf_add_char(buf, (char)(high * 16 + low));
		i += 2;
	}
	return true;
}
