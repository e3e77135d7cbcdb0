/* SPDX-License-Identifier: Apache-2.0 */

/*
 * URIs (RFC 3986), IRIs (RFC 3987) and URI templates (RFC 6570).
 */

#include <string.h>

#include "schema/code_point.h"
#include "schema/format/format_parts.h"

/* Characters besides letters and digits. */
#define UNRESERVED "-._~"
#define SUB_DELIMS "!$&'()*+,;="

static bool
is_beyond(uint32_t code)
{
	if (code < 0x10000)
		return (code >= 0xa0 && code <= 0xd7ff) ||
		       (code >= 0xf900 && code <= 0xfdcf) ||
		       (code >= 0xfdf0 && code <= 0xffef);
	/* All but the last two of each plane, and no tags of plane 14. */
	return code < 0xf0000 && (code & 0xffff) <= 0xfffd &&
	       (code < 0xe0000 || code >= 0xe1000);
}

static bool
format_uri_is_private(uint32_t code)
{
	return (code >= 0xe000 && code <= 0xf8ff) ||
	       (code >= 0xf0000 && (code & 0xffff) <= 0xfffd);
}

/* The characters allowed in a component. */
struct alphabet {
	const char *others; /* besides letters, digits and %XX */
	bool beyond_ascii;
	bool with_private;
};

/* Reads one character or a %XX escape. */
static bool
format_uri_take_char(
    const char *text, size_t len, size_t *at, const struct alphabet *alphabet)
{
	const char c = text[*at];

	if (((unsigned char)c & 0x80) != 0) {
		const uint32_t code = w_code_point_next(text, at);

		return alphabet->beyond_ascii &&
		       (is_beyond(code) || (alphabet->with_private &&
					       format_uri_is_private(code)));
	}
	if (c == '%') {
		*at += 3;
		return *at <= len && w_is_hex(text[*at - 2]) &&
		       w_is_hex(text[*at - 1]);
	}
	++*at;
	return w_is_alpha(c) || w_is_digit(c) ||
	       (c != '\0' && strchr(alphabet->others, c) != NULL);
}

static bool
is_made_of(const char *text, size_t len, const struct alphabet *alphabet)
{
	size_t at = 0;

	while (at < len) {
		if (!format_uri_take_char(text, len, &at, alphabet))
			return false;
	}
	return true;
}

/* IPvFuture: "v1.fe". */
static bool
is_future_address(const char *text, size_t len)
{
	size_t at = 1;

	if (len < 4 || (text[0] | 0x20) != 'v')
		return false;
	while (at < len && w_is_hex(text[at]))
		at++;
	if (at == 1 || at + 1 >= len || text[at] != '.' ||
	    memchr(text, '%', len) != NULL)
		return false;
	return is_made_of(text + at + 1, len - at - 1,
	    &(struct alphabet){.others = UNRESERVED SUB_DELIMS ":"});
}

static bool
is_port(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!w_is_digit(text[i]))
			return false;
	}
	return true;
}

/* Host and port. */
static bool
is_host(const char *text, size_t len, bool beyond_ascii)
{
	const struct alphabet alphabet = {
	    .others = UNRESERVED SUB_DELIMS, .beyond_ascii = beyond_ascii};
	const char *end;
	size_t host_len;

	if (len > 0 && text[0] == '[') {
		end = memchr(text, ']', len);
		if (end == NULL)
			return false;
		host_len = (size_t)(end - text) + 1;
		if (!w_format_ipv6(text + 1, host_len - 2) &&
		    !is_future_address(text + 1, host_len - 2))
			return false;
	} else {
		end = memchr(text, ':', len);
		host_len = end != NULL ? (size_t)(end - text) : len;
		if (!is_made_of(text, host_len, &alphabet))
			return false;
	}
	if (host_len == len)
		return true;
	return text[host_len] == ':' &&
	       is_port(text + host_len + 1, len - host_len - 1);
}

static bool
is_authority(const char *text, size_t len, bool beyond_ascii)
{
	const struct alphabet user = {
	    .others = UNRESERVED SUB_DELIMS ":", .beyond_ascii = beyond_ascii};
	const char *at = memchr(text, '@', len);

	if (at == NULL)
		return is_host(text, len, beyond_ascii);

	const size_t user_len = (size_t)(at - text);

	return is_made_of(text, user_len, &user) &&
	       is_host(at + 1, len - user_len - 1, beyond_ascii);
}

static size_t
find_any(const char *text, size_t len, const char *ends)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\0' && strchr(ends, text[i]) != NULL)
			return i;
	}
	return len;
}

