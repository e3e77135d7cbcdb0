/* SPDX-License-Identifier: Apache-2.0 */

/* `writ fleet key`: the keys of this operator, and whose orders this machine
 * takes as a host. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"
#include "fleet/host/fleet_host.h"
#include "fleet/host/fleet_trust.h"

#define STAGE "key"

struct shown_key {
	const char *name;
	const char *use; /* "signs", "trusted", "revoked" */
	const char *since;
	const struct w_fleet_trusted *trusted; /* NULL: of this operator */
	uint8_t public_key[W_FLEET_PUBLIC_SIZE];
};

static void
add_may(struct w_buf *text, const struct w_fleet_trusted *key)
{
	for (size_t i = 0; key != NULL && i < W_FLEET_KINDS; i++) {
		if (key->may[i])
			w_buf_add_fmt(text, "%s%s", text->len > 0 ? "," : "",
			    w_fleet_kind_words[i]);
	}
}

static void
show_row(struct w_text_table *table, const struct shown_key *shown)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf may;

	w_buf_init(&text, 256);
	w_buf_init(&may, 256);
	w_fleet_key_add_public(&text, shown->public_key);
	add_may(&may, shown->trusted);
	w_text_table_add(table, shown->name);
	w_text_table_add(table, shown->use);
	w_text_table_add(table, may.data);
	w_text_table_add(table, text.data);
}

static void
show_json(struct w_buf *out, const struct shown_key *shown)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf may;
	char id[W_FLEET_KEY_ID_LEN + 1];

	w_buf_init(&text, 256);
	w_buf_init(&may, 256);
	w_fleet_key_add_public(&text, shown->public_key);
	w_fleet_key_id(shown->public_key, id);
	add_may(&may, shown->trusted);
	w_buf_add_str(out, w_buf_last(out) == '[' ? "{" : ",{");
	w_json_add_text_member(out, "name", shown->name);
	w_json_add_text_member(out, "use", shown->use);
	w_json_add_text_member(out, "id", id);
	w_json_add_text_member(out, "key", text.data);
	w_json_add_text_member(out, "may", may.data);
	w_json_add_text_member(out, "revoked", shown->since);
	w_buf_add_char(out, '}');
}

/* One way or the other. */
static void
show_key(const struct w_operator *operator, struct w_text_table * table,
    struct w_buf *out, const struct shown_key *shown)
{
	if (operator->args->is_json)
		show_json(out, shown);
	else
		show_row(table, shown);
}

static writ_status
show_own(const struct w_operator *operator, struct w_text_table * table,
    struct w_buf *out, writ_error *err)
{
	char dir[W_FLEET_PATH_MAX];
	struct dirent **names = NULL;

	writ_status status =
	    w_operator_path(operator, "operator/keys", dir, err);
	if (status != WRIT_OK)
		return status;
	int count = scandir(dir, &names, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		struct shown_key shown = {
		    .name = names[i]->d_name, .use = "signs"};
		struct w_fleet_key key;

		if (w_fleet_name_valid(shown.name) &&
		    w_operator_key_load(operator, shown.name, &key, err) ==
			WRIT_OK) {
			memcpy(shown.public_key, key.public_key,
			    W_FLEET_PUBLIC_SIZE);
			w_fleet_key_done(&key);
			show_key(operator, table, out, &shown);
		}
		free(names[i]);
	}
	free(names);
	return WRIT_OK;
}

static writ_status
show_trusted(const struct w_operator *operator, struct w_text_table * table,
    struct w_buf *out, writ_error *err)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	struct w_fleet_host_paths paths;

	writ_status status = w_fleet_host_paths(operator->state, &paths, err);
	if (status == WRIT_OK)
		status = w_fleet_trust_load(paths.trust, &trust, err);
	for (size_t i = 0; status == WRIT_OK && i < trust.count; i++) {
		const struct w_fleet_trusted *key = &trust.keys[i];
		const bool is_revoked = key->revoked[0] != '\0';
		struct shown_key shown = {.name = key->name,
		    .use = is_revoked ? "revoked" : "trusted",
		    .since = is_revoked ? key->revoked : NULL,
		    .trusted = key};

		memcpy(shown.public_key, key->public_key, W_FLEET_PUBLIC_SIZE);
		show_key(operator, table, out, &shown);
	}
	return status;
}

