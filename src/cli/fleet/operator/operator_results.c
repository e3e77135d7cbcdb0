/* SPDX-License-Identifier: Apache-2.0 */

/* The results of an order: waiting for them, and printing them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "cli/output/sanitizer.h"
#include "data/json.h"

#define STAGE     "results"
#define DEPTH_MAX 64
#define LIMIT     ((size_t)2 << 20)
#define STEP_MS   200

void
w_operator_results_done(struct operator_results *results)
{
	for (size_t i = 0; i < results->count; i++) {
		free(results->items[i].json);
		free(results->items[i].group);
	}
	free(results->items);
	natsSubscription_Destroy(results->subscription);
	*results = (struct operator_results){.count = 0};
}

writ_status
w_operator_results_init(struct operator_results *results, const char *id,
    const struct w_words *hosts, writ_error *err)
{
	*results = (struct operator_results){.count = 0};
	results->items = calloc(hosts->count + 1, sizeof(*results->items));
	if (results->items == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < hosts->count; i++)
		(void)snprintf(results->items[i].host,
		    sizeof(results->items[i].host), "%s", hosts->items[i]);
	results->count = hosts->count;
	results->missing = hosts->count;
	(void)snprintf(results->id, sizeof(results->id), "%s", id);
	return WRIT_OK;
}

/* ---- what one says ---- */

/* What is shown of it; equal texts are one group. */
static void
add_shown(
    struct w_buf *text, const struct operator_result *result, yyjson_val *map)
{
	yyjson_val *run = yyjson_obj_get(map, "result");
	yyjson_val *error = yyjson_obj_get(map, "error");
	const char *outcome = yyjson_get_str(yyjson_obj_get(run, "outcome"));
	static const char *const streams[] = {"stdout", "stderr"};

	if (outcome != NULL && strcmp(outcome, "exited") == 0)
		w_buf_add_fmt(text, "exited %d\n",
		    yyjson_get_int(yyjson_obj_get(run, "exit_code")));
	else
		w_buf_add_fmt(
		    text, "%s\n", outcome == NULL ? result->state : outcome);
	if (yyjson_is_obj(error))
		w_buf_add_fmt(text, "%s\n",
		    yyjson_get_str(yyjson_obj_get(error, "message")));
	for (size_t i = 0; run != NULL && i < 2; i++) {
		W_AUTO_BUF struct w_buf bytes;

		w_buf_init(&bytes, LIMIT);
		(void)w_json_get_bytes(&bytes, yyjson_obj_get(run, streams[i]));
		w_buf_add(text, bytes.data, bytes.len);
		if (bytes.len > 0 && w_buf_last(&bytes) != '\n')
			w_buf_add_char(text, '\n');
	}
}

static void
judge_result(struct operator_result *result, yyjson_val *map)
{
	yyjson_val *run = yyjson_obj_get(map, "result");
	const char *outcome = yyjson_get_str(yyjson_obj_get(run, "outcome"));

	result->is_skipped = strcmp(result->state, "skipped") == 0;
	result->is_good =
	    strcmp(result->state, "done") == 0 &&
	    (!yyjson_is_obj(run) ||
		(outcome != NULL && strcmp(outcome, "exited") == 0 &&
		    yyjson_get_int(yyjson_obj_get(run, "exit_code")) == 0));
}

static writ_status
put_result(struct operator_results *results, struct operator_result *result,
    const char *bytes, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {LIMIT, DEPTH_MAX};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, 2 * LIMIT);
	/* Who wrote it is in the subject, which the server allows that host
	 * alone; what it says of itself does not count. */
	if (w_json_read(bytes, len, &limits, &json, err) != WRIT_OK)
		return WRIT_OK; /* it stays missing */
	yyjson_val *map = w_json_root(json);
	const char *state = yyjson_get_str(yyjson_obj_get(map, "state"));
	if (state == NULL || strlen(state) >= sizeof(result->state)) {
		w_json_free(json);
		return WRIT_OK;
	}
	memcpy(result->state, state, strlen(state) + 1);
	judge_result(result, map);
	add_shown(&shown, result, map);
	w_json_free(json);
	result->json = malloc(len + 1);
	size_t ignored = 0;
	result->group = w_buf_take(&shown, &ignored);
	if (result->json == NULL || result->group == NULL)
		return w_fail_nomem(err, STAGE);
	memcpy(result->json, bytes, len);
	result->json[len] = '\0';
	result->len = len;
	results->missing--;
	if (result->is_skipped)
		results->skipped++;
	else if (result->is_good)
		results->good++;
	else
		results->failed++;
	return WRIT_OK;
}

