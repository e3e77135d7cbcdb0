/* SPDX-License-Identifier: Apache-2.0 */

/* The apply resource: the resources of another manifest. */

#include "manifest/apply/include_resource.h"

#include <stdlib.h>

#include "manifest/apply/apply_phases.h"
#include "manifest/session/event.h"
#include "manifest/session/event_fields.h"

#define STAGE "apply"

/* ---- gates ---- */

writ_status
w_include_init(struct w_resource_step *step, writ_error *err)
{
	step->gates = NULL;
	step->given_options = step->options;
	if (step->manifest->children == NULL)
		return WRIT_OK;
	step->gates = calloc(step->manifest->count, 1);
	return step->gates != NULL ? WRIT_OK : w_fail_nomem(err, STAGE);
}

void
w_include_done(struct w_resource_step *step)
{
	free(step->gates);
	step->gates = NULL;
}

/* The recursion is as deep as the manifests. */
static bool
is_gate_open(struct w_resource_step *step, size_t index)
{
	const struct w_resource *include;

	if (index == W_NO_TARGET || step->gates == NULL)
		return true;
	include = &step->manifest->resources[index];
	if (!is_gate_open(step, include->parent))
		return false;
	if (step->gates[index] == W_GATE_UNKNOWN) {
		w_resource_step_begin(step, include);
		step->gates[index] =
		    w_apply_conditions(step) ? W_GATE_OPEN : W_GATE_SHUT;
	}
	return step->gates[index] == W_GATE_OPEN;
}

bool
w_include_enter(struct w_resource_step *step, const struct w_resource *resource)
{
	const struct w_manifest *manifest = step->manifest;
	struct w_apply_options *own = &step->own_options;

	step->options = step->given_options;
	if (resource->parent == W_NO_TARGET)
		return true;
	*own = *step->given_options;
	for (size_t i = resource->parent; i != W_NO_TARGET;
	     i = manifest->resources[i].parent) {
		const struct w_include_resource *include =
		    &manifest->resources[i].as.include;

		own->noop = own->noop || include->is_noop;
		own->health_only = own->health_only || include->is_health_only;
	}
	if (!is_gate_open(step, resource->parent))
		return false;
	step->options = own;
	return true;
}

bool
w_include_cut(struct w_resource_step *step, const struct w_resource *resource)
{
	if (resource->parent == W_NO_TARGET || step->gates == NULL)
		return false;
	step->gates[resource->parent] = W_GATE_CUT;
	return true;
}

bool
w_include_is_open(
    const struct w_resource_step *step, const struct w_resource *resource)
{
	return step->gates != NULL &&
	       (step->gates[resource->index] == W_GATE_OPEN ||
		   step->gates[resource->index] == W_GATE_CUT);
}

/* ---- the event ---- */

struct include_counts {
	size_t resources;
	size_t changed;
	size_t failed;
};

/* Of the resources that are written in the other manifest itself. */
static struct include_counts
count_events(const struct w_resource_step *step)
{
	const struct w_include_resource *include = &step->resource->as.include;
	struct include_counts counts = {.resources = 0};

	for (size_t i = include->first; i < include->first + include->count;
	     i++) {
		const struct w_resource *one = &step->manifest->resources[i];
		struct w_last_event past;

		if (one->parent != step->resource->index)
			continue;
		counts.resources++;
		if (!w_manifest_session_last(step->session,
			w_resource_word(one->type), one->name.text, &past))
			continue;
		counts.changed += past.changed;
		counts.failed += past.failed;
	}
	return counts;
}

static void
report_state(struct w_resource_step *step, const struct include_counts *counts)
{
	struct w_buf *buf = &step->status;

	w_event_add_time(buf, "{\"timestamp\":", w_event_now_us());
	w_buf_add_str(buf,
	    ",\"protocol\":\"io.choria.ccm.v1.resource.apply.state\","
	    "\"type\":\"apply\"");
	w_event_add_text(buf, ",\"name\":", step->resource->name.text);
	w_event_add_text(buf, ",\"ensure\":", "present");
	w_event_add_bool(buf, ",\"changed\":", step->event.changed);
	w_event_add_bool(buf, ",\"refreshed\":", false);
	w_event_add_bool(buf, ",\"stable\":", !step->event.changed);
	w_event_add_bool(buf, ",\"noop\":", step->options->noop);
	w_event_add_number(buf, ",\"resource_count\":", counts->resources);
	w_event_add_number(buf, ",\"changed_count\":", counts->changed);
	w_event_add_number(buf, ",\"failed_count\":", counts->failed);
	w_buf_add_char(buf, '}');
	step->is_short = step->is_short || buf->failed;
	step->event.status = buf->data;
}

void
w_include_apply(struct w_resource_step *step)
{
	const struct w_resource *resource = step->resource;

	w_resource_step_report(step, NULL);
	if (resource->as.include.is_denied) {
		w_resource_step_fail(step, "apply resources are denied");
		return;
	}
	const struct include_counts counts = count_events(step);
	step->event.changed = counts.changed > 0;
	step->event.final_ensure = "present";
	report_state(step, &counts);
	if (counts.failed > 0)
		w_resource_step_fail(step,
		    "child manifest had %zu failed resource%s", counts.failed,
		    counts.failed == 1 ? "" : "s");
}
