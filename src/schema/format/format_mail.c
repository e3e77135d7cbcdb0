/* SPDX-License-Identifier: Apache-2.0 */

/* Addresses of mailboxes, as RFC 5321 and RFC 6531 write them. */

#include <string.h>

#include "schema/format/format_parts.h"

#define LOCAL_LEN_MAX 64

/* A character of an unquoted mailbox name. */
static bool
is_atom_char(char c, bool beyond_ascii)
{
	return w_is_alpha(c) || w_is_digit(c) ||
	       (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL) ||
	       (beyond_ascii && ((unsigned char)c & 0x80) != 0);
}

static bool
is_dotted(const char *text, size_t len, bool beyond_ascii)
{
	for (size_t i = 0; i < len; i++) {
		bool is_dot_here = text[i] == '.' && i > 0 && i + 1 < len &&
				   text[i - 1] != '.';

		if (!is_dot_here && !is_atom_char(text[i], beyond_ascii))
			return false;
	}
	return len > 0;
}

/* Between the quotes. */
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
format_mail_is_local(const char *text, size_t len, bool beyond_ascii)
{
	if (len > LOCAL_LEN_MAX)
		return false;
	if (len >= 2 && text[0] == '"' && text[len - 1] == '"')
		return is_quoted(text + 1, len - 2, beyond_ascii);
	return is_dotted(text, len, beyond_ascii);
}

/* Between the brackets. */
static bool
format_mail_is_literal(const char *text, size_t len)
{
	if (len > 5 && strncasecmp(text, "IPv6:", 5) == 0)
		return w_format_ipv6(text + 5, len - 5);
	return w_format_ipv4(text, len);
}

static bool
is_mailbox(const char *text, size_t len, bool beyond_ascii)
{
	const char *at = memrchr(text, '@', len);

	if (at == NULL ||
	    !format_mail_is_local(text, (size_t)(at - text), beyond_ascii))
		return false;

	const char *domain = at + 1;
	const size_t domain_len = len - (size_t)(at - text) - 1;

	if (domain_len >= 2 && domain[0] == '[' &&
	    domain[domain_len - 1] == ']')
		return format_mail_is_literal(domain + 1, domain_len - 2);
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
