/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The configuration of the server. The operator may do everything; a host may
 * listen for orders to all and to itself, take its own work, and publish
 * results, answers and events under its own name alone. So no host can answer
 * for another, see what others are ordered, or order anything.
 */

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/fleet/operator/operator.h"
#include "data/json.h"
#include "data/json_fields.h"

#define STAGE      "server"
#define DEPTH_MAX  4
#define TEXT_MAX   ((size_t)16 << 20)

#define AT(member) W_JSON_AT(struct operator_host_key, member)

static const struct w_json_field key_fields[] = {
    {"name", W_JSON_CHARS, AT(name)},
    {"nkey", W_JSON_CHARS, AT(nkey)},
    {.key = NULL},
};

void
w_operator_host_keys_done(struct operator_host_keys *keys)
{
	free(keys->items);
	*keys = (struct operator_host_keys){.count = 0};
}

static writ_status
read_keys(yyjson_val *list, struct operator_host_keys *keys, writ_error *err)
{
	const struct w_json_object_reader reader = {STAGE, "key", false};
	size_t at, count;
	yyjson_val *map;

	yyjson_arr_foreach(list, at, count, map)
	{
		struct operator_host_key key = {.name = ""};

		if (!yyjson_is_obj(map))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "a host must be a map");
		writ_status status = w_json_get_fields(
		    &reader, key_fields, map, &key, NULL, err);
		if (status != WRIT_OK)
			return status;
		/* They become a part of the server's configuration. */
		if (!w_fleet_name_valid(key.name) ||
		    strspn(key.nkey, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") !=
			strlen(key.nkey))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "hosts.json has a bad name or key");
		if (!w_grow(&keys->items, keys->count, &keys->cap))
			return w_fail_nomem(err, STAGE);
		keys->items[keys->count++] = key;
	}
	return WRIT_OK;
}

writ_status
w_operator_host_keys_load(const struct w_operator *operator,
    struct operator_host_keys * out_keys, writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_FILE_MAX, DEPTH_MAX};
	struct w_json *json = NULL;
	char path[W_FLEET_PATH_MAX];
	W_AUTO_BUF struct w_buf text;

	*out_keys = (struct operator_host_keys){.count = 0};
	w_buf_init(&text, W_FLEET_FILE_MAX);
	writ_status status =
	    w_operator_path(operator, "operator/hosts.json", path, err);
	if (status == WRIT_OK)
		status = w_fleet_file_read(path, &text, err);
	if (status == WRIT_E_NOTFOUND)
		return WRIT_OK;
	if (status == WRIT_OK)
		status = w_json_read(text.data, text.len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	status = read_keys(w_json_root(json), out_keys, err);
	w_json_free(json);
	if (status != WRIT_OK)
		w_operator_host_keys_done(out_keys);
	return status;
}

writ_status
w_operator_host_keys_save(const struct w_operator *operator,
    const struct operator_host_keys * keys, writ_error *err)
{
	char path[W_FLEET_PATH_MAX];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	w_buf_add_str(&text, "[\n");
	for (size_t i = 0; i < keys->count; i++) {
		w_json_add_object(&text, key_fields, &keys->items[i]);
		w_buf_add_str(&text, i + 1 < keys->count ? ",\n" : "\n");
	}
	w_buf_add_str(&text, "]\n");
	if (text.failed)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there are too many hosts for one server's file");
	writ_status status =
	    w_operator_path(operator, "operator/hosts.json", path, err);
	return status == WRIT_OK
		   ? w_fleet_file_write(path, 0600, text.data, text.len, err)
		   : status;
}

/* ---- the text ---- */

static void
add_host(struct w_buf *text, const char *collective,
    const struct operator_host_key *key)
{
	const char *c = collective;
	const char *h = key->name;

	w_buf_add_fmt(text,
	    "    { nkey: %s, permissions: {\n"
	    "        publish: { allow: [\"writ.%s.rep.*.%s\", "
	    "\"writ.%s.res.*.%s\", \"writ.%s.ev.%s.*\",\n",
	    key->nkey, c, h, c, h, c, h);
	w_buf_add_fmt(text,
	    "          \"$KV.NODES_%s.%s\", \"$JS.ACK.WORK_%s.%s.>\",\n", c, h,
	    c, h);
	w_buf_add_fmt(text,
	    "          \"$JS.API.CONSUMER.INFO.WORK_%s.%s\", "
	    "\"$JS.API.CONSUMER.MSG.NEXT.WORK_%s.%s\"] }\n",
	    c, h, c, h);
	w_buf_add_fmt(text,
	    "        subscribe: { allow: [\"writ.%s.req.all\", "
	    "\"writ.%s.req.host.%s\", \"_IN.%s.%s.>\"] } } }\n",
	    c, c, h, c, h);
}

/* A string of the server's language, which has the escapes of JSON. */
static void
add_setting(struct w_buf *text, const char *name, const char *value)
{
	w_buf_add_fmt(text, "%s: ", name);
	w_json_add_text(text, value);
	w_buf_add_char(text, '\n');
}

static writ_status
add_conf(
    const struct w_operator *operator, struct w_buf * text, writ_error *err)
{
	struct operator_host_keys keys;
	char path[W_FLEET_PATH_MAX];

	w_buf_add_str(text, "# Written by writ fleet; changes are lost.\n");
	add_setting(text, "server_name", operator->site.collective);
	add_setting(text, "listen", operator->site.listen);
	w_buf_add_str(text, "max_payload: 2MB\nmax_control_line: 4KB\n");
	writ_status status = w_operator_path(operator, "server/pid", path, err);
	if (status != WRIT_OK)
		return status;
	add_setting(text, "pid_file", path);
	status = w_operator_path(operator, "server", path, err);
	if (status != WRIT_OK)
		return status;
	add_setting(text, "ports_file_dir", path);
	w_buf_add_str(text, "jetstream {\n  ");
	status = w_operator_path(operator, "server/store", path, err);
	if (status != WRIT_OK)
		return status;
	add_setting(text, "store_dir", path);
	w_buf_add_str(text, "}\n");
	if (operator->site.tls_cert[0] != '\0') {
		w_buf_add_str(text, "tls {\n  ");
		add_setting(text, "cert_file", operator->site.tls_cert);
		w_buf_add_str(text, "  ");
		add_setting(text, "key_file", operator->site.tls_key);
		w_buf_add_str(text, "}\n");
	}
	status = w_operator_host_keys_load(operator, & keys, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_fmt(text,
	    "authorization {\n  timeout: 10\n  users = [\n    { nkey: %s }\n",
	    operator->nkey);
	for (size_t i = 0; i < keys.count; i++)
		add_host(text, operator->site.collective, &keys.items[i]);
	w_buf_add_str(text, "  ]\n}\n");
	w_operator_host_keys_done(&keys);
	return text->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
w_operator_conf_write(const struct w_operator *operator, writ_error * err)
{
	char path[W_FLEET_PATH_MAX];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	writ_status status = add_conf(operator, & text, err);
	if (status == WRIT_OK)
		status =
		    w_operator_path(operator, "server/nats.conf", path, err);
	return status == WRIT_OK
		   ? w_fleet_file_write(path, 0600, text.data, text.len, err)
		   : status;
}
