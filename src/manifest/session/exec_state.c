/* SPDX-License-Identifier: Apache-2.0 */

/* The state of an exec, which is the "status" of its event. */

#include "data/json.h"
#include "manifest/session/event.h"
#include "manifest/session/event_fields.h"

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
w_exec_state_add_json(struct w_buf *buf, const struct w_event *event,
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
