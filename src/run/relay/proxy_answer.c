/* SPDX-License-Identifier: Apache-2.0 */

/* What is said to an upstream proxy (RFC 9110, CONNECT). */

#include "run/relay/proxy_answer.h"

#include "run/relay/relay_text.h"

enum {
	STATUS_LEN = 12, /* HTTP/1.1 200 */
	PORT_DIGITS = 5
};

long
proxy_answer_read(const uint8_t *bytes, size_t len)
{
	static const char start[] = "HTTP/1.";

	for (size_t i = 0; i < len && i < sizeof(start) - 1; i++)
		if (bytes[i] != (uint8_t)start[i])
			return -1;
	for (size_t i = 0; i + 1 < len; i++) {
		if (bytes[i] != '\n')
			continue;
		if (bytes[i + 1] == '\n' ||
		    (i + 2 < len && bytes[i + 1] == '\r' &&
			bytes[i + 2] == '\n')) {
			if (len < STATUS_LEN || bytes[8] != ' ' ||
			    bytes[9] != '2')
				return -1;
			return (long)(i + (bytes[i + 1] == '\n' ? 2 : 3));
		}
	}
	return len < PROXY_ANSWER_MAX ? 0 : -1;
}

/* What does not fit is left out: the caller's limits keep that from
 * happening. */
static size_t
append(char out[PROXY_REQUEST_MAX], size_t at, const char *text)
{
	while (*text != '\0' && at < PROXY_REQUEST_MAX)
		out[at++] = *text++;
	return at;
}

static size_t
append_authority(
    char out[PROXY_REQUEST_MAX], size_t at, const char *host, uint32_t port)
{
	char digits[PORT_DIGITS + 1];
	size_t i = PORT_DIGITS;

	digits[i] = '\0';
	do {
		digits[--i] = (char)('0' + port % 10);
		port /= 10;
	} while (port > 0 && i > 0);
	at = append(out, at, host);
	at = append(out, at, ":");
	return append(out, at, digits + i);
}

size_t
proxy_request_write(const char *host, uint32_t port, const char *auth,
    char out[PROXY_REQUEST_MAX])
{
	size_t at = append(out, 0, "CONNECT ");

	at = append_authority(out, at, host, port);
	at = append(out, at, " HTTP/1.1\r\nHost: ");
	at = append_authority(out, at, host, port);
	if (auth[0] != '\0') {
		at = append(out, at, "\r\nProxy-Authorization: Basic ");
		at = append(out, at, auth);
	}
	return append(out, at, "\r\n\r\n");
}

static int
is_beneath(const char *host, size_t host_len, const char *item, size_t len)
{
	if (len == 1 && item[0] == '*')
		return 1;
	if (len > 1 && item[0] == '*') {
		item++;
		len--;
	}
	if (len > 1 && item[0] == '.') {
		item++;
		len--;
	}
	if (len == 0 || host_len < len ||
	    !relay_text_is(host + host_len - len, len, item, len))
		return 0;
	return host_len == len || host[host_len - len - 1] == '.';
}

int
proxy_is_bypassed(const char *list, const char *host, size_t host_len)
{
	while (*list != '\0') {
		size_t len = 0;

		while (*list == ' ' || *list == ',')
			list++;
		while (
		    list[len] != '\0' && list[len] != ',' && list[len] != ' ')
			len++;
		if (len > 0 && is_beneath(host, host_len, list, len))
			return 1;
		list += len;
	}
	return 0;
}
