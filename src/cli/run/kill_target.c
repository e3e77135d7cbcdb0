/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds a run of another process that is to be killed, and waits until it is
 * gone.
 */

#include "cli/run/kill_target.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/duration.h"
#include "base/error.h"
#include "cli/attach/kill_server.h"
#include "data/json.h"

/* Time beyond the grace time: to end many processes and write the record. */
#define SPARE_MS    5000
#define GRACE_MS    5000 /* if the record has none */
#define BEGIN_MAX   ((size_t)16 << 20)
#define BEGIN_DEPTH 32

static writ_status
check_running(const struct w_recorded_run *recorded, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, sizeof(err->message));
	if (!w_recorded_run_is_over(recorded))
		return WRIT_OK;
	w_recorded_run_add_end(&text, recorded);
	return w_fail(err, WRIT_E_INVALID, "kill", 0,
	    "%s has ended already: %s", recorded->id, text.data);
}

void
w_cli_kill_find(struct w_kill_target *target, writ_audit *audit)
{
	char word[W_RUN_ID_SIZE];

	(void)snprintf(word, sizeof(word), "%s", target->recorded.id);
	target->is_found =
	    w_recorded_run_find(audit, word, &target->recorded, &target->err) ==
		WRIT_OK &&
	    check_running(&target->recorded, &target->err) == WRIT_OK;
}

/* How long the run may take to end, by its own grace time. */
static uint64_t
kill_timeout_ms(const struct w_recorded_run *recorded, bool is_now)
{
	const struct w_json_limits limits = {BEGIN_MAX, BEGIN_DEPTH};
	const char *begin = recorded->begin_json;
	struct w_json *json = NULL;
	uint64_t grace_ms = GRACE_MS;
	writ_error err;

	if (is_now || begin == NULL ||
	    w_json_read(begin, strlen(begin), &limits, &json, &err) != WRIT_OK)
		return SPARE_MS + (is_now ? 0 : grace_ms);
	yyjson_val *value = yyjson_obj_get(
	    yyjson_obj_get(w_json_root(json), "limits"), "grace_ms");
	if (yyjson_is_uint(value))
		grace_ms = yyjson_get_uint(value);
	w_json_free(json);
	return SPARE_MS + (grace_ms > W_DURATION_MAX_MS ? 0 : grace_ms);
}

writ_status
w_cli_kill_tell(const struct w_recorded_run *recorded, writ_audit *audit,
    const char *state_dir, bool is_now, writ_error *err)
{
	writ_config *config = NULL;
	writ_status status = WRIT_OK;

	if (!recorded->is_served)
		return writ_audit_kill(audit, recorded->id, is_now, err);
	if (state_dir == NULL)
		status = writ_config_new(&config, err);
	if (status == WRIT_OK)
		status = w_kill_by_server(
		    state_dir != NULL ? state_dir
				      : writ_config_get(config, "state_dir"),
		    recorded->pid, recorded->id, is_now, err);
	writ_config_free(config);
	return status;
}

void
w_cli_kill_await(struct w_kill_target *target, writ_audit *audit, bool is_now)
{
	struct w_recorded_run *recorded = &target->recorded;
	const uint64_t most_ms = kill_timeout_ms(recorded, is_now);
	char text[W_DURATION_TEXT_MAX];

	writ_status status = writ_audit_wait(audit, recorded->id,
	    most_ms > INT32_MAX ? INT32_MAX : (int)most_ms, &target->is_gone,
	    &target->err);
	if (status != WRIT_OK)
		return;
	if (target->is_gone) {
		writ_error err;

		/* It is gone, even if the trail cannot be read again. */
		(void)w_recorded_run_find(audit, recorded->id, recorded, &err);
		return;
	}
	w_duration_format(most_ms, text);
	(void)w_fail(&target->err, WRIT_E_SYSTEM, "kill", 0,
	    "%s was told to end and still runs after %s", recorded->id, text);
	w_suggest(&target->err, "writ kill --now %s", recorded->id);
}
