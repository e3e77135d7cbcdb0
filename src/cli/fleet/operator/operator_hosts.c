/* SPDX-License-Identifier: Apache-2.0 */

/* The hosts of a fleet: who belongs to it, and who is there. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/grow.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

#define STAGE    "hosts"
#define THERE_MS 30000

struct hosts_loading {
	struct operator_hosts *hosts;
	bool is_incomplete;
	uint64_t now_ms;
};

void
w_operator_hosts_done(struct operator_hosts *hosts)
{
	free(hosts->items);
	*hosts = (struct operator_hosts){.count = 0};
}

struct operator_host *
w_operator_hosts_find(const struct operator_hosts *hosts, const char *name)
{
	for (size_t i = 0; i < hosts->count; i++) {
		if (strcmp(hosts->items[i].name, name) == 0)
			return &hosts->items[i];
	}
	return NULL;
}

static void
add_host(void *ctx, const char *subject, const char *bytes, size_t len,
    uint64_t time_ms)
{
	struct hosts_loading *loading = ctx;
	struct operator_hosts *hosts = loading->hosts;
	const char *name = strrchr(subject, '.') + 1;
	struct operator_host host = {.heard_ms = 0};

	(void)bytes;
	(void)len;
	(void)time_ms;
	if (!w_fleet_name_valid(name))
		return;
	memcpy(host.name, name, strlen(name) + 1);
	if (!w_grow(&hosts->items, hosts->count, &hosts->cap)) {
		loading->is_incomplete = true;
		return;
	}
	hosts->items[hosts->count++] = host;
}

static void
add_state(void *ctx, const char *subject, const char *bytes, size_t len,
    uint64_t time_ms)
{
	const struct w_json_limits limits = {65536, 4};
	struct hosts_loading *loading = ctx;
	struct operator_host *host =
	    w_operator_hosts_find(loading->hosts, strrchr(subject, '.') + 1);
	struct w_json *json = NULL;

	if (host == NULL ||
	    w_json_read(bytes, len, &limits, &json, NULL) != WRIT_OK)
		return;
	yyjson_val *map = w_json_root(json);
	/* The time is the server's, whatever the host's clock says. */
	host->heard_ms = time_ms;
	host->is_there = time_ms + THERE_MS > loading->now_ms;
	host->running = yyjson_get_uint(yyjson_obj_get(map, "running"));
	host->waiting = yyjson_get_uint(yyjson_obj_get(map, "waiting"));
	host->unpublished = yyjson_get_uint(yyjson_obj_get(map, "unpublished"));
	const char *version = yyjson_get_str(yyjson_obj_get(map, "version"));
	if (version != NULL && strlen(version) < sizeof(host->version))
		memcpy(host->version, version, strlen(version) + 1);
	w_json_free(json);
}

static int
by_name(const void *a, const void *b)
{
	const struct operator_host *left = a;
	const struct operator_host *right = b;

	return strcmp(left->name, right->name);
}

writ_status
w_operator_hosts_load(struct w_operator *operator,
    struct operator_hosts * out_hosts, writ_error *err)
{
	char subject[W_NATS_NAME_MAX];
	struct hosts_loading loading = {
	    .hosts = out_hosts, .now_ms = w_fleet_now_ms()};

	*out_hosts = (struct operator_hosts){.count = 0};
	(void)snprintf(subject, sizeof(subject),
	    "$KV.HOSTS_%s.>", operator->site.collective);
	writ_status status = w_operator_read(operator, "KV_HOSTS", subject,
	    add_host, &loading, err);
	(void)snprintf(subject, sizeof(subject),
	    "$KV.NODES_%s.>", operator->site.collective);
	if (status == WRIT_OK)
		status = w_operator_read(operator, "KV_NODES", subject,
		    add_state, &loading, err);
	if (status == WRIT_OK && loading.is_incomplete)
		status = w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		w_operator_hosts_done(out_hosts);
		return status;
	}
	if (out_hosts->count > 0)
		qsort(out_hosts->items, out_hosts->count,
		    sizeof(*out_hosts->items), by_name);
	return WRIT_OK;
}

/* ---- which ---- */

