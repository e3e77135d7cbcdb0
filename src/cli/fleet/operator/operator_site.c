/* SPDX-License-Identifier: Apache-2.0 */

/* The site: which server, which fleet, which keys. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/fleet/operator/operator.h"
#include "data/json.h"
#include "data/json_fields.h"

#define STAGE      "site"
#define DEPTH_MAX  4
#define TRIES      40
#define TRY_MS     250

#define AT(member) W_JSON_AT(struct operator_site, member)

static const struct w_json_field site_fields[] = {
    {"v", W_JSON_UINT, AT(version)},
    {"collective", W_JSON_CHARS, AT(collective)},
    {"server", W_JSON_CHARS, AT(server)},
    {"listen", W_JSON_CHARS, AT(listen)},
    {"tls_cert", W_JSON_CHARS, AT(tls_cert)},
    {"tls_key", W_JSON_CHARS, AT(tls_key)},
    {"tls_ca", W_JSON_CHARS, AT(tls_ca)},
    {.key = NULL},
};

writ_status
w_operator_path(const struct w_operator *operator, const char * rest,
    char out[W_FLEET_PATH_MAX], writ_error *err)
{
	return w_fleet_path(operator->state, rest, out, err);
}

static writ_status
read_site(const char *path, struct operator_site *out_site, writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_FILE_MAX, DEPTH_MAX};
	const struct w_json_object_reader reader = {STAGE, "key", false};
	struct operator_site site = {.version = 0};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	writ_status status = w_fleet_file_read(path, &text, err);
	if (status == WRIT_OK)
		status = w_json_read(text.data, text.len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	if (!yyjson_is_obj(w_json_root(json)))
		status = w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "'%s' must be a map", path);
	else
		status = w_json_get_fields(
		    &reader, site_fields, w_json_root(json), &site, NULL, err);
	w_json_free(json);
	if (status == WRIT_OK &&
	    (site.version != 1 || !w_fleet_name_valid(site.collective)))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' has another version, or no name for the fleet", path);
	if (status == WRIT_OK)
		*out_site = site;
	return status;
}

writ_status
w_operator_site_load(struct w_operator *operator, writ_error * err)
{
	char path[W_FLEET_PATH_MAX];

	writ_status status =
	    w_operator_path(operator, "operator/site.json", path, err);
	if (status != WRIT_OK)
		return status;
	status = read_site(path, &operator->site, err);
	if (status == WRIT_E_NOTFOUND) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "this is no operator of a fleet: there is no '%s'", path);
		w_suggest(err, "writ fleet up");
	}
	return status;
}

writ_status
w_operator_site_save(struct w_operator *operator, writ_error * err)
{
	char path[W_FLEET_PATH_MAX];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	w_json_add_object(&text, site_fields, &operator->site);
	w_buf_add_char(&text, '\n');
	writ_status status =
	    w_operator_path(operator, "operator/site.json", path, err);
	return status == WRIT_OK
		   ? w_fleet_file_write(path, 0600, text.data, text.len, err)
		   : status;
}

writ_status
w_operator_connect(struct w_operator *operator, writ_error * err)
{
	char path[W_FLEET_PATH_MAX];
	struct w_fleet_key key;
	writ_status status = WRIT_OK;

	if (operator->site.version == 0)
		status = w_operator_site_load(operator, err);
	if (status == WRIT_OK)
		status = w_operator_path(operator, "operator/nkey", path, err);
	if (status == WRIT_OK)
		status = w_fleet_key_read_private(path, &key, err);
	if (status == WRIT_OK && operator->site.tls_ca[0] != '\0' &&
				 operator->ca.len == 0)
		status = w_fleet_file_read(operator->site.tls_ca, &operator->ca,
		    err);
	if (status != WRIT_OK)
		return status;
	w_fleet_nkey_seed(&key, operator->seed);
	w_fleet_nkey_public(&key, operator->nkey);
	w_fleet_key_done(&key);
	(void)snprintf(operator->inbox, sizeof(operator->inbox),
	    "_IN.%s.op-%d", operator->site.collective, (int)getpid());
	const struct w_nats_login login = {.server = operator->site.server,
	    .ca = operator->ca.len> 0 ? operator->ca.data : NULL,
	    .name = "operator",
	    .inbox = operator->inbox,
	    .nkey = operator->nkey,
	    .seed = operator->seed };
	status = w_nats_connect(&login, &operator->connection, err);
	if (status != WRIT_OK)
		return status;
	natsStatus made =
	    natsConnection_JetStream(&operator->js, operator->connection, NULL);
	return made == NATS_OK ? WRIT_OK
			       : w_nats_fail(err, made, "use JetStream");
}

bool
w_operator_again(natsStatus status, unsigned *tries)
{
	const char *detail = nats_GetLastError(NULL);
	/* The last is what a server says while it reads its users anew. */
	const bool is_passing =
	    status == NATS_NO_RESPONDERS || status == NATS_TIMEOUT ||
	    status == NATS_CONNECTION_DISCONNECTED ||
	    status == NATS_CONNECTION_CLOSED ||
	    (detail != NULL && strstr(detail, "JetStream not enabled") != NULL);

	if (!is_passing || w_operator_is_stopped() || ++*tries > TRIES)
		return false;
	nats_Sleep(TRY_MS);
	return true;
}

void
w_operator_done(struct w_operator *operator)
{
	jsCtx_Destroy(operator->js);
	natsConnection_Destroy(operator->connection);
	w_buf_done(&operator->ca);
	explicit_bzero(operator->seed, sizeof(operator->seed));
}

/* ---- keys ---- */

const char *
w_operator_key_name(const struct w_operator *operator)
{
	return operator->args->key == NULL ? "default" : operator->args->key;
}

static writ_status
key_path(const struct w_operator *operator, const char * name,
    char out[W_FLEET_PATH_MAX], writ_error *err)
{
	char rest[W_FLEET_NAME_MAX + 32];

	if (!w_fleet_name_valid(name))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is no name: lower-case letters, digits and '-', at "
		    "most %d",
		    name, W_FLEET_NAME_MAX);
	(void)snprintf(rest, sizeof(rest), "operator/keys/%s", name);
	return w_operator_path(operator, rest, out, err);
}

writ_status
w_operator_key_load(const struct w_operator *operator, const char * name,
    struct w_fleet_key *out_key, writ_error *err)
{
	char path[W_FLEET_PATH_MAX];

	writ_status status = key_path(operator, name, path, err);
	if (status == WRIT_OK)
		status = w_fleet_key_read_private(path, out_key, err);
	if (status == WRIT_E_NOTFOUND) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there is no key '%s'", name);
		w_suggest(err, "writ fleet key new %s", name);
	}
	return status;
}

writ_status
w_operator_key_make(
    const struct w_operator *operator, const char * name, writ_error *err)
{
	char path[W_FLEET_PATH_MAX];
	char dir[W_FLEET_PATH_MAX];
	struct w_fleet_key key;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 256);
	writ_status status = key_path(operator, name, path, err);
	if (status == WRIT_OK)
		status = w_operator_path(operator, "operator/keys", dir, err);
	if (status == WRIT_OK)
		status = w_fleet_dir_make(dir, err);
	if (status != WRIT_OK)
		return status;
	if (access(path, F_OK) == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is a key '%s' already", name);
	status = w_fleet_key_new(&key, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_key_add_private(&text, &key);
	w_fleet_key_done(&key);
	status = w_fleet_file_write(path, 0600, text.data, text.len, err);
	explicit_bzero(text.data, text.len);
	return status;
}
