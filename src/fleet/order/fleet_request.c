/* SPDX-License-Identifier: Apache-2.0 */

/* Requests to a fleet, and their one text. */

#include "fleet/order/fleet_request.h"

#include <string.h>

#include "data/json_fields.h"
#include "data/json_words.h"
#include "fleet/order/fleet_name.h"

#define STAGE             "request"
#define DEPTH_MAX         16
#define WHERE_MAX         4096

#define AT(member)        W_JSON_AT(struct w_fleet_request, member)
#define OPTION_AT(member) W_JSON_AT(struct w_fleet_options, member)

const char *const w_fleet_kind_words[W_FLEET_KINDS + 1] = {
    "ping", "facts", "run", "cancel", NULL};

static const char *const deliver_words[] = {"now", "queued", NULL};

/* clang-format off */
static const struct w_json_field option_fields[] = {
	{"idempotent", W_JSON_BOOL, OPTION_AT(is_idempotent)},
	{"cancels", W_JSON_CHARS, OPTION_AT(cancels)},
	{.key = NULL},
};

static const struct w_json_field request_fields[] = {
	{"v", W_JSON_UINT, AT(version)},
	{"id", W_JSON_CHARS, AT(id)},
	{"kind", W_JSON_WORD, AT(kind), .words = w_fleet_kind_words},
	{"from", W_JSON_CHARS, AT(from)},
	{"collective", W_JSON_CHARS, AT(collective)},
	{"where", W_JSON_STRING, AT(where), .flags = W_JSON_ZERO_NULL},
	{"hosts", W_JSON_VALUE, AT(hosts)},
	{"not_before", W_JSON_UINT, AT(not_before)},
	{"expires", W_JSON_UINT, AT(expires)},
	{"deliver", W_JSON_WORD, AT(deliver), .words = deliver_words},
	{"request", W_JSON_VALUE, AT(run)},
	{"options", W_JSON_OBJECT, AT(options), .fields = option_fields},
	{.key = NULL},
};
/* clang-format on */

void
w_fleet_request_add(struct w_buf *buf, const struct w_fleet_request *request)
{
	w_json_add_object(buf, request_fields, request);
}

static writ_status
check_hosts(yyjson_val *hosts, writ_error *err)
{
	size_t at, count;
	yyjson_val *host;

	if (!yyjson_is_arr(hosts) || yyjson_arr_size(hosts) > W_FLEET_HOSTS_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "hosts must be a list of at most %d names",
		    W_FLEET_HOSTS_MAX);
	yyjson_arr_foreach(hosts, at, count, host)
	{
		if (!w_json_is_text(host) ||
		    !w_fleet_name_valid(yyjson_get_str(host)))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "hosts has something that is no name of a host");
	}
	return WRIT_OK;
}

static writ_status
check_names(const struct w_fleet_request *request, writ_error *err)
{
	if (request->version != 1)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the version is %u, and only 1 is known", request->version);
	if (!w_fleet_id_valid(request->id))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0, "the id is no id");
	if (!w_fleet_name_valid(request->from) ||
	    !w_fleet_name_valid(request->collective))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "from and collective must be names");
	if (request->where != NULL &&
	    (request->where[0] == '\0' || strlen(request->where) > WHERE_MAX))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "where must have 1 to %d characters", WHERE_MAX);
	return WRIT_OK;
}

/* What a kind has, and the others do not. */
static writ_status
check_kind(const struct w_fleet_request *request, writ_error *err)
{
	const bool is_run = request->kind == W_FLEET_RUN;
	const bool is_cancel = request->kind == W_FLEET_CANCEL;

	if (is_run ? !yyjson_is_obj(request->run)
		   : !yyjson_is_null(request->run) && request->run != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a run has a request that is a map, and nothing else has");
	if (is_cancel ? !w_fleet_id_valid(request->options.cancels)
		      : request->options.cancels[0] != '\0')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a cancel names the id that it cancels, and nothing else "
		    "does");
	if (request->options.is_idempotent && !is_run)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "only a run can be idempotent");
	if (request->expires <= request->not_before ||
	    request->expires - request->not_before > W_FLEET_EXPIRES_MAX_MS)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "it must expire after not_before, within 30 days");
	return WRIT_OK;
}

/* The only text for these values is the one that is written. */
static writ_status
check_canonical(const struct w_fleet_request *request, const char *text,
    size_t len, writ_error *err)
{
	W_AUTO_BUF struct w_buf again;

	w_buf_init(&again, 2 * W_FLEET_REQUEST_MAX);
	w_fleet_request_add(&again, request);
	if (again.failed)
		return w_fail_nomem(err, STAGE);
	if (again.len != len || memcmp(again.data, text, len) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the text is not the canonical one");
	return WRIT_OK;
}

writ_status
w_fleet_request_read(const char *text, size_t len, struct w_json **out_json,
    struct w_fleet_request *out_request, writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_REQUEST_MAX, DEPTH_MAX};
	const struct w_json_object_reader reader = {STAGE, "key", false};
	struct w_fleet_request request = {.version = 0};
	struct w_json *json = NULL;

	writ_status status = w_json_read(text, len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	if (!yyjson_is_obj(w_json_root(json)))
		status =
		    w_fail(err, WRIT_E_INVALID, STAGE, 0, "a request is a map");
	if (status == WRIT_OK)
		status = w_json_get_fields(&reader, request_fields,
		    w_json_root(json), &request, NULL, err);
	if (status == WRIT_OK)
		status = check_hosts(request.hosts, err);
	if (status == WRIT_OK)
		status = check_names(&request, err);
	if (status == WRIT_OK)
		status = check_kind(&request, err);
	if (status == WRIT_OK)
		status = check_canonical(&request, text, len, err);
	if (status != WRIT_OK) {
		w_json_free(json);
		return status;
	}
	*out_request = request;
	*out_json = json;
	return WRIT_OK;
}

bool
w_fleet_request_names(const struct w_fleet_request *request, const char *host)
{
	size_t at, count;
	yyjson_val *name;

	if (yyjson_arr_size(request->hosts) == 0)
		return true;
	yyjson_arr_foreach(request->hosts, at, count, name)
	{
		if (yyjson_equals_str(name, host))
			return true;
	}
	return false;
}
