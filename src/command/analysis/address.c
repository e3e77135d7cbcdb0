/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses addresses without looking anything up.
 *
 * The host or file is taken from the text as it stands, as tolerantly as curl,
 * wget, git, scp and rsync do: a scheme in upper or lower case, too few
 * slashes, too many, or none. Where they would expand something (curl's "{a,b}"
 * and "[1-9]") the target is unknown.
 */

#include "command/analysis/address.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static bool
is_helper(const char *text, size_t len)
{
	return (len >= 5 && strncasecmp(text, "ext::", 5) == 0) ||
	       (len >= 4 && strncasecmp(text, "fd::", 4) == 0);
}

static size_t
span(const char *text, size_t len, const char *until)
{
	size_t i = 0;

	while (i < len && strchr(until, text[i]) == NULL)
		i++;
	return i;
}

/* The length of a scheme with its colon; 0: none. A word with a colon can be
 * host:port: only two slashes, or a known name, make it a scheme. */
static size_t
scheme_len(const char *text, size_t len)
{
	static const char *const known[] = {"http:", "https:", "ftp:", "ftps:",
	    "file:", "ssh:", "git:", "scp:", "sftp:", NULL};
	size_t i = 0;

	while (i < len && (isalnum((unsigned char)text[i]) ||
			      strchr("+.-", text[i]) != NULL))
		i++;
	if (i == 0 || i >= len || text[i] != ':')
		return 0;
	i++;
	if (len - i >= 2 && text[i] == '/' && text[i + 1] == '/')
		return i;
	for (size_t k = 0; known[k] != NULL && i < len && text[i] == '/'; k++) {
		if (strlen(known[k]) == i &&
		    strncasecmp(text, known[k], i) == 0)
			return i;
	}
	return i == 5 && strncasecmp(text, "file:", 5) == 0 ? i : 0;
}

static bool
is_bracketed(const char *host, size_t len)
{
	if (len < 2 || host[0] != '[' || host[len - 1] != ']')
		return false;
	for (size_t i = 1; i + 1 < len; i++) {
		if (!isxdigit((unsigned char)host[i]) &&
		    strchr(":.%", host[i]) == NULL)
			return false;
	}
	return true;
}

/* The host in "host:port" or "[::1]:port". */
static size_t
host_len(const char *text, size_t len)
{
	size_t end = span(text, len, "]");

	/* "[::1]example.com" is whatever the program makes of it. */
	if (len > 0 && text[0] == '[' && end < len)
		return end + 1 == len || text[end + 1] == ':' ? end + 1 : len;
	end = span(text, len, ":");
	/* Several colons without brackets: an IPv6 address. */
	if (end < len && memchr(text + end + 1, ':', len - end - 1) != NULL)
		return len;
	return end;
}

static bool
address_is_plain(const char *host, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)host[i];

		if (c <= ' ' || c == 0x7f || strchr("{}[]\\%*", c) != NULL)
			return false;
	}
	return true;
}

/* Fills the target from "[user[:password]@]host[:port]" at that offset. */
static void
read_authority(struct w_address *address, const char *text, size_t from,
    size_t end, bool is_web)
{
	size_t host = from;

	for (size_t i = from; i < end; i++) {
		if (text[i] == '@')
			host = i + 1;
	}
	if (host > from) {
		size_t user = span(text + from, host - 1 - from, ":");
		size_t secret = from + user + 1;

		/* With web schemes a user without a password can be a token. */
		if (secret >= host && is_web)
			secret = from;
		if (secret < host) {
			address->secret = secret;
			address->secret_len = host - 1 - secret;
		}
	}
	size_t len = host_len(text + host, end - host);
	if (len == 0 || (!is_bracketed(text + host, len) &&
			    !address_is_plain(text + host, len)))
		return;
	address->target = text + host;
	address->len = len;
}

static struct w_address
file_address(const char *text, size_t from, size_t len)
{
	struct w_address address = {.kind = W_ADDRESS_FILE};
	size_t slashes = 0;

	while (
	    from + slashes < len && slashes < 2 && text[from + slashes] == '/')
		slashes++;
	if (slashes == 2)
		from += 2 + span(text + from + 2, len - from - 2, "/");
	if (from >= len || text[from] != '/')
		return address;
	if (span(text + from, len - from, "?#{}[]") < len - from)
		return address;
	address.target = text + from;
	address.len = len - from;
	address.is_encoded = memchr(address.target, '%', address.len) != NULL;
	return address;
}

