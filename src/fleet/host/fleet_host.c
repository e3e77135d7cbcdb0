/* SPDX-License-Identifier: Apache-2.0 */

/* The settings of a host. */

#include "fleet/host/fleet_host.h"

#include <string.h>

#include "data/json_fields.h"
#include "data/json_words.h"

#define STAGE        "host"
#define DEPTH_MAX    4
#define PARALLEL_MAX 256

#define AT(member)   W_JSON_AT(struct w_fleet_host, member)

static const struct w_json_field host_fields[] = {
    {"v", W_JSON_UINT, AT(version)},
    {"host", W_JSON_CHARS, AT(name)},
    {"collective", W_JSON_CHARS, AT(collective)},
    {"server", W_JSON_STRING, AT(server), .flags = W_JSON_NOT_NULL},
    {"ca", W_JSON_STRING, AT(ca), .flags = W_JSON_ZERO_NULL},
    {"base", W_JSON_STRING, AT(base), .flags = W_JSON_NOT_NULL},
    {"user", W_JSON_STRING, AT(user), .flags = W_JSON_ZERO_NULL},
    {"tags", W_JSON_VALUE, AT(tags)},
    {"parallel", W_JSON_UINT, AT(parallel)},
    {.key = NULL},
};

static writ_status
check_host(const struct w_fleet_host *host, writ_error *err)
{
	size_t at, count;
	yyjson_val *tag;

	if (host->version != 1 || !w_fleet_name_valid(host->name) ||
	    !w_fleet_name_valid(host->collective))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "v must be 1, and host and collective must be names");
	if (host->base[0] != '/' || (host->ca != NULL && host->ca[0] != '/'))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "base and ca must be absolute paths");
	if (host->parallel == 0 || host->parallel > PARALLEL_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "parallel must be from 1 to %d", PARALLEL_MAX);
	if (!yyjson_is_arr(host->tags))
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "tags must be a list");
	yyjson_arr_foreach(host->tags, at, count, tag)
	{
		if (!w_json_is_text(tag) ||
		    !w_fleet_name_valid(yyjson_get_str(tag)))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "a tag is a name of lower-case letters, digits "
			    "and '-'");
	}
	return WRIT_OK;
}

writ_status
w_fleet_host_read(const char *text, size_t len, struct w_fleet_host *out_host,
    writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_FILE_MAX, DEPTH_MAX};
	const struct w_json_object_reader reader = {STAGE, "key", false};
	struct w_fleet_host host = {.version = 0};

	writ_status status = w_json_read(text, len, &limits, &host.json, err);
	if (status != WRIT_OK)
		return status;
	if (!yyjson_is_obj(w_json_root(host.json)))
		status =
		    w_fail(err, WRIT_E_INVALID, STAGE, 0, "it must be a map");
	else
		status = w_json_get_fields(&reader, host_fields,
		    w_json_root(host.json), &host, NULL, err);
	if (status == WRIT_OK)
		status = check_host(&host, err);
	if (status == WRIT_OK)
		*out_host = host;
	else
		w_fleet_host_done(&host);
	return status;
}

void
w_fleet_host_done(struct w_fleet_host *host)
{
	w_json_free(host->json);
	*host = (struct w_fleet_host){.version = 0};
}

void
w_fleet_host_add_text(struct w_buf *buf, const struct w_fleet_host *host)
{
	w_json_add_object(buf, host_fields, host);
	w_buf_add_char(buf, '\n');
}

writ_status
w_fleet_host_paths(const char *state_dir, struct w_fleet_host_paths *out_paths,
    writ_error *err)
{
	const struct {
		const char *rest;
		char *out;
	} paths[] = {
	    {"host", out_paths->dir},
	    {"host/host.json", out_paths->settings},
	    {"host/trust.json", out_paths->trust},
	    {"host/nkey", out_paths->nkey},
	    {"host/ledger", out_paths->ledger},
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		writ_status status =
		    w_fleet_path(state_dir, paths[i].rest, paths[i].out, err);

		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_fleet_host_load(const struct w_fleet_host_paths *paths,
    struct w_fleet_host *out_host, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	writ_error failure;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	writ_status status =
	    w_fleet_file_read(paths->settings, &text, &failure);
	if (status == WRIT_OK)
		status =
		    w_fleet_host_read(text.data, text.len, out_host, &failure);
	if (status == WRIT_OK)
		return WRIT_OK;
	if (status == WRIT_E_NOTFOUND) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "this machine is no host of a fleet: there is no '%s'",
		    paths->settings);
		w_suggest(err, "writ fleet join FILE");
		return WRIT_E_NOTFOUND;
	}
	return w_fail(err, status, STAGE, 0, "cannot use '%s': %s",
	    paths->settings, failure.message);
}
