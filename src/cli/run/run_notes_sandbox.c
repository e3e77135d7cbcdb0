/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The notes of `writ run` about the sandbox: missing layers, changed files that
 * some program will execute later, protected paths that appeared, and denials.
 * The command chose these paths, so control characters are replaced.
 */

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <yyjson.h>

#include "base/encode.h"
#include "base/printable.h"
#include "cli/run/run_notes.h"
#include "mcp/runs/wall_text.h"

/* Bytes of a path that are shown. */
#define SHOWN_MAX 512

/* Appends text without terminal control characters. */
static void
run_notes_sandbox_add_shown(struct w_buf *buf, const char *text)
{
	size_t len = strlen(text);
	bool is_cut = len > SHOWN_MAX;
	size_t shown = is_cut ? w_utf8_trim_end(text, SHOWN_MAX) : len;
	bool is_utf8 = w_utf8_valid(text, shown);

	for (size_t i = 0; i < shown; i++) {
		unsigned char c = (unsigned char)text[i];
		/* U+0080 to U+009F. */
		bool is_c1 = c == 0xc2 && (unsigned char)text[i + 1] < 0xa0;

		if (c >= 0x80 && !is_utf8) {
			w_buf_add_char(buf, '?');
		} else if (c < 0x20 || c == 0x7f || is_c1) {
			w_buf_add_char(buf, '?');
			i += is_c1;
		} else {
			w_buf_add_char(buf, text[i]);
		}
	}
	if (is_cut)
		w_buf_add_str(buf, "...");
}

static void
add_missing(struct w_buf *buf, const char *const *missing)
{
	if (missing == NULL || missing[0] == NULL)
		return;
	w_buf_add_str(buf, "writ: warning: ran without");
	for (size_t i = 0; missing[i] != NULL; i++)
		w_buf_add_fmt(buf, "%s %s", i == 0 ? "" : ",", missing[i]);
	w_buf_add_str(buf, ", as --best-effort allows\n");
}

static void
add_triggers(struct w_buf *buf, const writ_result *result)
{
	for (size_t i = 0; i < result->trigger_count; i++) {
		const writ_trigger *trigger = &result->triggers[i];

		if (trigger->path == NULL)
			continue;
		w_buf_add_str(
		    buf, "writ: warning: the command made or changed '");
		run_notes_sandbox_add_shown(buf, trigger->path);
		w_buf_add_fmt(buf, "': %s\n", trigger->why);
	}
}

static void
add_held(struct w_buf *buf, const writ_result *result)
{
	for (size_t i = 0; i < result->held_count; i++) {
		w_buf_add_str(buf, "writ: warning: held back '");
		run_notes_sandbox_add_shown(buf, result->held[i].path);
		w_buf_add_fmt(
		    buf, "': %s; see 'writ quarantine'\n", result->held[i].why);
	}
}