/* Everything after the scheme. */
static bool
is_rest(const char *text, size_t len, bool beyond_ascii)
{
	const struct alphabet path = {.others = UNRESERVED SUB_DELIMS ":@/",
	    .beyond_ascii = beyond_ascii};
	const struct alphabet query = {.others = UNRESERVED SUB_DELIMS ":@/?",
	    .beyond_ascii = beyond_ascii,
	    .with_private = true};
	const struct alphabet fragment = {
	    .others = UNRESERVED SUB_DELIMS ":@/?",
	    .beyond_ascii = beyond_ascii};
	size_t at = 0;

	if (len >= 2 && text[0] == '/' && text[1] == '/') {
		at = 2 + find_any(text + 2, len - 2, "/?#");
		if (!is_authority(text + 2, at - 2, beyond_ascii))
			return false;
	}

	const size_t path_end = at + find_any(text + at, len - at, "?#");
	const size_t query_end =
	    path_end + find_any(text + path_end, len - path_end, "#");

	if (!is_made_of(text + at, path_end - at, &path))
		return false;
	if (query_end > path_end &&
	    !is_made_of(text + path_end + 1, query_end - path_end - 1, &query))
		return false;
	return query_end == len ||
	       is_made_of(text + query_end + 1, len - query_end - 1, &fragment);
}

/* Length of the scheme with its colon; 0: none. */
static size_t
scheme_len(const char *text, size_t len)
{
	size_t i = 0;

	while (
	    i < len && (w_is_alpha(text[i]) ||
			   (i > 0 && (w_is_digit(text[i]) || text[i] == '+' ||
					 text[i] == '-' || text[i] == '.'))))
		i++;
	return i > 0 && i < len && text[i] == ':' ? i + 1 : 0;
}

static bool
is_absolute(const char *text, size_t len, bool beyond_ascii)
{
	const size_t scheme = scheme_len(text, len);

	return scheme > 0 && is_rest(text + scheme, len - scheme, beyond_ascii);
}

/* A colon in the first segment would make that segment a scheme. */
static bool
format_uri_is_reference(const char *text, size_t len, bool beyond_ascii)
{
	const size_t segment = find_any(text, len, "/?#");

	return is_absolute(text, len, beyond_ascii) ||
	       (memchr(text, ':', segment) == NULL &&
		   is_rest(text, len, beyond_ascii));
}

bool
w_format_uri(const char *text, size_t len)
{
	return is_absolute(text, len, false);
}

bool
w_format_uri_reference(const char *text, size_t len)
{
	return format_uri_is_reference(text, len, false);
}

bool
w_format_iri(const char *text, size_t len)
{
	return is_absolute(text, len, true);
}

bool
w_format_iri_reference(const char *text, size_t len)
{
	return format_uri_is_reference(text, len, true);
}

/* "name", "name:3" or "name*". */
static bool
is_variable(const char *text, size_t len)
{
	const struct alphabet letters = {.others = "_"};
	size_t at = 0;

	while (at < len && text[at] != ':' && text[at] != '*') {
		if (at > 0 && text[at] == '.')
			at++;
		if (at == len ||
		    !format_uri_take_char(text, len, &at, &letters))
			return false;
	}
	if (at == 0)
		return false;
	if (at == len || text[at] == '*')
		return len - at <= 1;

	const size_t digits = len - at - 1;

	return digits >= 1 && digits <= 4 && text[at + 1] != '0' &&
	       is_port(text + at + 1, digits);
}

/* A template expression, without its braces. */
static bool
is_expression(const char *text, size_t len)
{
	size_t at = len > 0 && find_any(text, 1, "+#./;?&=,!@|") == 0;

	for (;;) {
		const size_t end = at + find_any(text + at, len - at, ",");

		if (!is_variable(text + at, end - at))
			return false;
		if (end == len)
			return true;
		at = end + 1;
	}
}

bool
w_format_uri_template(const char *text, size_t len)
{
	const struct alphabet literals = {
	    .others = UNRESERVED SUB_DELIMS ":/?#[]@",
	    .beyond_ascii = true,
	    .with_private = true};
	size_t at = 0;

	while (at < len) {
		if (text[at] != '{') {
			if (!format_uri_take_char(text, len, &at, &literals))
				return false;
			continue;
		}

		const char *end = memchr(text + at, '}', len - at);

		if (end == NULL || !is_expression(text + at + 1,
				       (size_t)(end - text) - at - 1))
			return false;
		at = (size_t)(end - text) + 1;
	}
	return true;
}
