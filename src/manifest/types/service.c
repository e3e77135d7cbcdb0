/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The service resource: systemctl show says what is, other verbs change it.
 *
 * systemd is told to read its files again before a unit whose file has changed
 * is started. A service that was started is looked at once more after it has
 * settled: a program that ends at once was started successfully, too.
 */

#include "manifest/types/service.h"

#include <stdio.h>
#include <string.h>

#include "manifest/apply/manifest_runner.h"
#include "manifest/apply/refresh_cause.h"

#define TIMEOUT_MS UINT64_C(300000)
#define SETTLE_MS  UINT64_C(1000)
#define PAUSE_MS   UINT64_C(100)
#define COMES_UP   300 /* pauses */
#define LAST_LINES 10
#define WORD_MAX   64

struct unit {
	char load[WORD_MAX];    /* loaded, not-found, masked */
	char active[WORD_MAX];  /* active, inactive, failed, activating */
	char sub[WORD_MAX];     /* running, auto-restart */
	char enabled[WORD_MAX]; /* enabled, disabled, static */
	bool is_outdated;       /* its file is newer than what systemd knows */
};

/* ---- looking ---- */

static void
service_command(const struct w_typed_step *x, struct w_typed_command *command)
{
	*command = (struct w_typed_command){
	    .timeout_ms = w_typed_time(x, W_SERVICE_TIMEOUT, TIMEOUT_MS)};
	w_typed_add(command, "systemctl", NULL);
}

static void
take_property(struct unit *unit, const char *line, size_t len)
{
	const struct {
		const char *name;
		char *value;
	} texts[] = {
	    {"LoadState=", unit->load},
	    {"ActiveState=", unit->active},
	    {"SubState=", unit->sub},
	    {"UnitFileState=", unit->enabled},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const size_t name = strlen(texts[i].name);

		if (len >= name && strncmp(line, texts[i].name, name) == 0)
			(void)snprintf(texts[i].value, WORD_MAX, "%.*s",
			    (int)(len - name), line + name);
	}
	if (len == strlen("NeedDaemonReload=yes") &&
	    strncmp(line, "NeedDaemonReload=yes", len) == 0)
		unit->is_outdated = true;
}

static bool
service_look(struct w_typed_step *x, struct unit *out_unit)
{
	struct w_typed_command command;
	struct w_typed_answer answer;

	*out_unit = (struct unit){.is_outdated = false};
	service_command(x, &command);
	command.is_query = true;
	/* In noop systemd may come with an earlier resource. */
	command.is_missing_ok = x->is_noop;
	w_typed_add(&command, "show",
	    "--property=LoadState,ActiveState,SubState,UnitFileState,"
	    "NeedDaemonReload",
	    "--", x->resource->name.text, NULL);
	if (!w_typed_run(x, &command, &answer))
		return false;
	if (answer.code != 0 && !answer.is_missing) {
		w_typed_fail_answer(x, &command, &answer);
		return false;
	}
	for (const char *at = answer.text[0]; *at != '\0';) {
		const size_t len = strcspn(at, "\n");

		take_property(out_unit, at, len);
		at += len + (at[len] != '\0');
	}
	return true;
}

static bool
is_coming_up(const struct unit *unit)
{
	return strcmp(unit->active, "activating") == 0 &&
	       strcmp(unit->sub, "auto-restart") != 0;
}

static bool
service_is_running(const struct unit *unit)
{
	return strcmp(unit->active, "active") == 0 ||
	       strcmp(unit->active, "reloading") == 0 ||
	       strcmp(unit->active, "refreshing") == 0 || is_coming_up(unit);
}

/* Units that cannot be enabled, such as static ones, are as they should be. */
static bool
is_enabled(const struct unit *unit, bool is_wanted)
{
	if (is_wanted)
		return strcmp(unit->enabled, "disabled") != 0 &&
		       strcmp(unit->enabled, "masked") != 0 &&
		       unit->enabled[0] != '\0';
	return strncmp(unit->enabled, "enabled", strlen("enabled")) != 0;
}

/* ---- changing ---- */

/* What the service itself said last. */
static const char *
last_words(struct w_typed_step *x)
{
	struct w_typed_command command = {
	    .is_query = true, .is_missing_ok = true, .timeout_ms = TIMEOUT_MS};
	struct w_typed_answer answer;

	w_typed_add(&command, "journalctl", "--unit", x->resource->name.text,
	    "--lines=10", "--no-pager", "--output=cat", "--quiet", NULL);
	if (!w_typed_run(x, &command, &answer))
		return "";
	if (!answer.is_missing && answer.code == 0 && answer.len[0] > 0)
		return w_typed_last_lines(x, &answer, LAST_LINES);
	service_command(x, &command);
	command.is_query = true;
	w_typed_add(&command, "status", "--no-pager", "--lines=10", "--",
	    x->resource->name.text, NULL);
	return w_typed_run(x, &command, &answer)
		   ? w_typed_last_lines(x, &answer, LAST_LINES)
		   : "";
}

static bool
fail_to_come_up(struct w_typed_step *x, const char *why)
{
	const char *words = x->resource->is_sensitive ? "" : last_words(x);

	w_resource_step_fail(x->step, "'%s' does not come up: %s%s%s",
	    x->resource->name.text, why, words[0] == '\0' ? "" : ": ", words);
	return false;
}

