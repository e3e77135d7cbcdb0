/* SPDX-License-Identifier: Apache-2.0 */

/* What resources registered. */

#include "manifest/apply/registered.h"

#include <string.h>

#include "base/encode.h"
#include "data/json.h"

#define STAGE "register"
/* All members of a result. */
#define MEMBERS_MAX 9

/* ---- the map ---- */

/* The last result of a name counts, except that one that was skipped does not
 * hide one that was not: two resources, of which control chooses one, may have
 * the same name. */
static bool
put(struct w_registered *registered, const char *name, size_t len,
    const struct w_value *result, bool is_skipped)
{
	struct w_value_member *member = NULL;

	for (size_t i = 0; i < registered->count && member == NULL; i++) {
		if (registered->members[i].len == len &&
		    memcmp(registered->members[i].name, name, len) == 0)
			member = &registered->members[i];
	}
	if (member != NULL && is_skipped)
		return true;
	if (member == NULL && registered->count == registered->cap) {
		const size_t cap =
		    registered->cap == 0 ? 8 : 2 * registered->cap;
		struct w_value_member *members =
		    w_arena_alloc(&registered->arena, cap, sizeof(*members));

		if (members == NULL)
			return false;
		if (registered->count > 0)
			memcpy(members, registered->members,
			    registered->count * sizeof(*members));
		registered->members = members;
		registered->cap = cap;
	}
	if (member == NULL) {
		const char *copy = w_arena_text(&registered->arena, name, len);

		if (copy == NULL)
			return false;
		member = &registered->members[registered->count++];
		member->name = copy;
		member->len = len;
	}
	member->value = *result;
	registered->map = (struct w_value){.kind = W_VALUE_MAP,
	    .as.map = {registered->members, registered->count}};
	return true;
}

void
w_registered_done(struct w_registered *registered)
{
	w_arena_done(&registered->arena);
}

/* ---- a result ---- */

void
w_registered_keep(struct w_resource_step *step, const writ_result *result)
{
	if (step->resource->extras->registers.text == NULL)
		return;
	for (int i = 0; i < 2; i++) {
		const writ_output *output = &result->out[i];
		size_t len = output->head_len;

		if (output->truncated) {
			w_resource_step_fail(step,
			    "%s cannot be registered: it has %llu bytes, and "
			    "%zu are the most",
			    i == 0 ? "stdout" : "stderr",
			    (unsigned long long)output->bytes,
			    W_REGISTERED_OUTPUT_MAX);
			return;
		}
		if (memchr(output->head, '\0', len) != NULL ||
		    !w_utf8_valid(output->head, len)) {
			w_resource_step_fail(step,
			    "%s cannot be registered: it is not text",
			    i == 0 ? "stdout" : "stderr");
			return;
		}
		while (len > 0 && output->head[len - 1] == '\n')
			len--;
		step->output[i] = w_arena_text(&step->arena, output->head, len);
		if (step->output[i] == NULL)
			step->is_short = true;
	}
	step->exit_code = result->status_known ? result->exit_code : -1;
}

struct result_writer {
	struct w_registered *registered;
	struct w_value_member *members;
	size_t count;
	bool is_short;
};

static void
add_member(
    struct result_writer *to, const char *name, const struct w_value *value)
{
	to->members[to->count++] = (struct w_value_member){
	    .name = name, .len = strlen(name), .value = *value};
}

static void
add_truth(struct result_writer *to, const char *name, bool is_true)
{
	const struct w_value value = {
	    .kind = W_VALUE_BOOL, .as.boolean = is_true};

	add_member(to, name, &value);
}

static void
add_text(
    struct result_writer *to, const char *name, const char *text, bool hides)
{
	struct w_value value = {.kind = W_VALUE_NULL};

	if (text != NULL) {
		const size_t len = strlen(text);
		const char *copy =
		    w_arena_text(&to->registered->arena, text, len);

		to->is_short = to->is_short || copy == NULL;
		value = w_value_text(copy == NULL ? "" : copy, len);
		value.is_secret = hides;
		to->registered->bytes += len;
	}
	add_member(to, name, &value);
}

static bool
is_hidden(const struct w_resource_step *step)
{
	return step->resource->is_sensitive || step->secrets.count > 0;
}

static void
add_run(struct result_writer *to, const struct w_resource_step *step)
{
	struct w_value code = {.kind = W_VALUE_NULL};

	if (step->output[0] != NULL && step->exit_code >= 0)
		code = (struct w_value){
		    .kind = W_VALUE_INT, .as.integer = step->exit_code};
	add_member(to, "exit_code", &code);
	add_text(to, "stdout", step->output[0], is_hidden(step));
	add_text(to, "stderr", step->output[1], is_hidden(step));
}

