/* SPDX-License-Identifier: Apache-2.0 */

/* Email addresses (RFC 5321 and RFC 6531). */

#include <string.h>

#include "schema/format/format_parts.h"

#define LOCAL_LEN_MAX 64

/* An unquoted local part. */
static bool
is_dotted(const char *text, size_t len, bool beyond_ascii)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		bool is_inner_dot =
		    c == '.' && i > 0 && i + 1 < len && text[i - 1] != '.';
		bool is_atom =
		    w_is_alpha(c) || w_is_digit(c) ||
		    (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL) ||
		    (beyond_ascii && ((unsigned char)c & 0x80) != 0);

		if (!is_inner_dot && !is_atom)
			return false;
	}
	return len > 0;
}

/* A quoted local part, without its quotes. */
static bool
is_quoted(const char *text, size_t len, bool beyond_ascii)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x80 && beyond_ascii)
			continue;
		if (c == '"' || c < 0x20 || c > 0x7e)
			return false;
		if (c == '\\' &&
		    (++i == len || text[i] < 0x20 || text[i] > 0x7e))
			return false;
	}
	return true;
}

static bool
is_mailbox(const char *text, size_t len, bool beyond_ascii)
{
	const char *at = memrchr(text, '@', len);
	const size_t local_len = at != NULL ? (size_t)(at - text) : 0;
	bool is_local;

	if (at == NULL || local_len > LOCAL_LEN_MAX)
		return false;
	if (local_len >= 2 && text[0] == '"' && text[local_len - 1] == '"')
		is_local = is_quoted(text + 1, local_len - 2, beyond_ascii);
	else
		is_local = is_dotted(text, local_len, beyond_ascii);
	if (!is_local)
		return false;

	const char *domain = at + 1;
	const size_t domain_len = len - local_len - 1;

	/* An address in brackets, or a name. */
	if (domain_len > 7 && strncasecmp(domain, "[IPv6:", 6) == 0 &&
	    domain[domain_len - 1] == ']')
		return w_format_ipv6(domain + 6, domain_len - 7);
	if (domain_len >= 2 && domain[0] == '[' &&
	    domain[domain_len - 1] == ']')
		return w_format_ipv4(domain + 1, domain_len - 2);
	return beyond_ascii ? w_format_idn_hostname(domain, domain_len)
			    : w_format_hostname(domain, domain_len);
}

bool
w_format_email(const char *text, size_t len)
{
	return is_mailbox(text, len, false);
}

bool
w_format_idn_email(const char *text, size_t len)
{
	return is_mailbox(text, len, true);
}
