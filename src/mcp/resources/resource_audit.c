/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The audit records of this client. The trail covers the whole user account:
 * records of others are never shown, and the search for ours has a limit.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "data/json.h"
#include "mcp/resources/resource_methods.h"
#include "mcp/server.h"

#define STAGE "audit"

enum {
	RECORDS_MAX = 100,
	LOOKED_MAX = 20000,
	RECORD_MAX = 16 << 20,
	DEPTH_MAX = 64,
};

struct resource_audit_tail {
	struct w_connection *connection;
	struct w_words lines; /* newest first */
	size_t looked;
	bool has_failed;
};

/* Ours: "begin" and "refused" records of this process, questions of this
 * session. */
static bool
is_by_us(const struct w_mcp *server, const writ_record *record)
{
	const struct w_json_limits limits = {
	    .bytes_max = RECORD_MAX, .depth_max = DEPTH_MAX};
	char pid[32];
	struct w_json *json = NULL;

	/* Cheap pre-filter: most foreign records fail this substring test. */
	(void)snprintf(pid, sizeof(pid), "\"pid\":%d,", getpid());
	if ((strstr(record->json, pid) == NULL &&
		strstr(record->json, server->session) == NULL) ||
	    w_json_read(record->json, record->json_len, &limits, &json, NULL) !=
		WRIT_OK)
		return false;
	yyjson_val *root = w_json_root(json);
	yyjson_val *who = yyjson_obj_get(root, "who");
	const bool is_ours =
	    (yyjson_equals_str(yyjson_obj_get(who, "door"), "mcp") &&
		yyjson_get_int(yyjson_obj_get(who, "pid")) == getpid()) ||
	    yyjson_equals_str(yyjson_obj_get(root, "session"), server->session);
	w_json_free(json);
	return is_ours;
}

static bool
resource_audit_add(void *ctx, const writ_record *record)
{
	struct resource_audit_tail *tail = ctx;
	const bool is_run =
	    record->run_id != NULL &&
	    w_mcp_run_find(tail->connection, record->run_id) != NULL;

	if (++tail->looked > LOOKED_MAX)
		return false;
	if (!is_run && !is_by_us(tail->connection->server, record))
		return true;
	if (!w_words_add(&tail->lines, record->json, record->json_len)) {
		tail->has_failed = true;
		return false;
	}
	return tail->lines.count < RECORDS_MAX;
}

static writ_status
read_tail(struct resource_audit_tail *tail, const writ_config *config,
    writ_error *err)
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_audit *audit = NULL;

	options.no_index = true;
	if (config != NULL)
		options.state_dir = writ_config_get(config, "state_dir");
	writ_status status = writ_audit_open(&options, &audit, err);
	if (status == WRIT_OK)
		status = writ_audit_records(
		    audit, &filter, resource_audit_add, tail, err);
	writ_audit_free(audit);
	if (status == WRIT_OK && tail->has_failed)
		status = w_fail_nomem(err, STAGE);
	return status;
}

writ_status
w_mcp_resource_add_audit(
    struct w_buf *buf, struct w_connection *connection, writ_error *err)
{
	struct resource_audit_tail tail = {.connection = connection};
	writ_status status =
	    read_tail(&tail, connection->server->options.config, err);

	w_buf_add_char(buf, '[');
	for (size_t i = tail.lines.count; i > 0; i--) {
		w_buf_add_str(buf, tail.lines.items[i - 1]);
		if (i > 1)
			w_buf_add_char(buf, ',');
	}
	w_buf_add_char(buf, ']');
	w_words_done(&tail.lines);
	return status;
}
