/* SPDX-License-Identifier: Apache-2.0 */

/* The proxy of a company, as the environment names it. */

#include "run/hosts/upstream_proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/encode.h"
#include "base/hex.h"

#define STAGE "hosts"

enum {
	PORT_MAX = 65535,
	PORT_DEFAULT = 80,
	DECIMAL = 10,
	CREDENTIALS_MAX = 256
};

static const char *
get_either(char *(*get)(const char *name), const char *lower, const char *upper)
{
	const char *value = get(lower);

	if (value == NULL || *value == '\0')
		value = get(upper);
	return value == NULL || *value == '\0' ? NULL : value;
}

/* The value is not shown: it may have a password. */
static writ_status
proxy_fail(const char *why, writ_error *err)
{
	writ_status status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "https_proxy of the environment %s", why);

	w_suggest(err, "https_proxy=http://HOST:PORT, or none");
	return status;
}

static int
proxy_hex_digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c == '\0' ? NULL : strchr(digits, c | ' ');

	return c >= '0' && c <= '9' ? c - '0'
	       : at == NULL         ? -1
				    : (int)(at - digits);
}

/* "user:password", percent-encoded in a URL. */
static bool
add_credentials(const char *text, size_t len, struct w_relay_start *start)
{
	char plain[CREDENTIALS_MAX];
	size_t n = 0;
	W_AUTO_BUF struct w_buf auth;

	w_buf_init(&auth, sizeof(start->proxy_auth) - 1);
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (n == sizeof(plain))
			return false;
		if (c == '%' && len - i > 2 &&
		    proxy_hex_digit(text[i + 1]) >= 0 &&
		    proxy_hex_digit(text[i + 2]) >= 0) {
			c = (char)(proxy_hex_digit(text[i + 1]) * 16 +
				   proxy_hex_digit(text[i + 2]));
			i += 2;
		}
		plain[n++] = c;
	}
	w_base64_add(&auth, plain, n);
	if (auth.failed)
		return false;
	(void)snprintf(
	    start->proxy_auth, sizeof(start->proxy_auth), "%s", auth.data);
	return true;
}

static bool
is_host_name(const char *name)
{
	return *name != '\0' && name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
						  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
						  "0123456789.-_")] == '\0';
}

static writ_status
read_proxy(const char *value, struct w_relay_start *start, writ_error *err)
{
	const char *at = strstr(value, "://");
	char *end = NULL;
	unsigned long port = PORT_DEFAULT;

	if (at != NULL && strncmp(value, "http://", 7) != 0)
		return proxy_fail("is not a proxy of HTTP", err);
	at = at == NULL ? value : at + 3;
	const size_t len = strcspn(at, "/?#");
	const char *sign = memrchr(at, '@', len);
	if (sign != NULL && !add_credentials(at, (size_t)(sign - at), start))
		return proxy_fail("has too long a password", err);
	const char *host = sign == NULL ? at : sign + 1;
	const char *last = at + len;
	const char *colon = memchr(host, ':', (size_t)(last - host));
	const size_t host_len = (size_t)((colon == NULL ? last : colon) - host);
	if (host_len > W_RELAY_NAME_MAX)
		return proxy_fail("has too long a name", err);
	(void)snprintf(start->proxy_name, sizeof(start->proxy_name), "%.*s",
	    (int)host_len, host);
	if (colon != NULL) {
		port = strtoul(colon + 1, &end, DECIMAL);
		if (end != last || end == colon + 1 || port > PORT_MAX)
			port = 0;
	}
	if (!is_host_name(start->proxy_name) || port == 0)
		return proxy_fail("names no host and port", err);
	start->proxy_port = (uint32_t)port;
	return WRIT_OK;
}

writ_status
w_upstream_proxy_read(char *(*get)(const char *name),
    struct w_relay_start *start, writ_error *err)
{
	const char *value = get_either(get, "https_proxy", "HTTPS_PROXY");
	const char *direct = get_either(get, "no_proxy", "NO_PROXY");

	if (value == NULL)
		return WRIT_OK;
	/* What does not fit is not reached without the proxy. */
	if (direct != NULL && strlen(direct) < sizeof(start->direct))
		(void)snprintf(
		    start->direct, sizeof(start->direct), "%s", direct);
	return read_proxy(value, start, err);
}