static writ_status
take_message(
    struct operator_results *results, natsMsg *message, writ_error *err)
{
	const char *host = strrchr(natsMsg_GetSubject(message), '.') + 1;

	for (size_t i = 0; i < results->count; i++) {
		struct operator_result *result = &results->items[i];

		if (strcmp(result->host, host) == 0 && result->json == NULL)
			return put_result(results, result,
			    natsMsg_GetData(message),
			    (size_t)natsMsg_GetDataLength(message), err);
	}
	return WRIT_OK;
}

/* ---- waiting ---- */

static writ_status
subscribe(struct w_operator *operator, struct operator_results * results,
    writ_error *err)
{
	char stream[W_NATS_NAME_MAX];
	char subject[W_NATS_NAME_MAX];
	jsSubOptions options;

	w_nats_stream(stream, "RES", operator->site.collective);
	w_nats_subject(
	    subject, operator->site.collective, "res", results->id, "*");
	(void)jsSubOptions_Init(&options);
	options.Stream = stream;
	options.Ordered = true;
	options.Config.DeliverPolicy = js_DeliverAll;
	natsStatus status = NATS_OK;
	unsigned tries = 0;
	do {
		status = js_SubscribeSync(&results->subscription, operator->js,
		    subject, NULL, &options, NULL);
	} while (status != NATS_OK && w_operator_again(status, &tries));
	return status == NATS_OK
		   ? WRIT_OK
		   : w_nats_fail(err, status, "listen for results");
}

static size_t
missing_of(const struct operator_results *results, size_t wanted)
{
	size_t missing = 0;

	for (size_t i = 0; i < wanted && i < results->count; i++)
		missing += results->items[i].json == NULL;
	return missing;
}

static void
show_progress(const struct w_operator *operator,
    const struct operator_results * results, bool is_last)
{
	static int shows = -1;

	if (shows < 0)
		shows = !operator->args->is_quiet && !operator->args->is_json &&
			 isatty(2);
	if (shows == 0)
		return;
	if (is_last)
		(void)fprintf(stderr, "\r\033[K");
	else
		(void)fprintf(stderr,
		    "\r\033[K%zu of %zu: %zu good, %zu failed, %zu skipped",
		    results->count - results->missing, results->count,
		    results->good, results->failed, results->skipped);
}

writ_status
w_operator_results_wait(struct w_operator *operator,
    struct operator_results * results, size_t wanted, uint64_t until_ms,
    bool *out_stopped, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (results->subscription == NULL)
		status = subscribe(operator, results, err);
	*out_stopped = false;
	while (status == WRIT_OK && missing_of(results, wanted) > 0) {
		natsMsg *message = NULL;
		const uint64_t now_ms = w_fleet_now_ms();

		*out_stopped = w_operator_is_stopped();
		if (*out_stopped || now_ms >= until_ms)
			break;
		natsStatus got = natsSubscription_NextMsg(&message,
		    results->subscription,
		    until_ms - now_ms < STEP_MS ? (int64_t)(until_ms - now_ms)
						: STEP_MS);
		if (got == NATS_OK) {
			status = take_message(results, message, err);
			show_progress(operator, results, false);
		} else if (got != NATS_TIMEOUT) {
			/* The server was away: begin again; what is there
			 * already is known. */
			natsSubscription_Destroy(results->subscription);
			results->subscription = NULL;
			nats_Sleep(STEP_MS);
			(void)subscribe(operator, results, err);
		}
		natsMsg_Destroy(message);
	}
	show_progress(operator, results, true);
	return status;
}

/* ---- printing ---- */

