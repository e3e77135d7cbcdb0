/* SPDX-License-Identifier: Apache-2.0 */

/* The table of settings, and their values. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "engine/config/config_state.h"

/* In the order of enum w_log_durability. */
static const char *const durabilities[] = {"sync", "batch", "none", NULL};
static const char *const failures[] = {"refuse", "run", NULL};

/* A segment holds at least one record of some length. */
#define SEGMENT_MIN 4096

/* Limit for a whole list, in bytes. */
#define PATHS_MAX 131072

/* clang-format off */
const struct w_setting_rule w_setting_rules[W_SETTING_COUNT] = {
	[W_SET_CONFIG_DIR] = {
		{"config_dir", "WRIT_CONFIG_DIR", "XDG_CONFIG_HOME",
		 ".config/writ", NULL, false},
		.help = "the user's configuration"},
	[W_SET_SYSTEM_DIR] = {
		{"system_dir", "WRIT_SYSTEM_DIR", NULL, NULL, "/etc/writ",
		 false},
		.help = "the configuration of the machine"},
	[W_SET_STATE_DIR] = {
		{"state_dir", "WRIT_STATE_DIR", "XDG_STATE_HOME",
		 ".local/state/writ", "/var/lib/writ", true},
		.help = "what must be kept after a run: records, outputs"},
	[W_SET_CACHE_DIR] = {
		{"cache_dir", "WRIT_CACHE_DIR", "XDG_CACHE_HOME",
		 ".cache/writ", NULL, false},
		.help = "what can be rebuilt"},
	[W_SET_SPILL_DIR] = {
		{"spill_dir", "WRIT_SPILL_DIR", NULL, NULL, NULL, false},
		.help = "output beyond the limit; outputs in state_dir by "
		        "default"},
	[W_SET_MODULES] = {
		{.key = "modules", .env = "WRIT_MODULES"},
		.kind = W_SETTING_PATHS, .standard = W_SETTING_NONE,
		.help = "directories of modules, with ':' between them, before "
		        "those of the configuration"},
	[W_SET_AUDIT_DURABILITY] = {
		{.key = "audit_durability", .env = "WRIT_AUDIT_DURABILITY"},
		.kind = W_SETTING_WORD, .words = durabilities,
		.standard = "batch",
		.help = "when a record is written to the disk: sync (before the run "
		        "goes on), batch (soon), none (whenever)"},
	[W_SET_AUDIT_FAILURE] = {
		{.key = "audit_failure", .env = "WRIT_AUDIT_FAILURE"},
		.kind = W_SETTING_WORD, .words = failures,
		.standard = "refuse",
		.help = "when no record can be written: refuse the run, or "
		        "run without"},
	[W_SET_AUDIT_KEY] = {
		{.key = "audit_key", .env = "WRIT_AUDIT_KEY"},
		.kind = W_SETTING_MAYBE, .standard = W_SETTING_NONE,
		.help = "the file of the key under which records are hashed"},
	[W_SET_AUDIT_SIGN_KEY] = {
		{.key = "audit_sign_key", .env = "WRIT_AUDIT_SIGN_KEY"},
		.kind = W_SETTING_MAYBE, .standard = W_SETTING_NONE,
		.help = "the file of the private key that signs checkpoints"},
	[W_SET_AUDIT_SEGMENT] = {
		{.key = "audit_segment", .env = "WRIT_AUDIT_SEGMENT"},
		.kind = W_SETTING_SIZE, .standard = "64MiB",
		.min = SEGMENT_MIN,
		.help = "the size at which a file of records is followed by "
		        "the next"},
	[W_SET_OUTPUTS_AGE] = {
		{.key = "outputs_age", .env = "WRIT_OUTPUTS_AGE"},
		.kind = W_SETTING_DURATION, .standard = "14d", .min = 1,
		.help = "how long kept outputs stay"},
	[W_SET_OUTPUTS_SIZE] = {
		{.key = "outputs_size", .env = "WRIT_OUTPUTS_SIZE"},
		.kind = W_SETTING_SIZE, .standard = "1GiB", .min = 1,
		.help = "how much of them stays in total"},
	[W_SET_OUTPUT_KEEP] = {
		{.key = "output_keep", .env = "WRIT_OUTPUT_KEEP"},
		.kind = W_SETTING_SIZE, .standard = "1MiB",
		.help = "how much output of a run is kept with its timing"},
	[W_SET_UNDO_AGE] = {
		{.key = "undo_age", .env = "WRIT_UNDO_AGE"},
		.kind = W_SETTING_DURATION, .standard = "7d", .min = 1,
		.help = "how long what runs replaced or deleted is kept for "
		        "writ undo"},
	[W_SET_UNDO_SIZE] = {
		{.key = "undo_size", .env = "WRIT_UNDO_SIZE"},
		.kind = W_SETTING_SIZE, .standard = "2GiB", .min = 1,
		.help = "how much of it is kept in total"},
	[W_SET_POLICY] = {
		{.key = "policy", .env = "WRIT_POLICY"},
		.kind = W_SETTING_POLICY, .standard = W_SETTING_NONE,
		.help = "a policy file or the name of a preset, instead of the "
		        "user's and the project's"},
	[W_SET_APPROVAL_TIMEOUT] = {
		{.key = "approval_timeout", .env = "WRIT_APPROVAL_TIMEOUT"},
		.kind = W_SETTING_DURATION, .standard = "5m", .min = 1,
		.help = "how long a question waits for its answer"},
	[W_SET_FORM_TIME] = {
		{.key = "form_time", .env = "WRIT_FORM_TIME"},
		.kind = W_SETTING_DURATION, .standard = "1s",
		.help = "a client's form that comes back sooner than this is not a "
		        "person's answer"},
};
/* clang-format on */

