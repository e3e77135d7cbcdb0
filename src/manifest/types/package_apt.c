/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Packages of Debian: dpkg-query and apt-cache say what is there, apt-get and
 * apt-mark change it.
 *
 * What an interrupted dpkg has left is finished first, and lists of packages
 * that do not know a package are fetched once in an apply.
 */

#include <stdio.h>
#include <string.h>

#include "manifest/types/package.h"

#define LIST_MAX (UINT64_C(16) << 20)
#define WAIT_MS  UINT64_C(30000)
#define FIELDS   5
#define MS_PER_S 1000

/* ---- looking ---- */

struct row {
	const char
	    *text[FIELDS]; /* name, architecture, version, want, status */
	size_t len[FIELDS];
};

static const char *
next_row(const char *at, struct row *row)
{
	for (int i = 0; i < FIELDS; i++) {
		row->text[i] = at;
		row->len[i] = strcspn(at, "\t\n");
		at += row->len[i];
		at += *at == '\t';
	}
	at += strcspn(at, "\n");
	return at + (*at != '\0');
}

static bool
has_text(const struct row *row, int field, const char *text, size_t len)
{
	return row->len[field] == len &&
	       strncmp(row->text[field], text, len) == 0;
}

static bool
is_row(const struct row *row, int field, const char *text)
{
	return has_text(row, field, text, strlen(text));
}

/* NAME, or NAME:ARCHITECTURE. */
static bool
is_of_name(const struct row *row, const char *name)
{
	const size_t len = strcspn(name, ":");

	return has_text(row, 0, name, len) &&
	       (name[len] == '\0' || is_row(row, 1, name + len + 1));
}

static void
take_row(struct w_typed_step *x, const struct row *row,
    struct w_package_state *state)
{
	const bool is_whole = is_row(row, 4, "installed") ||
			      is_row(row, 4, "triggers-awaited") ||
			      is_row(row, 4, "triggers-pending");

	if (state->is_installed && !is_whole)
		return;
	state->is_installed = is_whole;
	state->has_config = is_row(row, 4, "config-files");
	state->is_broken =
	    !is_whole && !state->has_config && !is_row(row, 4, "not-installed");
	state->is_held = is_row(row, 3, "hold");
	state->version = w_resource_step_text(
	    x->step, "%.*s", (int)row->len[2], row->text[2]);
}

static bool
apt_look(struct w_typed_step *x, struct w_package_state *out_state)
{
	struct w_typed_command command = {.is_query = true, .output = LIST_MAX};
	struct w_typed_answer answer;
	struct row row;

	w_typed_add(&command, "dpkg-query", "--show",
	    "--showformat=${Package}\\t${Architecture}\\t${Version}\\t"
	    "${db:Status-Want}\\t${db:Status-Status}\\n",
	    NULL);
	if (!w_typed_ask(x, &command, &answer))
		return false;
	/* 1: no package at all. */
	if (answer.code > 1 || answer.is_cut) {
		w_typed_fail_answer(x, &command, &answer);
		return false;
	}
	for (const char *at = answer.text[0]; *at != '\0';) {
		at = next_row(at, &row);
		if (is_of_name(&row, x->resource->name.text))
			take_row(x, &row, out_state);
	}
	return true;
}

static bool
apt_newest(struct w_typed_step *x, const struct w_package_state *state,
    const char **out_version)
{
	static const char before[] = "Candidate: ";
	struct w_typed_command command = {.is_query = true};
	struct w_typed_answer answer;

	(void)state;
	w_typed_add(
	    &command, "apt-cache", "policy", x->resource->name.text, NULL);
	if (!w_typed_ask(x, &command, &answer))
		return false;
	if (answer.code != 0) {
		w_typed_fail_answer(x, &command, &answer);
		return false;
	}
	const char *at = strstr(answer.text[0], before);
	if (at == NULL)
		return true;
	at += sizeof(before) - 1;
	if (strncmp(at, "(none)", 6) != 0)
		*out_version = w_resource_step_text(
		    x->step, "%.*s", (int)strcspn(at, "\n"), at);
	return true;
}

static bool
apt_compare(struct w_typed_step *x, const char *first, const char *second,
    int *out_order)
{
	struct w_typed_command command = {.is_query = true};
	struct w_typed_answer answer;

	w_typed_add(
	    &command, "dpkg", "--compare-versions", first, "lt", second, NULL);
	if (!w_typed_run(x, &command, &answer))
		return false;
	*out_order = answer.code == 0 ? -1 : 1;
	return true;
}

/* ---- changing ---- */

