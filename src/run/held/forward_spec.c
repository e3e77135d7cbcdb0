/* SPDX-License-Identifier: Apache-2.0 */

/* Reads what is to be published or let in. */

#include "run/held/forward_spec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define STAGE "session"

enum {
	PORT_MAX = 65535,
	/* Where container engines and display servers listen. */
	ENGINE_FIRST = 2375,
	ENGINE_LAST = 2377,
	DISPLAY_FIRST = 6000,
	DISPLAY_LAST = 6063
};

/* A whole port at *at, and moves it past. 0: none. */
static uint16_t
read_port(const char **at)
{
	unsigned long value = 0;
	int digits = 0;

	for (; **at >= '0' && **at <= '9' && digits < 6; digits++)
		value = value * 10 + (unsigned long)(*(*at)++ - '0');
	return digits == 0 || value > PORT_MAX ? 0 : (uint16_t)value;
}

writ_status
w_publish_spec_parse(
    const char *text, struct w_publish_spec *out, writ_error *err)
{
	const char *at = text;
	struct w_publish_spec spec = {.port = read_port(&at)};

	spec.host_port = spec.port;
	if (*at == ':') {
		at++;
		spec.port = read_port(&at);
	}
	if (spec.port == 0 || spec.host_port == 0 || *at != '\0')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "publish: expected PORT or HOST_PORT:PORT, from 1 to "
		    "65535, "
		    "got '%.64s'",
		    text);
	*out = spec;
	return WRIT_OK;
}

static const char *
after_host(const char *text)
{
	static const char *const hosts[] = {
	    "127.0.0.1:", "localhost:", "[::1]:", NULL};

	for (int i = 0; hosts[i] != NULL; i++) {
		if (strncmp(text, hosts[i], strlen(hosts[i])) == 0)
			return text + strlen(hosts[i]);
	}
	return NULL;
}

static writ_status
parse_port(const char *text, const char *at, struct w_connect_spec *out,
    writ_error *err)
{
	const uint16_t port = read_port(&at);

	if (port == 0 || *at != '\0')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "connect: expected a port from 1 to 65535 in '%.64s'",
		    text);
	if ((port >= ENGINE_FIRST && port <= ENGINE_LAST) ||
	    (port >= DISPLAY_FIRST && port <= DISPLAY_LAST))
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "connect: port %u is that of a %s, which is never let in: "
		    "whoever reaches it is outside of the sandbox",
		    port,
		    port <= ENGINE_LAST ? "container engine"
					: "display server");
	*out = (struct w_connect_spec){.port = port};
	return WRIT_OK;
}

static writ_status
parse_path(const char *text, struct w_connect_spec *out, writ_error *err)
{
	if (strncmp(text, "/var/run/", 9) == 0)
		text += 4;
	if (strlen(text) >= sizeof(out->path))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "connect: the path is too long for a local socket");
	if (strncmp(text, "/run/", 5) != 0 || strstr(text, "/..") != NULL ||
	    strstr(text, "//") != NULL || text[strlen(text) - 1] == '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "connect: only a local socket below /run can be let in, "
		    "not '%.128s'",
		    text);
	*out = (struct w_connect_spec){.port = 0};
	(void)stpcpy(out->path, text);
	return WRIT_OK;
}

writ_status
w_connect_spec_parse(
    const char *text, struct w_connect_spec *out, writ_error *err)
{
	const char *port = after_host(text);

	if (port != NULL)
		return parse_port(text, port, out, err);
	if (text[0] == '/')
		return parse_path(text, out, err);
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "connect: expected 127.0.0.1:PORT or the path of a local socket, "
	    "got '%.64s'",
	    text);
}