static writ_status
config_value_check_path(const char *name, const char *path, writ_error *err)
{
	if (path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s must be an absolute path, got '%s'", name, path);
	if (strlen(path) >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s is longer than the %d bytes of a path", name,
		    PATH_MAX - 1);
	return WRIT_OK;
}

static writ_status
check_word(const struct w_setting_rule *rule, const char *name,
    const char *value, writ_error *err)
{
	const char *const *words = rule->words;

	for (size_t i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], value) == 0)
			return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_INVALID, "config", 0,
	    words[2] == NULL ? "%s must be %s or %s%s, got '%s'"
			     : "%s must be %s, %s or %s, got '%s'",
	    name, words[0], words[1], words[2] == NULL ? "" : words[2], value);
	const char *nearest = w_match_nearest(value, words);
	w_match_suggest(nearest, err);
	return WRIT_E_INVALID;
}

/* Appends a path, which may be relative, to a list. */
static writ_status
config_value_add_path(struct w_buf *list, const char *name, const char *path,
    size_t len, writ_error *err)
{
	if (list->len > 0)
		w_buf_add_char(list, ':');
	const size_t start = list->len;
	if (path[0] != '/') {
		W_AUTO_FREE char *cwd = getcwd(NULL, 0);

		if (cwd == NULL)
			return w_fail(err,
			    errno == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM,
			    "config", errno, "%s: cannot tell where '%.*s' is",
			    name, (int)len, path);
		w_buf_add_str(list, cwd);
		w_buf_add_char(list, '/');
	}
	w_buf_add(list, path, len);
	return list->failed
		   ? w_fail_nomem(err, "config")
		   : config_value_check_path(name, list->data + start, err);
}

static writ_status
normal_paths(
    const char *name, const char *value, char **out_value, writ_error *err)
{
	W_AUTO_BUF struct w_buf list;

	w_buf_init(&list, PATHS_MAX);
	for (const char *at = value; *at != '\0';) {
		const size_t len = strcspn(at, ":");

		if (len >= PATH_MAX)
			return w_fail(err, WRIT_E_INVALID, "config", 0,
			    "%s has a path longer than %d bytes", name,
			    PATH_MAX - 1);
		writ_status status =
		    len == 0 ? WRIT_OK
			     : config_value_add_path(&list, name, at, len, err);
		if (status != WRIT_OK)
			return status;
		at += len + (at[len] == ':');
	}
	if (list.len == 0)
		w_buf_add_str(&list, W_SETTING_NONE);
	char *normal = w_buf_take(&list, NULL);
	if (normal == NULL)
		return w_fail_nomem(err, "config");
	*out_value = normal;
	return WRIT_OK;
}