static int
key_list(struct w_operator *operator, writ_error * err)
{
	static const char *const headings[] = {
	    "NAME", "USE", "MAY", "KEY", NULL};
	struct w_text_table table;
	W_AUTO_BUF struct w_buf out;

	w_text_table_init(&table, headings);
	w_buf_init(&out, W_PRINT_MAX);
	w_buf_add_char(&out, '[');
	writ_status status = show_own(operator, & table, &out, err);
	if (status == WRIT_OK)
		status = show_trusted(operator, & table, &out, err);
	w_buf_add_char(&out, ']');
	int exit_status = status != WRIT_OK ? w_operator_fail(operator, err) :
			  operator->args->is_json
			      ? w_print_json(out.data, out.len)
			      : w_text_table_print(&table);
	w_text_table_done(&table);
	return exit_status;
}

static writ_status
key_show(struct w_operator *operator, const char * name, writ_error *err)
{
	struct w_fleet_key key;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 256);
	writ_status status = w_operator_key_load(operator, name, &key, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_key_add_public(&text, key.public_key);
	w_fleet_key_done(&key);
	w_buf_add_char(&text, '\n');
	(void)w_print(&text);
	return WRIT_OK;
}

static writ_status
key_new(struct w_operator *operator, const char * name, writ_error *err)
{
	writ_status status = w_operator_key_make(operator, name, err);

	return status == WRIT_OK ? key_show(operator, name, err) : status;
}

static writ_status
key_trust(struct w_operator *operator, const char * name, const char *text,
    writ_error *err)
{
	const char *may = operator->args->may == NULL ? "ping,facts,run,cancel"
						      :
						      operator->args->may;
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	struct w_fleet_trusted key = {.revoked = ""};
	struct w_fleet_host_paths paths;

	if (!w_fleet_name_valid(name) ||
	    !w_fleet_key_read_public(text, key.public_key))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "it wants a name and a key like ed25519:..., as writ fleet "
		    "key show prints it");
	(void)snprintf(key.name, sizeof(key.name), "%s", name);
	w_fleet_key_id(key.public_key, key.key_id);
	writ_status status = w_fleet_trust_read_may(may, key.may, err);
	if (status == WRIT_OK)
		status = w_fleet_host_paths(operator->state, &paths, err);
	if (status == WRIT_OK)
		status = w_fleet_trust_load(paths.trust, &trust, err);
	if (status == WRIT_OK)
		status = w_fleet_trust_put(&trust, &key, err);
	if (status == WRIT_OK)
		status = w_fleet_dir_make(paths.dir, err);
	return status == WRIT_OK ? w_fleet_trust_save(paths.trust, &trust, err)
				 : status;
}

static writ_status
key_revoke(struct w_operator *operator, const char * name, writ_error *err)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	struct w_fleet_host_paths paths;
	W_AUTO_BUF struct w_buf since;

	w_buf_init(&since, 64);
	writ_status status = w_fleet_host_paths(operator->state, &paths, err);
	if (status == WRIT_OK)
		status = w_fleet_trust_load(paths.trust, &trust, err);
	if (status != WRIT_OK)
		return status;
	struct w_fleet_trusted *key = w_fleet_trust_named(&trust, name);
	if (key == NULL)
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "this host trusts no key '%s'", name);
	if (key->revoked[0] != '\0')
		return WRIT_OK;
	w_fleet_time_add(&since, w_fleet_now_ms());
	(void)snprintf(key->revoked, sizeof(key->revoked), "%s", since.data);
	return w_fleet_trust_save(paths.trust, &trust, err);
}

int
w_operator_key(struct w_operator *operator)
{
	const struct w_words *words = &operator->args->words;
	const char *action = words->count == 0 ? "list" : words->items[0];
	writ_status status = WRIT_OK;
	writ_error err;

	if (strcmp(action, "list") == 0 && words->count <= 1)
		return key_list(operator, & err);
	if (strcmp(action, "new") == 0 && words->count == 2)
		status = key_new(operator, words->items[1], &err);
	else if (strcmp(action, "show") == 0 && words->count == 2)
		status = key_show(operator, words->items[1], &err);
	else if (strcmp(action, "trust") == 0 && words->count == 3)
		status =
		    key_trust(operator, words->items[1], words->items[2], &err);
	else if (strcmp(action, "revoke") == 0 && words->count == 2)
		status = key_revoke(operator, words->items[1], &err);
	else
		return w_operator_usage(operator,
		    "it wants list, new NAME, show NAME, trust NAME KEY, or "
		    "revoke NAME");
	return status == WRIT_OK ? 0 : w_operator_fail(operator, & err);
}
