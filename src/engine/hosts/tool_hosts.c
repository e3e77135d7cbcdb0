/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hosts in the source of package managers: what they use where no configuration
 * names a registry. Few words of each file are looked at; one that is written
 * differently has no hosts.
 */

#include <string.h>

#include "engine/hosts/config_hosts.h"

enum {
	NEAR = 400, /* bytes from a name to its default */
	HOST_MAX = 255
};

struct tool_text {
	const char *at;
	const char *end;
};

/* Goes behind the next of these words, within max bytes. */
static bool
go_behind(struct tool_text *text, const char *words, size_t max)
{
	const size_t left = (size_t)(text->end - text->at);
	const char *found =
	    memmem(text->at, left < max ? left : max, words, strlen(words));

	if (found == NULL)
		return false;
	text->at = found + strlen(words);
	return true;
}

/* Blanks and ends of lines. */
static void
skip_blanks(struct tool_text *text)
{
	while (text->at < text->end && strchr(" \t\r\n", *text->at) != NULL &&
	       *text->at != '\0')
		text->at++;
}

/* The text in quotes that comes next. */
static bool
take_quoted(struct tool_text *text, const char **out, size_t *out_len)
{
	skip_blanks(text);
	if (text->at == text->end || *text->at == '\0' ||
	    strchr("'\"`", *text->at) == NULL)
		return false;
	const char quote = *text->at++;
	const char *stop =
	    memchr(text->at, quote, (size_t)(text->end - text->at));
	if (stop == NULL)
		return false;
	*out = text->at;
	*out_len = (size_t)(stop - text->at);
	text->at = stop + 1;
	return true;
}

void
w_config_hosts_npm_source(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	struct tool_text rest = {.at = text, .end = text + len};
	const char *url;
	size_t url_len;

	/* define('registry', {default: `URL`, ...}), or new Definition(...). */
	if (go_behind(&rest, "('registry',", len) &&
	    go_behind(&rest, "default:", NEAR) &&
	    take_quoted(&rest, &url, &url_len))
		w_config_hosts_url(hosts, url, url_len);
}

static void
add_name(const struct w_config_hosts *hosts, const char *name, size_t len)
{
	static const char scheme[] = "https://";
	char url[sizeof(scheme) + HOST_MAX];

	if (len > HOST_MAX)
		return;
	memcpy(url, scheme, sizeof(scheme) - 1);
	memcpy(url + sizeof(scheme) - 1, name, len);
	w_config_hosts_url(hosts, url, sizeof(scheme) - 1 + len);
}

void
w_config_hosts_pip_source(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	struct tool_text rest = {.at = text, .end = text + len};
	const char *value;
	size_t value_len;

	/* PyPI = PackageIndex("URL", file_storage_domain="HOST") */
	if (!go_behind(&rest, "\nPyPI = PackageIndex(", len))
		return;
	const char *stop = memchr(rest.at, ')', (size_t)(rest.end - rest.at));
	if (stop != NULL)
		rest.end = stop;
	if (take_quoted(&rest, &value, &value_len))
		w_config_hosts_url(hosts, value, value_len);
	if (go_behind(&rest, "file_storage_domain=", NEAR) &&
	    take_quoted(&rest, &value, &value_len))
		add_name(hosts, value, value_len);
}

void
w_config_hosts_go_source(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	static const char *const names[] = {"GOPROXY", "GOSUMDB"};
	static const char *const starts[] = {
	    "envOr(\"GOPROXY\",", "envOr(\"GOSUMDB\","};
	const char *value;
	size_t value_len;

	for (size_t i = 0; i < 2; i++) {
		struct tool_text rest = {.at = text, .end = text + len};

		if (go_behind(&rest, starts[i], len) &&
		    take_quoted(&rest, &value, &value_len))
			w_config_hosts_go_value(
			    hosts, names[i], value, value_len);
	}
}