static struct w_value
make_result(struct result_writer *to, const struct w_resource_step *step)
{
	const writ_event *event = &step->event;

	add_truth(to, "changed", event->changed);
	add_truth(to, "failed", event->failed);
	add_truth(to, "skipped", event->skipped || step->unmet.count > 0);
	add_truth(to, "refreshed", event->refreshed);
	add_truth(to, "noop", event->noop);
	add_text(to, "ensure", event->final_ensure, false);
	if (step->resource->type == W_RESOURCE_EXEC)
		add_run(to, step);
	return (struct w_value){
	    .kind = W_VALUE_MAP, .as.map = {to->members, to->count}};
}

/* ---- the event ---- */

/* Without its secrets, so that they are missing when it is read back. */
static const char *
result_json(struct w_resource_step *step, const char *name,
    const struct w_value *result)
{
	struct w_value shown = *result;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 16 * W_REGISTERED_OUTPUT_MAX);
	w_buf_add_str(&text, "{\"name\":");
	w_json_add_text(&text, name);
	w_buf_add_str(&text, ",\"value\":");
	if (is_hidden(step) && step->resource->type == W_RESOURCE_EXEC)
		shown.as.map.count -= 2;
	w_value_add_json(&text, &shown, false);
	w_buf_add_char(&text, '}');
	return text.failed ? NULL : w_resource_step_copy(step, &text);
}

void
w_registered_add(struct w_resource_step *step)
{
	struct w_registered *registered = step->registered;
	const char *name = step->resource->extras->registers.text;
	struct result_writer to = {.registered = registered};

	if (name == NULL || step->is_cut)
		return;
	to.members =
	    w_arena_alloc(&registered->arena, MEMBERS_MAX, sizeof(*to.members));
	if (to.members == NULL) {
		step->is_short = true;
		return;
	}
	const struct w_value result = make_result(&to, step);
	if (registered->bytes > W_REGISTERED_BYTES_MAX) {
		w_resource_step_fail(
		    step, "what is registered has more than 64MiB");
		return;
	}
	if (to.is_short ||
	    !put(registered, name, strlen(name), &result, step->event.skipped))
		step->is_short = true;
	step->event.registered = result_json(step, name, &result);
}

/* ---- an earlier part ---- */

struct registered_loading {
	struct w_registered *registered;
	writ_status status;
	writ_error *err;
};

static writ_status
take(struct registered_loading *loading, yyjson_val *event)
{
	yyjson_val *object = yyjson_obj_get(event, "registered");
	const char *name = yyjson_get_str(yyjson_obj_get(object, "name"));
	yyjson_val *val = yyjson_obj_get(object, "value");
	struct w_value result;

	if (name == NULL || !yyjson_is_obj(val))
		return WRIT_OK;
	writ_status status = w_value_from_json(
	    &loading->registered->arena, val, &result, loading->err);
	if (status != WRIT_OK)
		return status;
	return put(loading->registered, name, strlen(name), &result,
		   yyjson_is_true(yyjson_obj_get(val, "skipped")))
		   ? WRIT_OK
		   : w_fail_nomem(loading->err, STAGE);
}

static bool
load_event(void *ctx, const char *json, size_t len)
{
	struct registered_loading *loading = ctx;

	if (memmem(json, len, "\"registered\":{", 14) == NULL)
		return true;
	yyjson_doc *doc = yyjson_read(json, len, 0);
	loading->status = doc == NULL ? w_fail_nomem(loading->err, STAGE)
				      : take(loading, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	return loading->status == WRIT_OK;
}

static bool
has_any(const struct w_manifest *manifest)
{
	for (size_t i = 0; i < manifest->count; i++) {
		if (manifest->resources[i].extras->registers.text != NULL)
			return true;
	}
	return false;
}

writ_status
w_registered_load(struct w_registered *registered,
    const struct w_manifest *manifest, const struct w_manifest_session *session,
    writ_error *err)
{
	struct registered_loading loading = {
	    .registered = registered, .status = WRIT_OK, .err = err};

	*registered = (struct w_registered){.map = {.kind = W_VALUE_MAP}};
	if (!w_manifest_session_has_events(session) || !has_any(manifest))
		return WRIT_OK;
	writ_status status =
	    w_manifest_session_events(session, load_event, &loading, err);
	return status == WRIT_OK ? loading.status : status;
}
