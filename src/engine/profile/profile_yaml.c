/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A profile as YAML that can be saved as one.
 *
 * A profile always extends a built-in one, whose paths may be missing on a
 * machine; paths of a file may not. So the document extends that profile and
 * shows its paths as comments; further paths follow as lists.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/size.h"
#include "data/json.h"
#include "engine/profile/shown_profile.h"

#define TEXT_MAX ((size_t)16 << 20)

#define PLAIN                        \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789/._~+-"

static void
profile_yaml_add_scalar(struct w_buf *buf, const char *text)
{
	const bool is_path =
	    text[0] == '/' || text[0] == '.' || strncmp(text, "~/", 2) == 0;

	/* Only unambiguous paths are plain; the rest is quoted, in the way that
	 * JSON and YAML share. */
	if (is_path && text[strspn(text, PLAIN)] == '\0')
		w_buf_add_str(buf, text);
	else
		w_json_add_string(buf, text, strlen(text));
}

/* Inherited elements, as comments. */
static void
add_inherited(
    struct w_buf *buf, const char *key, const char *const *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i == 0)
			w_buf_add_fmt(buf, "#\n# %s:\n", key);
		w_buf_add_str(buf, "#   - ");
		profile_yaml_add_scalar(buf, items[i]);
		w_buf_add_char(buf, '\n');
	}
}

static void
profile_yaml_add_list(
    struct w_buf *buf, const char *key, const char *const *items, size_t from)
{
	for (size_t i = from; items[i] != NULL; i++) {
		if (i == from)
			w_buf_add_fmt(buf, "\n%s:\n", key);
		w_buf_add_str(buf, "  - ");
		profile_yaml_add_scalar(buf, items[i]);
		w_buf_add_char(buf, '\n');
	}
}

static void
profile_yaml_add_limits(struct w_buf *buf, const writ_profile *profile)
{
	const struct {
		const char *key;
		uint64_t value;
		enum {
			DURATION,
			SIZE,
			COUNT
		} kind;
	} rows[] = {
	    {"timeout", profile->timeout_ms, DURATION},
	    {"idle", profile->idle_timeout_ms, DURATION},
	    {"max_output", profile->max_output, SIZE},
	    {"cpu", profile->cpu_ms, DURATION},
	    {"memory", profile->memory, SIZE},
	    {"processes", profile->processes, COUNT},
	    {"open_files", profile->open_files, COUNT},
	    {"file_size", profile->file_size, SIZE},
	    {profile->tmp == NULL ? "tmp" : "  size", profile->tmp_size, SIZE},
	};
	bool has_any = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[W_DURATION_TEXT_MAX];

		if (rows[i].value == 0)
			continue;
		if (rows[i].kind == DURATION)
			w_duration_format(rows[i].value, text);
		else if (rows[i].kind == SIZE)
			w_size_format(rows[i].value, text);
		else
			(void)snprintf(
			    text, sizeof(text), "%" PRIu64, rows[i].value);
		if (!has_any)
			w_buf_add_str(buf, "\nlimits:\n");
		has_any = true;
		if (rows[i].key[0] == ' ')
			w_buf_add_str(buf, "  tmp:\n");
		w_buf_add_fmt(buf, "  %s: %s\n", rows[i].key, text);
	}
	if (profile->tmp == NULL)
		return;
	if (!has_any)
		w_buf_add_str(buf, "\nlimits:\n");
	w_buf_add_fmt(buf, "  %s: %s\n",
	    profile->tmp_size != 0 ? "  on" : "tmp", profile->tmp);
}

static void
add_layers(struct w_buf *buf, const char *const *layers)
{
	if (layers[0] == NULL)
		return;
	w_buf_add_str(buf, "# layers:");
	for (size_t i = 0; layers[i] != NULL; i++)
		w_buf_add_fmt(buf, " %s", layers[i]);
	w_buf_add_char(buf, '\n');
}

static void
add_lacks(struct w_buf *buf, const char *const *lacks)
{
	if (lacks == NULL)
		return;
	w_buf_add_str(buf, "# does not hold, unlike workspace:");
	for (size_t i = 0; lacks[i] != NULL; i++)
		w_buf_add_fmt(buf, "\n#   - %s", lacks[i]);
	w_buf_add_char(buf, '\n');
}

static void
profile_yaml_add_base(struct w_buf *buf, const struct w_shown_profile *shown)
{
	const writ_profile *profile = &shown->profile;
	const struct w_profile_builtins *base = &shown->inner.builtins;

	w_buf_add_fmt(buf, "extends: %s\n", profile->walls);
	add_inherited(buf, "read", profile->read, base->read);
	add_inherited(buf, "write", profile->write, base->write);
	add_inherited(buf, "hide", profile->hide, base->hide);
	add_inherited(buf, "protect", profile->protect, base->protect);
	/* Without a sandbox it has no effect. */
	if (!w_walls_hold(shown->inner.walls))
		return;
	if (profile->hosts[0] == NULL) {
		w_buf_add_fmt(buf, "\nnetwork: %s\n", profile->network);
		return;
	}
	w_buf_add_str(buf, "\nnetwork:\n  hosts:\n");
	for (size_t i = 0; profile->hosts[i] != NULL; i++) {
		w_buf_add_str(buf, "    - ");
		profile_yaml_add_scalar(buf, profile->hosts[i]);
		w_buf_add_char(buf, '\n');
	}
}

writ_status
writ_profile_yaml(const writ_profile *profile, char **out_text, size_t *out_len,
    writ_error *err)
{
	const struct w_shown_profile *shown =
	    (const struct w_shown_profile *)profile;
	const struct w_profile_builtins *base = &shown->inner.builtins;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	/* A path may contain anything, but a comment is one line. */
	w_buf_add_fmt(&buf, "# %s (", profile->name);
	for (const char *c = profile->origin; *c != '\0'; c++)
		w_buf_add_char(&buf, (unsigned char)*c < 0x20 ? '?' : *c);
	w_buf_add_str(&buf, ")\n");
	add_layers(&buf, profile->layers);
	add_lacks(&buf, profile->lacks);
	w_buf_add_str(&buf, "version: 1\n");
	if (profile->description[0] != '\0') {
		w_buf_add_str(&buf, "description: ");
		profile_yaml_add_scalar(&buf, profile->description);
		w_buf_add_char(&buf, '\n');
	}
	profile_yaml_add_base(&buf, shown);
	profile_yaml_add_list(&buf, "read", profile->read, base->read);
	profile_yaml_add_list(&buf, "write", profile->write, base->write);
	profile_yaml_add_list(&buf, "execute", profile->execute, 0);
	profile_yaml_add_list(&buf, "hide", profile->hide, base->hide);
	profile_yaml_add_list(&buf, "protect", profile->protect, base->protect);
	profile_yaml_add_limits(&buf, profile);
	return w_json_take(&buf, "profile", out_text, out_len, err);
}
