/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts in addresses, and in configurations of one line a value. */

#include "engine/hosts/config_hosts.h"

#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "policy/hosts/host_list.h"

/* ---- addresses ---- */

static bool
is_scheme(const char *text, size_t len)
{
	static const char *const schemes[] = {
	    "http", "https", "git", "ssh", "ftp", NULL};

	for (size_t i = 0; schemes[i] != NULL; i++) {
		if (strlen(schemes[i]) == len &&
		    strncasecmp(schemes[i], text, len) == 0)
			return true;
	}
	return false;
}

/* "sparse+https": what stands before the last '+' says how, not where. */
static bool
has_scheme(const char *text, size_t len)
{
	const char *plus = memrchr(text, '+', len);

	return plus != NULL
		   ? is_scheme(plus + 1, len - 1 - (size_t)(plus - text))
		   : is_scheme(text, len);
}

void
w_config_hosts_url(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	static const char between[] = "://";
	const char *end = text + len;
	const char *colon = memmem(text, len, between, strlen(between));
	char host[W_HOST_PATTERN_MAX + 1];

	if (colon == NULL || !has_scheme(text, (size_t)(colon - text)))
		return;
	const char *at = colon + strlen(between);
	const char *stop = at;
	while (stop < end && strchr("/?#\\\r\n\"'", *stop) == NULL)
		stop++;
	const char *user = memrchr(at, '@', (size_t)(stop - at));
	if (user != NULL)
		at = user + 1;
	const size_t host_len = (size_t)(stop - at);
	if (host_len == 0 || host_len >= sizeof(host))
		return;
	memcpy(host, at, host_len);
	host[host_len] = '\0';
	/* No wildcard, network or manager: a file names hosts one by one. */
	if (strpbrk(host, "*@/$") == NULL &&
	    w_host_pattern_check(host, NULL) == WRIT_OK)
		hosts->emit(hosts->ctx, host);
}

/* ---- lines ---- */

/* Takes the next line, without its end; false: there is none. */
static bool
next_line(const char **text, const char *end, const char **out, size_t *out_len)
{
	if (*text >= end)
		return false;
	const char *stop = memchr(*text, '\n', (size_t)(end - *text));

	*out = *text;
	*out_len = (size_t)((stop != NULL ? stop : end) - *text);
	*text = stop != NULL ? stop + 1 : end;
	if (*out_len > 0 && (*out)[*out_len - 1] == '\r')
		--*out_len;
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
trim(const char **text, size_t *len)
{
	while (*len > 0 && is_blank(**text)) {
		++*text;
		--*len;
	}
	while (*len > 0 && is_blank((*text)[*len - 1]))
		--*len;
}

/* Every word of a line that is an address. */
static void
add_words(const struct w_config_hosts *hosts, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *stop = text;

		while (stop < end && !is_blank(*stop) && *stop != ',')
			stop++;
		w_config_hosts_url(hosts, text, (size_t)(stop - text));
		text = stop + 1;
	}
}

/* ---- pip, npm ---- */

static bool
is_same_key(const char *text, size_t len, const char *key)
{
	if (key[0] == ':') {
		const size_t tail = strlen(key);

		return len > tail &&
		       strncasecmp(text + len - tail, key, tail) == 0;
	}
	for (size_t i = 0; i < len; i++) {
		const char c = text[i] == '_' ? '-' : w_lower(text[i]);

		if (key[i] == '\0' || c != key[i])
			return false;
	}
	return key[len] == '\0';
}

static bool
has_key(const char *text, size_t len, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		if (is_same_key(text, len, *keys))
			return true;
	}
	return false;
}

/* Quotes around a value are not part of it. */
static void
unquote(const char **text, size_t *len)
{
	if (*len >= 2 && (**text == '"' || **text == '\'') &&
	    (*text)[*len - 1] == **text) {
		++*text;
		*len -= 2;
	}
}

void
w_config_hosts_ini(const struct w_config_hosts *hosts, const char *text,
    size_t len, const char *const *keys)
{
	const char *end = text + len;
	const char *line;
	size_t line_len;
	bool is_wanted = false; /* further lines belong to a value of ours */

	while (next_line(&text, end, &line, &line_len)) {
		const bool is_further = line_len > 0 && is_blank(line[0]);
		const char *value = line;
		size_t value_len = line_len;

		trim(&value, &value_len);
		if (value_len == 0 || value[0] == '#' || value[0] == ';')
			continue;
		const char *equals = memchr(value, '=', value_len);
		if (!(is_further && is_wanted)) {
			size_t key_len =
			    equals != NULL ? (size_t)(equals - value) : 0;
			const char *key = value;

			trim(&key, &key_len);
			is_wanted = key_len > 0 && has_key(key, key_len, keys);
			if (!is_wanted)
				continue;
			value_len -= (size_t)(equals + 1 - value);
			value = equals + 1;
			trim(&value, &value_len);
			unquote(&value, &value_len);
		}
		add_words(hosts, value, value_len);
	}
}

/* ---- go ---- */

