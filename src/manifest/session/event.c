/* SPDX-License-Identifier: Apache-2.0 */

/* An event as JSON, with the order and names of the reference implementation;
 * members that it lacks come last, and only if set. */

#include "manifest/session/event.h"

#include "data/json.h"
#include "manifest/session/event_fields.h"

static void
event_add_json(struct w_buf *buf, const char *name, const char *json,
    const char *otherwise)
{
	w_buf_add_str(buf, name);
	w_buf_add_str(buf, json != NULL ? json : otherwise);
}

static void
add_text_if(struct w_buf *buf, const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		w_event_add_text(buf, name, text);
}

static void
add_health(struct w_buf *buf, const writ_event *event)
{
	if (event->health_count == 0)
		return;
	w_buf_add_str(buf, ",\"health_check\":[");
	for (size_t i = 0; i < event->health_count; i++) {
		const writ_health_check *result = &event->health[i];

		w_event_add_text(
		    buf, i > 0 ? ",{\"name\":" : "{\"name\":", result->name);
		w_buf_add_str(buf, ",\"format\":\"nagios\"");
		w_event_add_number(buf, ",\"status\":", result->status);
		w_event_add_number(buf, ",\"tries\":", result->tries);
		w_event_add_text(buf, ",\"Output\":",
		    result->output != NULL ? result->output : "");
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

static void
add_identity(struct w_buf *buf, const writ_event *event)
{
	w_buf_add_str(buf, "{\"protocol\":"
			   "\"io.choria.ccm.v1.transaction.event\"");
	w_event_add_text(buf, ",\"event_id\":", event->id);
	w_event_add_time(buf, ",\"timestamp\":", event->time_us);
	w_event_add_text(buf, ",\"type\":", event->type);
	w_event_add_text(buf,
	    ",\"provider\":", event->provider != NULL ? event->provider : "");
	w_event_add_text(buf, ",\"name\":", event->name);
	add_text_if(buf, ",\"alias\":", event->alias);
	w_event_add_text(buf, ",\"requested_ensure\":",
	    event->requested_ensure != NULL ? event->requested_ensure : "");
	w_event_add_text(buf, ",\"final_ensure\":",
	    event->final_ensure != NULL ? event->final_ensure : "");
	w_event_add_number(buf, ",\"duration\":", event->duration_ns);
}

static void
add_ours(struct w_buf *buf, const writ_event *event)
{
	add_text_if(buf, ",\"decided_by\":", event->decided_by);
	if (event->warnings != NULL && event->warnings[0] != NULL)
		w_event_add_list(buf, ",\"warnings\":", event->warnings);
	if (event->run_ids != NULL && event->run_ids[0] != NULL)
		w_event_add_list(buf, ",\"run_ids\":", event->run_ids);
	if (event->tries > 0)
		w_event_add_number(buf, ",\"tries\":", event->tries);
	add_text_if(buf, ",\"diff\":", event->diff);
	if (event->registered != NULL)
		event_add_json(
		    buf, ",\"registered\":", event->registered, NULL);
	if (event->interrupted)
		w_event_add_bool(buf, ",\"interrupted\":", true);
}

void
w_event_add_json(struct w_buf *buf, const writ_event *event)
{
	add_identity(buf, event);
	event_add_json(buf, ",\"properties\":", event->properties, "{}");
	event_add_json(buf, ",\"status\":", event->status, "null");
	add_text_if(buf, ",\"noop_message\":", event->noop_message);
	add_health(buf, event);
	if (event->health_only)
		w_event_add_bool(buf, ",\"health_check_only\":", true);
	w_event_add_list(buf, ",\"error\":", event->errors);
	w_event_add_bool(buf, ",\"changed\":", event->changed);
	w_event_add_bool(buf, ",\"refreshed\":", event->refreshed);
	w_event_add_bool(buf, ",\"failed\":", event->failed);
	w_event_add_bool(buf, ",\"skipped\":", event->skipped);
	w_event_add_bool(buf, ",\"noop\":", event->noop);
	w_event_add_list(buf, ",\"unmet_requirements\":", event->unmet);
	add_ours(buf, event);
	w_buf_add_char(buf, '}');
}

writ_verdict
writ_event_verdict(const writ_event *event)
{
	if (event->failed)
		return WRIT_VERDICT_FAILED;
	if (event->unmet != NULL && event->unmet[0] != NULL)
		return WRIT_VERDICT_UNMET;
	if (event->skipped)
		return WRIT_VERDICT_SKIPPED;
	if (event->refreshed)
		return WRIT_VERDICT_REFRESHED;
	return event->changed ? WRIT_VERDICT_CHANGED : WRIT_VERDICT_STABLE;
}

const char *
w_event_verdict_text(writ_verdict verdict)
{
	static const char *const texts[] = {
	    [WRIT_VERDICT_FAILED] = "failed",
	    [WRIT_VERDICT_UNMET] = "skipped due to unmet requirement",
	    [WRIT_VERDICT_SKIPPED] = "skipped",
	    [WRIT_VERDICT_REFRESHED] = "refreshed",
	    [WRIT_VERDICT_CHANGED] = "changed",
	    [WRIT_VERDICT_STABLE] = "stable",
	};

	return texts[verdict];
}

/* ---- the "status" of an exec ---- */

static void
add_if(struct w_buf *buf, const char *name, bool is_true)
{
	if (is_true)
		w_event_add_bool(buf, name, true);
}

static void
exec_state_add_output(
    struct w_buf *buf, const char *key, const char *bytes, size_t len)
{
	if (bytes == NULL || len == 0)
		return;
	w_buf_add_str(buf, key);
	w_json_add_bytes(buf, bytes, len);
}

void
w_exec_state_add_json(struct w_buf *buf, const writ_event *event,
    const struct w_exec_state *state)
{
	w_event_add_time(buf, "{\"timestamp\":", event->time_us);
	w_buf_add_str(
	    buf, ",\"protocol\":\"io.choria.ccm.v1.resource.exec.state\"");
	w_event_add_text(buf, ",\"type\":", event->type);
	w_event_add_text(buf, ",\"name\":", event->name);
	w_event_add_text(buf, ",\"ensure\":",
	    event->final_ensure != NULL && event->final_ensure[0] != '\0'
		? event->final_ensure
		: "present");
	w_event_add_bool(buf, ",\"changed\":", event->changed);
	w_event_add_bool(buf, ",\"refreshed\":", event->refreshed);
	w_event_add_bool(buf, ",\"stable\":", state->is_stable);
	w_event_add_bool(buf, ",\"noop\":", event->noop);
	if (event->noop_message != NULL && event->noop_message[0] != '\0')
		w_event_add_text(
		    buf, ",\"noop_message\":", event->noop_message);
	const int code = state->exitcode;
	if (state->has_exitcode)
		w_event_add_number(buf,
		    code < 0 ? ",\"exitcode\":-" : ",\"exitcode\":",
		    code < 0 ? -(uint64_t)code : (uint64_t)code);
	add_if(buf, ",\"creates_satisfied\":", state->creates_satisfied);
	add_if(buf, ",\"onlyif_satisfied\":", state->onlyif_satisfied);
	add_if(buf, ",\"unless_satisfied\":", state->unless_satisfied);
	if (state->outcome != NULL)
		w_event_add_text(buf, ",\"outcome\":", state->outcome);
	if (state->signal != NULL)
		w_event_add_text(buf, ",\"signal\":", state->signal);
	exec_state_add_output(
	    buf, ",\"stdout\":", state->output[0], state->output_len[0]);
	exec_state_add_output(
	    buf, ",\"stderr\":", state->output[1], state->output_len[1]);
	w_buf_add_char(buf, '}');
}

/* ---- the summary of a session, with the names of the reference ---- */

void
w_event_summary_add_json(struct w_buf *buf, const writ_apply_summary *summary)
{
	const struct {
		const char *name;
		uint64_t number;
	} counts[] = {
	    {",\"total_duration\":", summary->duration_ns},
	    {",\"total_resources\":", summary->total},
	    {",\"unique_resources\":", summary->unique},
	    {",\"changed_resources\":", summary->changed},
	    {",\"failed_resources\":", summary->failed},
	    {",\"skipped_resources\":", summary->skipped},
	    {",\"stable_resources\":", summary->stable},
	    {",\"refreshed_count\":", summary->refreshed},
	    {",\"requirements_unmet_count\":", summary->unmet},
	    {",\"health_checked_count\":", summary->checked},
	    {",\"health_check_ok_count\":", summary->health[WRIT_HEALTH_OK]},
	    {",\"health_check_warning_count\":",
		summary->health[WRIT_HEALTH_WARNING]},
	    {",\"health_check_critical_count\":",
		summary->health[WRIT_HEALTH_CRITICAL]},
	    {",\"health_check_unknown_count\":",
		summary->health[WRIT_HEALTH_UNKNOWN]},
	    {",\"total_errors\":", summary->errors},
	};

	w_event_add_time(buf, "{\"start_time\":", summary->start_us);
	w_event_add_time(buf, ",\"end_time\":", summary->end_us);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		w_event_add_number(buf, counts[i].name, counts[i].number);
	w_buf_add_char(buf, '}');
}