static bool
address_is_path(const char *text, size_t len)
{
	return len > 0 &&
	       (text[0] == '/' || text[0] == '~' ||
		   (len == 1 && text[0] == '.') ||
		   strncmp(text, "./", 2) == 0 || strncmp(text, "..", 2) == 0);
}

/* Whether there are braces or brackets other than those of an IPv6 address. */
static bool
is_expanded(const char *text, size_t len)
{
	size_t open = span(text, len, "{[");

	if (open >= len)
		return false;
	size_t close = open + span(text + open, len - open, "]");
	if (close >= len || (open > 0 && strchr("/@", text[open - 1]) == NULL))
		return true;
	return !is_bracketed(text + open, close + 1 - open) ||
	       span(text + close, len - close, "{[") < len - close;
}

struct w_address
w_address_url(const char *text, size_t len)
{
	struct w_address address = {.kind = W_ADDRESS_HOST};
	size_t from = scheme_len(text, len);

	address.is_helper = is_helper(text, len);
	if (address.is_helper || is_expanded(text, len)) {
		address.kind = W_ADDRESS_UNKNOWN;
		return address;
	}
	if (from == 5 && strncasecmp(text, "file:", 5) == 0)
		return file_address(text, from, len);
	if (from == 0 && address_is_path(text, len)) {
		address.kind = W_ADDRESS_FILE;
		address.target = text;
		address.len = len;
		return address;
	}
	bool is_web = from > 4 && strncasecmp(text, "http", 4) == 0;
	while (from > 0 && from < len && text[from] == '/')
		from++;
	read_authority(&address, text, from,
	    from + span(text + from, len - from, "/?#\\"), is_web);
	return address;
}

struct w_address
w_address_host(const char *text, size_t len)
{
	struct w_address address = {.kind = W_ADDRESS_HOST};

	if (scheme_len(text, len) > 0)
		return w_address_url(text, len);
	read_authority(&address, text, 0, len, false);
	return address;
}

struct w_address
w_address_remote(const char *text, size_t len)
{
	struct w_address address = {
	    .kind = W_ADDRESS_FILE, .target = text, .len = len};
	size_t colon;

	if (is_helper(text, len) || scheme_len(text, len) > 0)
		return w_address_url(text, len);
	size_t open = span(text, len, "[/");
	size_t close = span(text, len, "]");
	if (open < close && close < len && text[open] == '[')
		colon = close + span(text + close, len - close, ":/");
	else
		colon = span(text, len, ":/");
	if (colon >= len || text[colon] != ':' || colon == 0)
		return address;
	address = (struct w_address){.kind = W_ADDRESS_HOST};
	read_authority(&address, text, 0, colon, false);
	return address;
}

/* 127.0.0.0/8, in the usual spelling of four numbers up to 255. Another text
 * of digits and dots would be a name that is looked up. */
static bool
is_loopback_number(const char *host, size_t len)
{
	size_t numbers = 0;

	if (len < 5 || memcmp(host, "127.", 4) != 0)
		return false;
	for (size_t i = 0; i <= len; numbers++) {
		unsigned value = 0;
		const size_t start = i;

		for (; i < len && host[i] >= '0' && host[i] <= '9'; i++)
			value = i - start < 3
				    ? value * 10 + (unsigned)(host[i] - '0')
				    : UINT_MAX;
		if (i == start || value > UINT8_MAX ||
		    (i < len && host[i] != '.'))
			return false;
		i++;
	}
	return numbers == 4;
}

bool
w_address_is_loopback(const char *host, size_t len)
{
	static const char *const names[] = {"localhost", "localhost.", "::1",
	    "[::1]", "ip6-localhost", "0.0.0.0", NULL};
	static const char domain[] = ".localhost";

	for (size_t i = 0; names[i] != NULL; i++) {
		if (strlen(names[i]) == len &&
		    strncasecmp(names[i], host, len) == 0)
			return true;
	}
	return is_loopback_number(host, len) ||
	       (len > strlen(domain) && strncasecmp(host + len - strlen(domain),
					    domain, strlen(domain)) == 0);
}
