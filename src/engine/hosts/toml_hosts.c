/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hosts in TOML. This is no reader of TOML: it keeps track of tables, keys and
 * strings, and passes over everything else. What is not valid gives fewer
 * hosts, never others than the text has.
 */

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "engine/hosts/config_hosts.h"

#define NAME_MAX_LEN 64

struct toml_hosts {
	const struct w_config_hosts *hosts;
	const char *at;
	const char *end;
	const char *const *tables;
	const char *const *keys;
	char top[NAME_MAX_LEN];   /* first part of the table's name */
	char first[NAME_MAX_LEN]; /* first part of the key */
	char key[NAME_MAX_LEN];   /* its last part */
	bool is_value;            /* a '=' was read: strings are values */
	unsigned depth;           /* of brackets within a value */
	uint64_t maps;            /* one bit for each: it is a '{' */
};

#define DEPTH_MAX 64U

static bool
toml_hosts_is_in(const char *name, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (strcmp(name, *names) == 0)
			return true;
	}
	return false;
}

static void
keep(char into[NAME_MAX_LEN], const char *text, size_t len)
{
	if (len >= NAME_MAX_LEN)
		len = 0;
	memcpy(into, text, len);
	into[len] = '\0';
}

static bool
is_bare(char c)
{
	return w_is_alpha(c) || w_is_digit(c) || c == '_' || c == '-';
}

/* The end of a string that begins here, and what is in it. Escapes stay as they
 * are: an address has none. */
static void
take_string(struct toml_hosts *toml, const char **out, size_t *out_len)
{
	const char quote = *toml->at;
	const bool is_long = toml->end - toml->at >= 3 &&
			     toml->at[1] == quote && toml->at[2] == quote;
	const size_t quotes = is_long ? 3 : 1;
	const char *at = toml->at + quotes;

	*out = at;
	while (at < toml->end) {
		if (*at == '\\' && quote == '"' && toml->end - at >= 2) {
			at += 2;
			continue;
		}
		if (!is_long && *at == '\n')
			break;
		if (*at == quote &&
		    (!is_long || (toml->end - at >= 3 && at[1] == quote &&
				     at[2] == quote)))
			break;
		at++;
	}
	*out_len = (size_t)(at - *out);
	toml->at = (size_t)(toml->end - at) > quotes ? at + quotes : toml->end;
}

/* A part of a key: the first is kept too. */
static void
take_part(struct toml_hosts *toml, const char *text, size_t len)
{
	if (toml->key[0] == '\0')
		keep(toml->first, text, len);
	keep(toml->key, text, len);
}

static void
begin_key(struct toml_hosts *toml)
{
	toml->first[0] = '\0';
	toml->key[0] = '\0';
	toml->is_value = false;
}

/* "[a.b]", "[[a]]": the first part counts. */
static void
take_header(struct toml_hosts *toml)
{
	bool has_name = false;

	toml->top[0] = '\0';
	while (toml->at < toml->end && *toml->at != '\n' && *toml->at != ']') {
		const char *from = toml->at;
		size_t len = 0;

		if (*from == '"' || *from == '\'') {
			take_string(toml, &from, &len);
		} else {
			while (toml->at < toml->end && is_bare(*toml->at))
				toml->at++;
			len = (size_t)(toml->at - from);
			if (len == 0)
				toml->at++;
		}
		if (len > 0 && !has_name) {
			keep(toml->top, from, len);
			has_name = true;
		}
	}
	while (toml->at < toml->end && *toml->at != '\n')
		toml->at++;
}

static void
take_value(struct toml_hosts *toml, const char *text, size_t len)
{
	/* Keys at the top may name the table: `registries.x.index`. */
	const char *top = toml->top[0] != '\0' ? toml->top : toml->first;
	const bool is_top =
	    toml->top[0] == '\0' && strcmp(toml->first, toml->key) == 0;

	if ((toml_hosts_is_in(top, toml->tables) ||
		(is_top && toml_hosts_is_in("", toml->tables))) &&
	    toml_hosts_is_in(toml->key, toml->keys))
		w_config_hosts_url(toml->hosts, text, len);
}

static void
take_text(struct toml_hosts *toml)
{
	const char *text;
	size_t len;

	take_string(toml, &text, &len);
	if (toml->is_value)
		take_value(toml, text, len);
	else
		take_part(toml, text, len);
}

static void
take_word(struct toml_hosts *toml)
{
	const char *from = toml->at;

	while (toml->at < toml->end && is_bare(*toml->at))
		toml->at++;
	if (!toml->is_value)
		take_part(toml, from, (size_t)(toml->at - from));
}

/* Deeper than any file is, nothing more is found. */
static void
push(struct toml_hosts *toml, bool is_map)
{
	if (toml->depth == DEPTH_MAX) {
		toml->at = toml->end;
		return;
	}
	toml->depth++;
	toml->maps = toml->maps << 1U | is_map;
	toml->is_value = !is_map;
}

/* Inside an inline table keys come again; the first part stays. */
static void
take_mark(struct toml_hosts *toml)
{
	const char mark = *toml->at++;

	switch (mark) {
	case '=':
		toml->is_value = true;
		break;
	case '[':
	case '{':
		if (toml->is_value)
			push(toml, mark == '{');
		break;
	case ']':
	case '}':
		if (toml->depth > 0) {
			toml->depth--;
			toml->maps >>= 1U;
			toml->is_value = true;
		}
		break;
	case ',':
		if ((toml->maps & 1U) != 0)
			toml->is_value = false;
		break;
	case '\n':
		if (toml->depth == 0)
			begin_key(toml);
		break;
	default:
		break;
	}
}

void
w_config_hosts_toml(const struct w_config_hosts *hosts, const char *text,
    size_t len, const char *const *tables, const char *const *keys)
{
	struct toml_hosts toml = {.hosts = hosts,
	    .at = text,
	    .end = text + len,
	    .tables = tables,
	    .keys = keys};

	while (toml.at < toml.end) {
		const char c = *toml.at;

		if (c == '#') {
			while (toml.at < toml.end && *toml.at != '\n')
				toml.at++;
		} else if (c == '"' || c == '\'') {
			take_text(&toml);
		} else if (is_bare(c)) {
			take_word(&toml);
		} else if (c == '[' && toml.depth == 0 && !toml.is_value &&
			   toml.key[0] == '\0') {
			take_header(&toml);
			begin_key(&toml);
		} else {
			take_mark(&toml);
		}
	}
}