/* Else a person would look for what it wrote, and not find it. */
static void
add_waiting(struct w_buf *buf, const writ_result *result)
{
	if (result->changes == NULL)
		return;
	yyjson_doc *doc =
	    yyjson_read(result->changes, strlen(result->changes), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	const char *state = yyjson_get_str(yyjson_obj_get(root, "state"));
	const char *why = yyjson_get_str(yyjson_obj_get(root, "why"));

	const char *hint = yyjson_get_str(yyjson_obj_get(root, "hint"));

	if (hint != NULL)
		w_buf_add_fmt(buf, "writ: %s\n", hint);
	if (state != NULL && strcmp(state, "waits") == 0) {
		w_buf_add_str(buf, "writ: its changes wait");
		if (why != NULL) {
			w_buf_add_str(buf, ": ");
			run_notes_sandbox_add_shown(buf, why);
		}
		w_buf_add_str(buf, "; see 'writ trial'\n");
	} else if (state != NULL && strcmp(state, "partial") == 0) {
		w_buf_add_str(buf,
		    "writ: a part of its changes waits, because somebody "
		    "changed the same files; see 'writ trial'\n");
	}
	yyjson_doc_free(doc);
}

static bool
is_trigger(const writ_result *result, const char *path)
{
	const size_t len = strlen(path);

	for (size_t i = 0; i < result->trigger_count; i++) {
		const char *other = result->triggers[i].path;

		if (other != NULL && strncmp(other, path, len) == 0 &&
		    (other[len] == '\0' || other[len] == '/'))
			return true;
	}
	return false;
}

static void
add_created(struct w_buf *buf, const writ_result *result)
{
	const char *const *created = result->created;

	for (size_t i = 0; created != NULL && created[i] != NULL; i++) {
		if (is_trigger(result, created[i]))
			continue;
		w_buf_add_str(buf, "writ: warning: the command made '");
		run_notes_sandbox_add_shown(buf, created[i]);
		w_buf_add_str(buf, "', a protected path that was not there\n");
	}
}

static void
add_denial(struct w_buf *buf, const writ_denial *denial)
{
	w_buf_add_str(buf, "writ: denied: ");
	if (denial->layer == NULL) {
		w_buf_add_fmt(buf, "%u %s\n", denial->count, denial->what);
		return;
	}
	w_buf_add_str(buf, denial->what);
	if (denial->path != NULL) {
		w_buf_add_char(buf, ' ');
		run_notes_sandbox_add_shown(buf, denial->path);
	} else if (denial->call != NULL) {
		w_buf_add_fmt(buf, " %s()", denial->call);
	}
	w_buf_add_fmt(buf, " (%s", denial->layer);
	if (denial->count > 1)
		w_buf_add_fmt(buf, ", %u times", denial->count);
	w_buf_add_char(buf, ')');
	if (denial->hint != NULL) {
		w_buf_add_str(buf, "; ");
		run_notes_sandbox_add_shown(buf, denial->hint);
		w_buf_add_str(buf, " would allow it");
	}
	w_buf_add_char(buf, '\n');
}

/* What was guessed; what the kernel reported has notes of its own. A person
 * asks with an option. */
static void
add_wall_denial(struct w_buf *buf, const writ_wall_denial *denial)
{
	w_buf_add_str(buf, "writ: the sandbox refused: ");
	w_mcp_wall_add_text(buf, denial);
	if (denial->ask_network != NULL) {
		w_buf_add_fmt(
		    buf, "; --network %s would allow it", denial->ask_network);
	} else if (denial->ask_write != NULL) {
		w_buf_add_str(buf, "; --write ");
		w_printable_add_word(buf, denial->ask_write);
		w_buf_add_str(buf, " would allow it");
	}
	w_buf_add_char(buf, '\n');
}

/* Whether owner and mode deny writing to root without capabilities. */
static bool
is_closed_to_root(const struct stat *dir)
{
	if (dir->st_uid == 0)
		return (dir->st_mode & S_IWUSR) == 0;
	if (dir->st_gid == 0)
		return (dir->st_mode & S_IWGRP) == 0;
	return (dir->st_mode & S_IWOTH) == 0;
}

void
w_notes_add_owner(
    struct w_buf *buf, const writ_request *request, const writ_result *result)
{
	const char *cwd = request->cwd == NULL ? "." : request->cwd;
	struct stat dir;

	if (result->exit_code <= 0 || geteuid() != 0 || request->user != NULL ||
	    result->layers == NULL || result->layers[0] == NULL ||
	    strcmp(result->sandbox, "readonly") == 0 || stat(cwd, &dir) < 0 ||
	    !is_closed_to_root(&dir))
		return;
	w_buf_add_str(buf, "writ: the working directory belongs to user ");
	w_buf_add_fmt(buf,
	    "%u: in a sandbox root has no more rights than any user, and "
	    "cannot write there\n  try: --user %u\n",
	    dir.st_uid, dir.st_uid);
}

void
w_notes_add_sandbox(struct w_buf *buf, const writ_result *result)
{
	add_missing(buf, result->missing);
	for (size_t i = 0; i < result->denial_count; i++)
		add_denial(buf, &result->denials[i]);
	for (size_t i = 0; i < result->wall_denial_count; i++) {
		if (result->wall_denials[i].is_guessed)
			add_wall_denial(buf, &result->wall_denials[i]);
	}
	add_triggers(buf, result);
	add_held(buf, result);
	add_waiting(buf, result);
	add_created(buf, result);
}