/* Marks the names of one --host, which may have several with commas. */
static writ_status
mark_names(const struct operator_hosts *hosts, const char *names, bool *marks,
    writ_error *err)
{
	char name[W_FLEET_NAME_MAX + 1];

	for (const char *at = names;; at++) {
		const size_t len = strcspn(at, ",");
		const struct operator_host *host = NULL;

		if (len < sizeof(name)) {
			memcpy(name, at, len);
			name[len] = '\0';
			host = w_operator_hosts_find(hosts, name);
		}
		if (host == NULL) {
			(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
			    "there is no host '%.*s' in this fleet", (int)len,
			    at);
			w_suggest(err, "writ fleet nodes");
			return WRIT_E_NOTFOUND;
		}
		marks[host - hosts->items] = true;
		at += len;
		if (*at == '\0')
			return WRIT_OK;
	}
}

writ_status
w_operator_hosts_select(const struct w_operator *operator,
    struct operator_hosts * hosts, writ_error *err)
{
	const struct w_fleet_args *args = operator->args;
	writ_status status = WRIT_OK;
	size_t kept = 0;
	bool *marks = calloc(hosts->count + 1, sizeof(*marks));

	if (marks == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; status == WRIT_OK && i < args->hosts.count; i++)
		status = mark_names(hosts, args->hosts.items[i], marks, err);
	for (size_t i = 0; status == WRIT_OK && i < hosts->count; i++) {
		if (args->limit > 0 && kept == args->limit)
			break;
		if (args->hosts.count == 0 || marks[i])
			hosts->items[kept++] = hosts->items[i];
	}
	free(marks);
	if (status == WRIT_OK)
		hosts->count = kept;
	if (status == WRIT_OK && kept == 0) {
		status = w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there are no hosts in this fleet");
		w_suggest(err, "writ fleet invite NAME");
	}
	return status;
}

/* ---- nodes ---- */

static int
print_nodes(const struct operator_hosts *hosts)
{
	static const char *const headings[] = {"HOST", "STATE", "HEARD",
	    ">RUNNING", ">WAITING", ">UNSENT", "VERSION", NULL};
	const uint64_t now_ms = w_fleet_now_ms();
	struct w_text_table table;

	w_text_table_init(&table, headings);
	for (size_t i = 0; i < hosts->count; i++) {
		const struct operator_host *host = &hosts->items[i];
		char heard[W_DURATION_TEXT_MAX + 8] = "";

		if (host->heard_ms > 0 && host->heard_ms <= now_ms) {
			w_duration_format(
			    (now_ms - host->heard_ms) / 1000 * 1000, heard);
			strcat(heard, " ago");
		}
		w_text_table_add(&table, host->name);
		w_text_table_add(&table, host->is_there ? "there" : "off");
		w_text_table_tint(&table, host->is_there ? "32" : "31");
		w_text_table_add(&table, heard);
		w_text_table_add_count(&table, host->running);
		w_text_table_add_count(&table, host->waiting);
		w_text_table_add_count(&table, host->unpublished);
		w_text_table_add(&table, host->version);
	}
	int status = w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

static int
print_nodes_json(const struct operator_hosts *hosts)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_PRINT_MAX);
	w_buf_add_char(&text, '[');
	for (size_t i = 0; i < hosts->count; i++) {
		const struct operator_host *host = &hosts->items[i];

		w_buf_add_str(&text, i == 0 ? "{" : ",{");
		w_json_add_text_member(&text, "host", host->name);
		w_json_add_bool_member(&text, "there", host->is_there);
		w_json_add_number_member(&text, "heard", host->heard_ms);
		w_json_add_number_member(&text, "running", host->running);
		w_json_add_number_member(&text, "waiting", host->waiting);
		w_json_add_number_member(
		    &text, "unpublished", host->unpublished);
		w_json_add_text_member(&text, "version", host->version);
		w_buf_add_char(&text, '}');
	}
	w_buf_add_char(&text, ']');
	return w_print_json(text.data, text.len);
}

int
w_operator_nodes(struct w_operator *operator)
{
	struct operator_hosts hosts = {.count = 0};
	writ_error err;

	writ_status status = w_operator_connect(operator, & err);
	if (status == WRIT_OK)
		status = w_operator_hosts_load(operator, & hosts, &err);
	if (status != WRIT_OK)
		return w_operator_fail(operator, & err);
	int exit_status = operator->args->is_json ? print_nodes_json(&hosts)
						  : print_nodes(&hosts);
	w_operator_hosts_done(&hosts);
	return exit_status;
}
