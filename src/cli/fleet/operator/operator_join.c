/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ fleet invite` and `writ fleet join`: what a host needs, in one file.
 *
 *     {"v":1,"host":"web1","collective":"main","server":"nats://...",
 *      "ca":null,"nkey":"writ-fleet-key ed25519 ...\n","tags":["web"],
 *      "trust":{"keys":[...]}}
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/grow.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "data/json_fields.h"
#include "data/json_words.h"
#include "fleet/host/fleet_host.h"
#include "fleet/host/fleet_trust.h"

#define STAGE     "join"
#define DEPTH_MAX 8
#define MAY_ALL   "ping,facts,run,cancel"

/* ---- invite ---- */

static writ_status
write_once(const char *path, const struct w_buf *text, writ_error *err)
{
	W_AUTO_FD int fd = open(
	    path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot create '%s'", path);
	if (write(fd, text->data, text->len) != (ssize_t)text->len ||
	    fsync(fd) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot write '%s'", path);
	return WRIT_OK;
}

static writ_status
add_trust(
    const struct w_operator *operator, struct w_buf * text, writ_error *err)
{
	const char *may = operator->args->may == NULL ? MAY_ALL :
						      operator->args->may;
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	struct w_fleet_trusted trusted = {.revoked = ""};
	struct w_fleet_key key;

	writ_status status = w_operator_key_load(operator,
	    w_operator_key_name(operator), &key, err);
	if (status != WRIT_OK)
		return status;
	memcpy(trusted.public_key, key.public_key, W_FLEET_PUBLIC_SIZE);
	w_fleet_key_done(&key);
	w_fleet_key_id(trusted.public_key, trusted.key_id);
	(void)snprintf(trusted.name, sizeof(trusted.name), "%s",
	    w_operator_key_name(operator));
	status = w_fleet_trust_read_may(may, trusted.may, err);
	if (status == WRIT_OK)
		status = w_fleet_trust_put(&trust, &trusted, err);
	if (status == WRIT_OK)
		w_fleet_trust_add_text(text, &trust);
	return status;
}

static writ_status
add_invitation(const struct w_operator *operator, const char * host,
    const struct w_fleet_key *key, struct w_buf *text, writ_error *err)
{
	const struct w_words *tags = &operator->args->tags;
	W_AUTO_BUF struct w_buf nkey;

	w_buf_init(&nkey, 256);
	w_fleet_key_add_private(&nkey, key);
	w_buf_add_str(text, "{\"v\":1");
	w_json_add_text_member(text, "host", host);
	w_json_add_text_member(text, "collective", operator->site.collective);
	w_json_add_text_member(text, "server", operator->site.server);
	w_json_add_text_member(
	    text, "ca", operator->ca.len > 0 ? operator->ca.data : NULL);
	w_json_add_text_member(text, "nkey", nkey.data);
	explicit_bzero(nkey.data, nkey.len);
	w_json_add_list_member(text, "tags", (const char *const *)tags->items);
	w_json_add_name(text, "trust");
	writ_status status = add_trust(operator, text, err);
	w_buf_add_str(text, "}\n");
	return status == WRIT_OK && text->failed ? w_fail_nomem(err, STAGE)
						 : status;
}

/* The server knows the key from here on. A name that was used before gets a new
 * key: the old one is nobody's then. */
static writ_status
register_host(struct w_operator *operator, const char * host,
    const struct w_fleet_key *key, writ_error *err)
{
	struct operator_host_keys keys;
	struct operator_host_key *found = NULL;

	writ_status status = w_operator_host_keys_load(operator, & keys, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < keys.count; i++) {
		if (strcmp(keys.items[i].name, host) == 0)
			found = &keys.items[i];
	}
	if (found == NULL && !w_grow(&keys.items, keys.count, &keys.cap)) {
		w_operator_host_keys_done(&keys);
		return w_fail_nomem(err, STAGE);
	}
	if (found == NULL)
		found = &keys.items[keys.count++];
	(void)snprintf(found->name, sizeof(found->name), "%s", host);
	w_fleet_nkey_public(key, found->nkey);
	status = w_operator_host_keys_save(operator, & keys, err);
	w_operator_host_keys_done(&keys);
	if (status == WRIT_OK)
		status = w_operator_conf_write(operator, err);
	if (status == WRIT_OK)
		w_operator_server_reload(operator);
	if (status == WRIT_OK)
		status = w_operator_consumer_make(operator, host, err);
	if (status == WRIT_OK)
		status = w_operator_put(operator, "HOSTS", host, "{}", 2, err);
	return status;
}

static writ_status
invite(struct w_operator *operator, const char * host, const char *path,
    writ_error *err)
{
	struct w_fleet_key key;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	if (!w_fleet_name_valid(host))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is no name for a host: lower-case letters, digits "
		    "and '-', at most %d",
		    host, W_FLEET_NAME_MAX);
	for (size_t i = 0; i < operator->args->tags.count; i++) {
		if (!w_fleet_name_valid(operator->args->tags.items[i]))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "'%s' is no name for a tag",
			    operator->args->tags.items[i]);
	}
	writ_status status = w_operator_connect(operator, err);
	if (status == WRIT_OK)
		status = w_fleet_key_new(&key, err);
	if (status != WRIT_OK)
		return status;
	status = add_invitation(operator, host, &key, &text, err);
	if (status == WRIT_OK)
		status = write_once(path, &text, err);
	if (status == WRIT_OK)
		status = register_host(operator, host, &key, err);
	explicit_bzero(text.data, text.len);
	w_fleet_key_done(&key);
	return status;
}

int
w_operator_invite(struct w_operator *operator)
{
	const struct w_fleet_args *args = operator->args;
	char standard[W_FLEET_NAME_MAX + 16];
	const char *path = args->file;
	writ_error err;

	if (args->words.count != 1)
		return w_operator_usage(operator,
		    "it wants the NAME of one host");
	const char *host = args->words.items[0];
	(void)snprintf(
	    standard, sizeof(standard), "%.*s.join", W_FLEET_NAME_MAX, host);
	if (path == NULL)
		path = standard;
	if (invite(operator, host, path, &err) != WRIT_OK)
		return w_operator_fail(operator, & err);
	if (!args->is_json)
		(void)printf("wrote %s: bring it to the host, and there: writ "
			     "fleet join %s\n",
		    path, path);
	return 0;
}

/* ---- join ---- */

struct invitation {
	unsigned version;
	char host[W_FLEET_NAME_MAX + 1];
	char collective[W_FLEET_NAME_MAX + 1];
	const char *server;
	const char *ca;
	const char *nkey;
	yyjson_val *tags;
	yyjson_val *trust;
};

#define AT(member) W_JSON_AT(struct invitation, member)

static const struct w_json_field invitation_fields[] = {
    {"v", W_JSON_UINT, AT(version)},
    {"host", W_JSON_CHARS, AT(host)},
    {"collective", W_JSON_CHARS, AT(collective)},
    {"server", W_JSON_STRING, AT(server), .flags = W_JSON_NOT_NULL},
    {"ca", W_JSON_STRING, AT(ca)},
    {"nkey", W_JSON_STRING, AT(nkey), .flags = W_JSON_NOT_NULL},
    {"tags", W_JSON_VALUE, AT(tags)},
    {"trust", W_JSON_VALUE, AT(trust)},
    {.key = NULL},
};

static writ_status
join_base(
    const struct w_operator *operator, struct w_buf * base, writ_error *err)
{
	const char *given = operator->args->base;
	const char *slash = strrchr(operator->state, '/');

	if (given != NULL && given[0] != '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "--base wants an absolute path, not '%s'", given);
	if (given != NULL)
		w_buf_add_str(base, given);
	else
		w_buf_add_fmt(base, "%.*s/writ-work",
		    (int)(slash - operator->state), operator->state);
	return base->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static void
add_tags(
    const struct w_operator *operator, yyjson_val * tags, struct w_buf *text)
{
	size_t at, count;
	yyjson_val *tag;
	bool has_one = false;

	w_buf_add_char(text, '[');
	yyjson_arr_foreach(tags, at, count, tag)
	{
		w_buf_add_str(text, has_one ? "," : "");
		w_json_add_value(text, tag);
		has_one = true;
	}
	for (size_t i = 0; i < operator->args->tags.count; i++) {
		w_buf_add_str(text, has_one ? "," : "");
		w_json_add_text(text, operator->args->tags.items[i]);
		has_one = true;
	}
	w_buf_add_char(text, ']');
}

/* The settings, as text; they are read once before they are stored. */
static writ_status
add_settings(const struct w_operator *operator,
    const struct invitation * invitation, const char *ca_path,
    struct w_buf *text, writ_error *err)
{
	const struct w_fleet_args *args = operator->args;
	struct w_fleet_host check;
	W_AUTO_BUF struct w_buf base;

	w_buf_init(&base, W_FLEET_PATH_MAX);
	writ_status status = join_base(operator, & base, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_str(text, "{\"v\":1");
	w_json_add_text_member(text, "host", invitation->host);
	w_json_add_text_member(text, "collective", invitation->collective);
	w_json_add_text_member(text, "server", invitation->server);
	w_json_add_path_member(
	    text, "ca", invitation->ca == NULL ? NULL : ca_path);
	w_json_add_path_member(text, "base", base.data);
	w_json_add_text_member(text, "user", args->user);
	w_json_add_name(text, "tags");
	add_tags(operator, invitation->tags, text);
	w_json_add_number_member(
	    text, "parallel", args->parallel == 0 ? 8 : args->parallel);
	w_buf_add_str(text, "}\n");
	status = w_fleet_host_read(text->data, text->len, &check, err);
	if (status == WRIT_OK)
		w_fleet_host_done(&check);
	return status;
}

/* Those of the file, besides those that are there already. */
static writ_status
join_trust(
    const struct w_fleet_host_paths *paths, yyjson_val *trust, writ_error *err)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust had = {.count = 0};
	W_AUTO_FLEET_TRUST struct w_fleet_trust given = {.count = 0};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	w_json_add_value(&text, trust);
	writ_status status =
	    w_fleet_trust_read(text.data, text.len, &given, err);
	if (status == WRIT_OK)
		status = w_fleet_trust_load(paths->trust, &had, err);
	for (size_t i = 0; status == WRIT_OK && i < given.count; i++)
		status = w_fleet_trust_put(&had, &given.keys[i], err);
	return status == WRIT_OK ? w_fleet_trust_save(paths->trust, &had, err)
				 : status;
}

static writ_status
store(const struct w_operator *operator, const struct invitation * invitation,
    writ_error *err)
{
	struct w_fleet_host_paths paths;
	struct w_fleet_key key;
	char ca_path[W_FLEET_PATH_MAX];
	W_AUTO_BUF struct w_buf settings;

	w_buf_init(&settings, W_FLEET_FILE_MAX);
	writ_status status = w_fleet_host_paths(operator->state, &paths, err);
	if (status == WRIT_OK)
		status = w_operator_path(operator, "host/ca.pem", ca_path, err);
	if (status == WRIT_OK)
		status =
		    add_settings(operator, invitation, ca_path, &settings, err);
	if (status == WRIT_OK)
		status = w_fleet_dir_make(paths.dir, err);
	if (status == WRIT_OK)
		status = w_fleet_file_write(paths.nkey, 0600, invitation->nkey,
		    strlen(invitation->nkey), err);
	if (status == WRIT_OK)
		status = w_fleet_key_read_private(paths.nkey, &key, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_key_done(&key);
	if (invitation->ca != NULL)
		status = w_fleet_file_write(
		    ca_path, 0644, invitation->ca, strlen(invitation->ca), err);
	if (status == WRIT_OK)
		status = join_trust(&paths, invitation->trust, err);
	/* Last: with it the machine is a host. */
	return status == WRIT_OK ? w_fleet_file_write(paths.settings, 0600,
				       settings.data, settings.len, err)
				 : status;
}

static writ_status
join(const struct w_operator *operator, const char * path,
    struct invitation *out_invitation, writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_FILE_MAX, DEPTH_MAX};
	const struct w_json_object_reader reader = {STAGE, "key", false};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	writ_status status = w_fleet_file_read(path, &text, err);
	if (status == WRIT_OK)
		status = w_json_read(text.data, text.len, &limits, &json, err);
	if (status == WRIT_OK && !yyjson_is_obj(w_json_root(json)))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is no file of writ fleet invite", path);
	if (status == WRIT_OK)
		status = w_json_get_fields(&reader, invitation_fields,
		    w_json_root(json), out_invitation, NULL, err);
	if (status == WRIT_OK && out_invitation->version != 1)
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is of another version", path);
	if (status == WRIT_OK)
		status = store(operator, out_invitation, err);
	explicit_bzero(text.data, text.len);
	w_json_free(json);
	return status;
}

int
w_operator_join(struct w_operator *operator)
{
	const struct w_fleet_args *args = operator->args;
	struct invitation invitation = {.version = 0};
	writ_error err;

	if (args->words.count != 1)
		return w_operator_usage(operator,
		    "it wants one FILE of writ fleet invite");
	if (join(operator, args->words.items[0], &invitation, &err) != WRIT_OK)
		return w_operator_fail(operator, & err);
	if (!args->is_json)
		(void)printf(
		    "this machine is the host '%s' of the fleet "
		    "'%s'; next: name the agent \"fleet:*\" in a policy, "
		    "remove %s, and start writ-agentd\n",
		    invitation.host, invitation.collective,
		    args->words.items[0]);
	return 0;
}
