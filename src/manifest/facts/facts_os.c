/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The operating system, from os-release(5): lines of NAME=VALUE, where the
 * value may be quoted as in a shell.
 */

#include <string.h>

#include "base/encode.h"
#include "manifest/facts/facts_sources.h"

/* Longer values are ignored. */
#define VALUE_MAX 1024

/* Removes the quotes. Returns the length; 0: too long, or empty. */
static size_t
unquote(const char *from, size_t len, char out[VALUE_MAX])
{
	const char quote =
	    len > 1 && (from[0] == '"' || from[0] == '\'') ? from[0] : '\0';
	size_t count = 0;

	while (len > 0 && (from[len - 1] == ' ' || from[len - 1] == '\r'))
		len--;
	for (size_t i = quote != '\0'; i < len && count < VALUE_MAX; i++) {
		if (quote != '\0' && from[i] == quote)
			return count;
		if (from[i] == '\\' && quote != '\'' && i + 1 < len)
			i++;
		out[count++] = from[i];
	}
	/* An unterminated quote is invalid. */
	return quote != '\0' || count == VALUE_MAX ? 0 : count;
}

static void
facts_os_set(struct w_os_release *release, const char **slot, const char *from,
    size_t len)
{
	char value[VALUE_MAX];
	size_t count = unquote(from, len, value);

	if (count == 0 || !w_utf8_valid(value, count))
		return;
	for (size_t i = 0; i < count; i++)
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return;
	const char *copy = w_arena_text(release->arena, value, count);
	if (copy != NULL)
		*slot = copy;
	else
		release->failed = true;
}

static void
facts_os_read_line(struct w_os_release *release, const char *line, size_t len)
{
	const struct {
		const char *name;
		const char **slot;
	} slots[] = {
	    {"NAME=", &release->name},
	    {"PRETTY_NAME=", &release->pretty},
	    {"ID=", &release->id},
	    {"ID_LIKE=", &release->id_like},
	    {"VERSION_ID=", &release->version_id},
	    {"VERSION_CODENAME=", &release->codename},
	};

	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
		const size_t name_len = strlen(slots[i].name);

		if (len >= name_len &&
		    memcmp(line, slots[i].name, name_len) == 0)
			facts_os_set(release, slots[i].slot, line + name_len,
			    len - name_len);
	}
}

void
w_os_release_parse(struct w_os_release *release, const char *text, size_t len)
{
	struct w_fact_lines lines = {.at = text, .end = text + len};
	const char *line;
	size_t line_len;

	while (w_fact_lines_next(&lines, &line, &line_len))
		facts_os_read_line(release, line, line_len);
}

static const char *
family_of(const char *id, size_t len)
{
	static const struct {
		const char *id;
		const char *family;
	} families[] = {
	    {"debian", "debian"},
	    {"ubuntu", "debian"},
	    {"raspbian", "debian"},
	    {"linuxmint", "debian"},
	    {"rhel", "rhel"},
	    {"centos", "rhel"},
	    {"rocky", "rhel"},
	    {"almalinux", "rhel"},
	    {"ol", "rhel"},
	    {"amzn", "rhel"},
	    {"fedora", "fedora"},
	    {"suse", "suse"},
	    {"sles", "suse"},
	    {"opensuse", "suse"},
	    {"opensuse-leap", "suse"},
	    {"opensuse-tumbleweed", "suse"},
	    {"arch", "arch"},
	    {"alpine", "alpine"},
	    {"gentoo", "gentoo"},
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strlen(families[i].id) == len &&
		    memcmp(families[i].id, id, len) == 0)
			return families[i].family;
	return NULL;
}

const char *
w_os_release_family(const struct w_os_release *release)
{
	const char *family = release->id != NULL
				 ? family_of(release->id, strlen(release->id))
				 : NULL;
	const char *at = release->id_like;

	while (family == NULL && at != NULL && *at != '\0') {
		size_t len = strcspn(at, " ");

		family = family_of(at, len);
		at += len + strspn(at + len, " ");
	}
	return family != NULL ? family : release->id;
}

void
w_os_release_read(struct w_os_release *release)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FACTS_FILE_MAX);
	if (w_fact_file_read(&text, "/etc/os-release") ||
	    w_fact_file_read(&text, "/usr/lib/os-release"))
		w_os_release_parse(release, text.data, text.len);
}