/* "name+key", "name", "name https://..." */
static void
add_sum_db(const struct w_config_hosts *hosts, const char *value, size_t len)
{
	char host[W_HOST_PATTERN_MAX + 1];
	const char *blank = memchr(value, ' ', len);

	if (blank != NULL) {
		w_config_hosts_url(
		    hosts, blank + 1, len - 1 - (size_t)(blank - value));
		return;
	}
	const char *plus = memchr(value, '+', len);
	if (plus != NULL)
		len = (size_t)(plus - value);
	if (len == 0 || len >= sizeof(host) || memchr(value, '.', len) == NULL)
		return;
	memcpy(host, value, len);
	host[len] = '\0';
	if (strpbrk(host, "*@/$:") == NULL &&
	    w_host_pattern_check(host, NULL) == WRIT_OK)
		hosts->emit(hosts->ctx, host);
}

void
w_config_hosts_go_value(const struct w_config_hosts *hosts, const char *name,
    const char *value, size_t len)
{
	const char *end = value + len;

	if (strcmp(name, "GOSUMDB") == 0) {
		add_sum_db(hosts, value, len);
		return;
	}
	if (strcmp(name, "GOPROXY") != 0)
		return;
	while (value < end) {
		const char *stop = value;

		while (stop < end && *stop != ',' && *stop != '|')
			stop++;
		w_config_hosts_url(hosts, value, (size_t)(stop - value));
		value = stop + 1;
	}
}

void
w_config_hosts_go(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	static const char *const names[] = {"GOPROXY", "GOSUMDB", NULL};
	const char *end = text + len;
	const char *line;
	size_t line_len;

	while (next_line(&text, end, &line, &line_len)) {
		trim(&line, &line_len);
		for (size_t i = 0; names[i] != NULL; i++) {
			const size_t name_len = strlen(names[i]);

			if (line_len > name_len && line[name_len] == '=' &&
			    memcmp(line, names[i], name_len) == 0)
				w_config_hosts_go_value(hosts, names[i],
				    line + name_len + 1,
				    line_len - name_len - 1);
		}
	}
}

/* ---- apt ---- */

static bool
takes_word(const char **text, size_t *len, const char *word)
{
	const size_t word_len = strlen(word);

	if (*len <= word_len || memcmp(*text, word, word_len) != 0 ||
	    !is_blank((*text)[word_len]))
		return false;
	*text += word_len;
	*len -= word_len;
	trim(text, len);
	return true;
}

void
w_config_hosts_apt_list(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	const char *end = text + len;
	const char *line;
	size_t line_len;

	while (next_line(&text, end, &line, &line_len)) {
		trim(&line, &line_len);
		if (!takes_word(&line, &line_len, "deb") &&
		    !takes_word(&line, &line_len, "deb-src"))
			continue;
		/* [ arch=amd64 signed-by=... ] */
		if (line_len > 0 && line[0] == '[') {
			const char *close = memchr(line, ']', line_len);

			if (close == NULL)
				continue;
			line_len -= (size_t)(close + 1 - line);
			line = close + 1;
			trim(&line, &line_len);
		}
		size_t word = 0;
		while (word < line_len && !is_blank(line[word]))
			word++;
		w_config_hosts_url(hosts, line, word);
	}
}

static bool
takes_field(const char **text, size_t *len, const char *name)
{
	const size_t name_len = strlen(name);

	if (*len <= name_len || (*text)[name_len] != ':' ||
	    strncasecmp(*text, name, name_len) != 0)
		return false;
	*text += name_len + 1;
	*len -= name_len + 1;
	trim(text, len);
	return true;
}

/* Whether a paragraph is switched off. */
static bool
is_disabled(const char *text, size_t len)
{
	static const char *const words[] = {
	    "no", "false", "without", "off", "disable", "0", NULL};
	const char *end = text + len;
	const char *line;
	size_t line_len;

	while (next_line(&text, end, &line, &line_len)) {
		if (!takes_field(&line, &line_len, "Enabled"))
			continue;
		for (size_t i = 0; words[i] != NULL; i++) {
			if (strlen(words[i]) == line_len &&
			    strncasecmp(words[i], line, line_len) == 0)
				return true;
		}
	}
	return false;
}

static void
add_paragraph(const struct w_config_hosts *hosts, const char *text, size_t len)
{
	const char *end = text + len;
	const char *line;
	size_t line_len;
	bool is_wanted = false;

	if (is_disabled(text, len))
		return;
	while (next_line(&text, end, &line, &line_len)) {
		const bool is_further = line_len > 0 && is_blank(line[0]);

		if (line_len > 0 && line[0] == '#')
			continue;
		if (!is_further)
			is_wanted = takes_field(&line, &line_len, "URIs");
		if (is_wanted)
			add_words(hosts, line, line_len);
	}
}

void
w_config_hosts_apt_sources(
    const struct w_config_hosts *hosts, const char *text, size_t len)
{
	const char *end = text + len;
	const char *from = text;
	const char *line;
	size_t line_len;

	while (next_line(&text, end, &line, &line_len)) {
		const char *rest = line;
		size_t rest_len = line_len;

		trim(&rest, &rest_len);
		if (rest_len > 0)
			continue;
		add_paragraph(hosts, from, (size_t)(line - from));
		from = text;
	}
	add_paragraph(hosts, from, (size_t)(end - from));
}