static bool
service_run(struct w_typed_step *x, const char *verb, bool brings_up)
{
	struct w_typed_command command;
	struct w_typed_answer answer;

	service_command(x, &command);
	w_typed_add(&command, verb, NULL);
	if (strcmp(verb, "daemon-reload") != 0)
		w_typed_add(&command, "--", x->resource->name.text, NULL);
	if (!w_typed_run(x, &command, &answer))
		return false;
	if (answer.code == 0)
		return true;
	if (brings_up)
		return fail_to_come_up(
		    x, w_resource_step_text(x->step, "systemctl %s: %s", verb,
			   w_typed_last_lines(x, &answer, 1)));
	w_typed_fail_answer(x, &command, &answer);
	return false;
}

static bool
service_pause(struct w_typed_step *x, uint64_t ms)
{
	struct w_resource_step *step = x->step;
	writ_error err;

	if (w_manifest_runner_pause(step->runner, ms, &err) != WRIT_OK) {
		w_resource_step_fail_error(step, &err);
		return false;
	}
	step->is_cut |= step->is_interrupted;
	return !step->is_interrupted;
}

/* Looks until it has come up, and again after it has settled. */
static bool
await_running(struct w_typed_step *x, struct unit *unit)
{
	const uint64_t settle = w_typed_time(x, W_SERVICE_SETTLE, SETTLE_MS);

	if (settle > 0 && !service_pause(x, settle))
		return false;
	for (int i = 0; i < COMES_UP; i++) {
		if (!service_look(x, unit))
			return false;
		if (!is_coming_up(unit))
			break;
		if (!service_pause(x, PAUSE_MS))
			return false;
	}
	if (service_is_running(unit))
		return true;
	return fail_to_come_up(x, w_resource_step_text(x->step, "it is %s (%s)",
				      unit->active, unit->sub));
}

static bool
bring_up(struct w_typed_step *x, const char *verb, struct unit *unit)
{
	if (unit->is_outdated && !service_run(x, "daemon-reload", false))
		return false;
	return service_run(x, verb, true) && await_running(x, unit);
}

/* ---- deciding ---- */

static bool
service_refresh(struct w_typed_step *x, const struct w_refresh_cause *cause,
    struct unit *unit)
{
	const char *how = w_typed_text(x, W_SERVICE_REFRESH);
	/* A new unit file takes effect with a restart only. */
	const bool is_reload =
	    how != NULL && strcmp(how, "reload") == 0 && !unit->is_outdated;
	const char *done = is_reload ? "reloaded" : "restarted";
	const bool is_now = cause->owed != NULL
				? w_typed_plan(x, "%s: %s", done, cause->owed)
				: w_typed_plan(x, "%s via subscribe", done);

	x->step->event.refreshed = x->is_noop;
	if (!is_now)
		return true;
	if (!bring_up(x, is_reload ? "reload" : "restart", unit))
		return false;
	x->step->event.refreshed = true;
	return true;
}

static bool
service_set_running(struct w_typed_step *x, const struct w_refresh_cause *cause,
    struct unit *unit)
{
	if (service_is_running(unit))
		return !cause->is_refresh || service_refresh(x, cause, unit);
	w_typed_reason(x, "it is %s",
	    strcmp(unit->load, "not-found") == 0 ? "not there"
	    : unit->active[0] == '\0'            ? "unknown"
						 : unit->active);
	if (!w_typed_plan(x, "started"))
		return true;
	if (!bring_up(x, "start", unit))
		return false;
	x->step->event.refreshed = cause->is_refresh;
	return true;
}

static bool
service_set_stopped(struct w_typed_step *x, struct unit *unit)
{
	if (!service_is_running(unit))
		return true;
	w_typed_reason(x, "it is %s", unit->active);
	return !w_typed_plan(x, "stopped") ||
	       (service_run(x, "stop", false) && service_look(x, unit));
}

static bool
service_set_enabled(struct w_typed_step *x, struct unit *unit)
{
	const bool is_wanted = w_typed_truth(x, W_SERVICE_ENABLE, false);

	if (w_typed_text(x, W_SERVICE_ENABLE) == NULL ||
	    is_enabled(unit, is_wanted))
		return true;
	w_typed_reason(x, "it is %s",
	    unit->enabled[0] == '\0' ? "not there" : unit->enabled);
	return !w_typed_plan(x, is_wanted ? "enabled" : "disabled") ||
	       service_run(x, is_wanted ? "enable" : "disable", false);
}

static bool
service_change(struct w_typed_step *x, struct unit *unit)
{
	const bool is_wanted = strcmp(x->resource->ensure, "running") == 0;
	struct w_refresh_cause cause;

	if (!w_refresh_find(
		x->step, &x->resource->as.typed->subscribe, &cause) ||
	    !service_look(x, unit))
		return false;
	const bool ok = is_wanted ? service_set_running(x, &cause, unit)
				  : service_set_stopped(x, unit);
	return ok && service_set_enabled(x, unit);
}

void
w_typed_service_apply(struct w_resource_step *step)
{
	static const char *const more[] = {
	    "LC_ALL=C", "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=", NULL};
	struct unit unit = {.is_outdated = false};
	struct w_typed_step x;

	const bool ok =
	    w_typed_begin(&x, step, more, -1) && service_change(&x, &unit);
	step->is_refreshed = ok && !x.is_noop;
	w_typed_note(&x, "active", unit.active);
	w_typed_note(&x, "enabled", unit.enabled);
	w_typed_end(&x, service_is_running(&unit) ? "running" : "stopped");
}
