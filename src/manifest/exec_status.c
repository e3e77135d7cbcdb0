/* SPDX-License-Identifier: Apache-2.0 */

/* An exec as JSON: its state, and its properties as they were filled in. */

#include <time.h>

#include "base/signal_name.h"
#include "data/json.h"
#include "manifest/exec.h"
#include "store/log_format.h"

#define PROTOCOL  "io.choria.ccm.v1.resource.exec.state"
#define US_PER_S  UINT64_C(1000000)
#define NS_PER_US 1000

static uint64_t
now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * US_PER_S +
	       (uint64_t)now.tv_nsec / NS_PER_US;
}

static void
add_flag(struct w_buf *buf, const char *name, bool is_set)
{
	if (is_set)
		w_json_add_bool_member(buf, name, true);
}

/* How its last run ended. Guards of before say nothing about what is now. */
static void
add_run(struct w_buf *buf, const struct w_exec_turn *x)
{
	char name[W_SIGNAL_NAME_MAX];

	if (x->exit_code >= 0)
		w_buf_add_fmt(buf, ",\"exitcode\":%d", x->exit_code);
	w_json_add_text_member(buf, "outcome", x->outcome);
	if (x->signal != 0)
		w_json_add_text_member(
		    buf, "signal", w_signal_name(x->signal, name));
	if (x->exec->tries > 1)
		w_buf_add_fmt(buf, ",\"tries\":%u", x->tries);
	for (int i = 0; i < 2; i++) {
		if (x->out[i] == NULL || x->out_len[i] == 0)
			continue;
		w_buf_add_fmt(
		    buf, ",\"%s\":", i == WRIT_STDOUT ? "stdout" : "stderr");
		w_json_add_bytes(buf, x->out[i], x->out_len[i]);
	}
}

static void
add_guards(struct w_buf *buf, const struct w_exec_turn *x)
{
	add_flag(buf, "onlyif_satisfied", x->onlyif_satisfied);
	add_flag(buf, "unless_satisfied", x->unless_satisfied);
}

static void
add_status(struct w_buf *buf, const struct w_exec_turn *x)
{
	const struct w_event *event = &x->turn->event;
	char time[W_LOG_TIME_LEN + 1];

	w_log_time_format(now_us(), time);
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "timestamp", time);
	w_json_add_text_member(buf, "protocol", PROTOCOL);
	w_json_add_text_member(buf, "type", "exec");
	w_json_add_path_member(buf, "name", event->name);
	w_json_add_text_member(buf, "ensure", "present");
	w_json_add_bool_member(buf, "changed", event->changed);
	w_json_add_bool_member(buf, "refreshed", event->refreshed);
	w_json_add_bool_member(buf, "stable", !x->is_wanted);
	w_json_add_bool_member(buf, "noop", event->noop);
	if (event->noop_message != NULL)
		w_json_add_text_member(
		    buf, "noop_message", event->noop_message);
	add_flag(buf, "creates_satisfied", x->creates_satisfied);
	if (x->has_run)
		add_run(buf, x);
	else
		add_guards(buf, x);
	w_buf_add_char(buf, '}');
}

void
w_exec_tell(struct w_exec_turn *x)
{
	struct w_turn *turn = x->turn;
	const struct w_filled filled = {
	    .argv = x->command.argv,
	    .shell = x->command.shell,
	    .cwd = x->cwd.shown,
	    .environment = x->env_shown,
	    .creates = x->creates_shown,
	    .removes = x->removes_shown,
	};

	w_resource_add_properties(&turn->properties, turn->resource, &filled);
	add_status(&turn->status, x);
	turn->event.properties = turn->properties.data;
	turn->event.status = turn->status.data;
	if (turn->properties.failed || turn->status.failed)
		turn->is_short = true;
}