static void
begin_apt(struct w_typed_step *x, struct w_typed_command *command)
{
	const uint64_t wait = w_typed_time(x, W_PACKAGE_WAIT, WAIT_MS);

	w_package_command(x, command);
	w_typed_add(command, "apt-get", "--yes", "--quiet", "-o",
	    w_resource_step_text(x->step, "DPkg::Lock::Timeout=%llu",
		(unsigned long long)(wait / MS_PER_S)),
	    "-o", "Dpkg::Options::=--force-confdef", "-o",
	    "Dpkg::Options::=--force-confold", NULL);
}

/* What apt-get fails with, and what mends it. */
static bool
is_interrupted(struct w_typed_step *x, const struct w_typed_answer *answer)
{
	return w_typed_line_with(x, answer, "dpkg was interrupted") != NULL;
}

static bool
is_outdated(struct w_typed_step *x, const struct w_typed_answer *answer)
{
	static const char *const signs[] = {"Unable to locate package",
	    "has no installation candidate", "was not found", "404  Not Found"};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (w_typed_line_with(x, answer, signs[i]) != NULL)
			return true;
	}
	return false;
}

static bool
configure_all(struct w_typed_step *x)
{
	struct w_typed_command command;

	w_package_command(x, &command);
	w_typed_add(&command, "dpkg", "--force-confdef", "--force-confold",
	    "--configure", "-a", NULL);
	return w_typed_must_run(x, &command);
}

static bool
update_lists(struct w_typed_step *x)
{
	struct w_typed_command command;

	begin_apt(x, &command);
	w_typed_add(&command, "update", NULL);
	x->step->cache->is_updated = true;
	return w_typed_must_run(x, &command);
}

/* A lock that somebody holds is told with its holder. */
static bool
fail_apt(struct w_typed_step *x, const struct w_typed_command *command,
    const struct w_typed_answer *answer)
{
	const char *line = w_typed_line_with(x, answer, "Could not get lock");

	if (line == NULL)
		line = w_typed_line_with(x, answer, "Unable to acquire");
	if (line == NULL) {
		w_typed_fail_answer(x, command, answer);
		return false;
	}
	w_resource_step_fail(x->step,
	    "the package manager is locked: %s ('wait: 10m' waits longer)",
	    line);
	return false;
}

static bool
run_apt(struct w_typed_step *x, const struct w_typed_command *command)
{
	bool may_configure = true;
	struct w_typed_answer answer;

	for (;;) {
		if (!w_typed_run(x, command, &answer))
			return false;
		if (answer.code == 0)
			return true;
		if (may_configure && is_interrupted(x, &answer)) {
			may_configure = false;
			if (!configure_all(x))
				return false;
		} else if (!x->step->cache->is_updated &&
			   is_outdated(x, &answer)) {
			if (!update_lists(x))
				return false;
		} else {
			return fail_apt(x, command, &answer);
		}
	}
}

static bool
apt_install(struct w_typed_step *x, const char *version, bool is_latest)
{
	const char *name = x->resource->name.text;
	struct w_typed_command command;

	(void)is_latest;
	begin_apt(x, &command);
	w_typed_add(&command, "install", NULL);
	if (version != NULL)
		w_typed_add(&command, "--allow-downgrades", NULL);
	/* Whoever says that it is held may change it in spite of that. */
	if (w_typed_text(x, W_PACKAGE_HOLD) != NULL ||
	    strcmp(x->resource->ensure, "held") == 0)
		w_typed_add(&command, "--allow-change-held-packages", NULL);
	w_typed_add(&command,
	    version == NULL
		? name
		: w_resource_step_text(x->step, "%s=%s", name, version),
	    NULL);
	return run_apt(x, &command);
}

static bool
apt_remove(struct w_typed_step *x)
{
	struct w_typed_command command;

	begin_apt(x, &command);
	w_typed_add(&command,
	    w_typed_truth(x, W_PACKAGE_PURGE, false) ? "purge" : "remove",
	    x->resource->name.text, NULL);
	return run_apt(x, &command);
}

static bool
apt_hold(struct w_typed_step *x, bool is_held)
{
	struct w_typed_command command;

	w_package_command(x, &command);
	w_typed_add(&command, "apt-mark", is_held ? "hold" : "unhold",
	    x->resource->name.text, NULL);
	return w_typed_must_run(x, &command);
}

const struct w_package_provider w_package_apt = {
    .name = "apt",
    .look = apt_look,
    .newest = apt_newest,
    .compare = apt_compare,
    .install = apt_install,
    .remove = apt_remove,
    .hold = apt_hold,
};