static int
exit_status_of(const struct operator_results *results)
{
	if (results->failed > 0)
		return W_OPERATOR_SOME;
	return results->missing > 0 ? W_OPERATOR_MISSING : 0;
}

static void
add_names(struct w_buf *text, const char *name, size_t *count)
{
	w_buf_add_fmt(text, "%s%s", *count > 0 ? " " : "", name);
	(*count)++;
}

/* What a host wrote is made harmless for a terminal, and indented. */
static void
add_indented(struct w_buf *text, const char *lines)
{
	struct w_sanitizer sanitizer = {.is_screen = false};

	for (const char *at = lines; *at != '\0';) {
		const size_t len = strcspn(at, "\n");

		w_buf_add_str(text, "  ");
		w_sanitizer_add(&sanitizer, text, at, len);
		w_buf_add_char(text, '\n');
		at += len + (at[len] == '\n');
	}
	w_sanitizer_end(&sanitizer, text);
}

/* The hosts whose text is that of the first, and the text below them. */
static void
print_group(struct operator_results *results, size_t first, struct w_buf *text)
{
	const struct operator_result *leader = &results->items[first];
	const char *line_end = strchr(leader->group, '\n');
	size_t count = 0;

	for (size_t i = first; i < results->count; i++) {
		struct operator_result *result = &results->items[i];

		if (result->group == NULL ||
		    (result != leader &&
			strcmp(result->group, leader->group) != 0))
			continue;
		add_names(text, result->host, &count);
		if (result != leader) {
			free(result->group);
			result->group = NULL;
		}
	}
	w_buf_add_fmt(
	    text, ": %.*s", (int)(line_end - leader->group), leader->group);
	if (count > 1)
		w_buf_add_fmt(text, " (%zu hosts)", count);
	w_buf_add_char(text, '\n');
	add_indented(text, line_end + 1);
}

static void
print_missing(const struct operator_results *results, struct w_buf *text)
{
	size_t count = 0;

	if (results->missing == 0)
		return;
	for (size_t i = 0; i < results->count; i++) {
		if (results->items[i].json == NULL)
			add_names(text, results->items[i].host, &count);
	}
	w_buf_add_fmt(text, ": no answer yet\n");
}

static int
print_json(const struct operator_results *results)
{
	bool has_one = false;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)1 << 30);
	w_buf_add_char(&text, '{');
	w_json_add_text_member(&text, "id", results->id);
	w_json_add_number_member(&text, "hosts", results->count);
	w_json_add_number_member(&text, "good", results->good);
	w_json_add_number_member(&text, "failed", results->failed);
	w_json_add_number_member(&text, "skipped", results->skipped);
	w_buf_add_str(&text, ",\"missing\":[");
	for (size_t i = 0; i < results->count; i++) {
		if (results->items[i].json != NULL)
			continue;
		w_buf_add_str(&text, has_one ? "," : "");
		w_json_add_text(&text, results->items[i].host);
		has_one = true;
	}
	w_buf_add_str(&text, "],\"results\":{");
	for (size_t i = 0; i < results->count; i++) {
		if (results->items[i].json == NULL)
			continue;
		w_json_add_name(&text, results->items[i].host);
		w_buf_add(&text, results->items[i].json, results->items[i].len);
	}
	w_buf_add_str(&text, "}}");
	return w_print_json(text.data, text.len);
}

int
w_operator_results_print(
    const struct w_operator *operator, struct operator_results * results)
{
	const int exit_status = exit_status_of(results);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)1 << 30);
	if (operator->args->is_json)
		return print_json(results) == 0 ? exit_status
						: W_OPERATOR_FAILED;
	for (size_t i = 0; i < results->count; i++) {
		if (results->items[i].group != NULL &&
		    !results->items[i].is_skipped)
			print_group(results, i, &text);
	}
	print_missing(results, &text);
	w_buf_add_fmt(&text,
	    "order %s: %zu good, %zu failed, %zu missing, %zu skipped\n",
	    results->id, results->good, results->failed, results->missing,
	    results->skipped);
	return w_print(&text) == 0 ? exit_status : W_OPERATOR_FAILED;
}