/* A value with a '/' or the suffix .yaml is a file; others are names. */
static bool
is_file(const char *value)
{
	static const char suffix[] = ".yaml";
	const size_t len = strlen(value);
	const size_t tail = sizeof(suffix) - 1;

	return strchr(value, '/') != NULL ||
	       (len >= tail && strcmp(value + len - tail, suffix) == 0);
}

/* Unlike in a list, a ':' may be part of the name. */
static writ_status
normal_policy(
    const char *name, const char *value, char **out_value, writ_error *err)
{
	W_AUTO_BUF struct w_buf path;
	writ_status status = WRIT_OK;

	w_buf_init(&path, PATHS_MAX);
	if (value[0] == '\0')
		return w_fail(
		    err, WRIT_E_INVALID, "config", 0, "%s is empty", name);
	if (strlen(value) >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s has a path longer than %d bytes", name, PATH_MAX - 1);
	if (is_file(value))
		status = config_value_add_path(
		    &path, name, value, strlen(value), err);
	else
		w_buf_add_str(&path, value);
	if (status != WRIT_OK)
		return status;
	char *normal = w_buf_take(&path, NULL);
	if (normal == NULL)
		return w_fail_nomem(err, "config");
	*out_value = normal;
	return WRIT_OK;
}

/* Reports the inner error with the name of the setting. */
static writ_status
fail_within(const char *name, const writ_error *inner, writ_error *err)
{
	writ_status status = w_fail(
	    err, inner->status, "config", 0, "%s: %s", name, inner->message);

	if (inner->suggestion[0] != '\0')
		w_suggest(err, "%s", inner->suggestion);
	return status;
}

static writ_status
normal_duration(const struct w_setting_rule *rule, const char *name,
    const char *value, char *text, writ_error *err)
{
	char least[W_DURATION_TEXT_MAX];
	writ_error inner;
	uint64_t ms;

	if (w_duration_parse(value, &ms, &inner) != WRIT_OK)
		return fail_within(name, &inner, err);
	if (ms < rule->min) {
		w_duration_format(rule->min, least);
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s must be at least %s, got '%s'", name, least, value);
	}
	w_duration_format(ms, text);
	return WRIT_OK;
}

static writ_status
normal_size(const struct w_setting_rule *rule, const char *name,
    const char *value, char *text, writ_error *err)
{
	char least[W_SIZE_TEXT_MAX];
	writ_error inner;
	uint64_t bytes;

	if (w_size_parse(value, &bytes, &inner) != WRIT_OK)
		return fail_within(name, &inner, err);
	if (bytes < rule->min) {
		w_size_format(rule->min, least);
		return w_fail(err, WRIT_E_INVALID, "config", 0,
		    "%s must be at least %s, got '%s'", name, least, value);
	}
	w_size_format(bytes, text);
	return WRIT_OK;
}

_Static_assert(W_DURATION_TEXT_MAX >= W_SIZE_TEXT_MAX, "room for both");

writ_status
w_setting_normalize(const struct w_setting_rule *rule, const char *name,
    const char *value, char **out_value, writ_error *err)
{
	char text[W_DURATION_TEXT_MAX] = "";
	writ_status status = WRIT_OK;
	const bool is_none = strcmp(value, W_SETTING_NONE) == 0;

	switch (rule->kind) {
	case W_SETTING_MAYBE:
	case W_SETTING_PATH:
		if (rule->kind == W_SETTING_PATH || !is_none)
			status = config_value_check_path(name, value, err);
		break;
	case W_SETTING_PATHS:
		if (!is_none)
			return normal_paths(name, value, out_value, err);
		break;
	case W_SETTING_POLICY:
		return normal_policy(name, value, out_value, err);
	case W_SETTING_WORD:
		status = check_word(rule, name, value, err);
		break;
	case W_SETTING_DURATION:
		status = normal_duration(rule, name, value, text, err);
		break;
	case W_SETTING_SIZE:
		status = normal_size(rule, name, value, text, err);
		break;
	}
	if (status != WRIT_OK)
		return status;
	char *copy = strdup(text[0] == '\0' ? value : text);
	if (copy == NULL)
		return w_fail_nomem(err, "config");
	*out_value = copy;
	return WRIT_OK;
}
