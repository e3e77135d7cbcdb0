/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of formats, and the small ones. All are hand-written parsers: no
 * regular expressions, no allocation, one pass.
 */

#include "schema/format/format.h"

#include <string.h>

#include "schema/format/format_parts.h"
#include "schema/pattern/pattern_translator.h"

bool
w_format_json_pointer(const char *text, size_t len)
{
	if (len > 0 && text[0] != '/')
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '~' && (i + 1 == len || (text[i + 1] != '0' &&
							   text[i + 1] != '1')))
			return false;
	}
	return true;
}

bool
w_format_relative_json_pointer(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && w_is_digit(text[at]))
		at++;
	if (at == 0 || (at > 1 && text[0] == '0'))
		return false;
	if (at + 1 == len && text[at] == '#')
		return true;
	return w_format_json_pointer(text + at, len - at);
}

bool
w_format_uuid(const char *text, size_t len)
{
	if (len != 36)
		return false;
	for (size_t i = 0; i < len; i++) {
		bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_hyphen ? text[i] != '-' : !w_is_hex(text[i]))
			return false;
	}
	return true;
}

static bool
format_is_path(const char *text, size_t len)
{
	return memchr(text, '\0', len) == NULL;
}

/* Checks the syntax only; pattern.c may still reject it. */
static bool
is_regex(const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, W_PATTERN_TEXT_MAX);
	return w_pattern_translate(text, len, &out, NULL) == WRIT_OK;
}

static const struct {
	const char *name;
	w_format_fn check;
} formats[] = {
    {"date", w_format_date},
    {"date-time", w_format_date_time},
    {"duration", w_format_duration},
    {"email", w_format_email},
    {"hostname", w_format_hostname},
    {"idn-email", w_format_idn_email},
    {"idn-hostname", w_format_idn_hostname},
    {"ipv4", w_format_ipv4},
    {"ipv6", w_format_ipv6},
    {"iri", w_format_iri},
    {"iri-reference", w_format_iri_reference},
    {"json-pointer", w_format_json_pointer},
    {"path", format_is_path},
    {"regex", is_regex},
    {"relative-json-pointer", w_format_relative_json_pointer},
    {"time", w_format_time},
    {"uri", w_format_uri},
    {"uri-reference", w_format_uri_reference},
    {"uri-template", w_format_uri_template},
    {"uuid", w_format_uuid},
};

w_format_fn
w_format_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strlen(formats[i].name) == len &&
		    memcmp(formats[i].name, name, len) == 0)
			return formats[i].check;
	}
	return NULL;
}
