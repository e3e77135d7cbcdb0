/* SPDX-License-Identifier: Apache-2.0 */

/* Whose orders a host takes. */

#include "fleet/host/fleet_trust.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "data/json.h"
#include "data/json_fields.h"
#include "data/json_words.h"
#include "fleet/host/fleet_file.h"

#define STAGE     "trust"
#define DEPTH_MAX 6

/* An entry as it is written. */
struct trust_row {
	char name[W_FLEET_NAME_MAX + 1];
	char key[80];
	yyjson_val *may;
	const char *revoked;
};

#define AT(member) W_JSON_AT(struct trust_row, member)

static const struct w_json_field row_fields[] = {
    {"name", W_JSON_CHARS, AT(name)},
    {"key", W_JSON_CHARS, AT(key)},
    {"may", W_JSON_VALUE, AT(may)},
    {"revoked", W_JSON_STRING, AT(revoked), .flags = W_JSON_MAY_MISS},
    {.key = NULL},
};

void
w_fleet_trust_done(struct w_fleet_trust *trust)
{
	free(trust->keys);
	*trust = (struct w_fleet_trust){.count = 0};
}

static bool
put_may(const char *word, size_t len, bool may[W_FLEET_KINDS])
{
	for (size_t i = 0; i < W_FLEET_KINDS; i++) {
		if (strlen(w_fleet_kind_words[i]) == len &&
		    memcmp(w_fleet_kind_words[i], word, len) == 0) {
			may[i] = true;
			return true;
		}
	}
	return false;
}

writ_status
w_fleet_trust_read_may(
    const char *words, bool out_may[W_FLEET_KINDS], writ_error *err)
{
	bool may[W_FLEET_KINDS] = {false};

	for (const char *at = words;; at++) {
		const size_t len = strcspn(at, ",");

		if (!put_may(at, len, may))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "'%.*s' is nothing that a key may order: ping, "
			    "facts, run, cancel",
			    (int)len, at);
		at += len;
		if (*at == '\0')
			break;
	}
	memcpy(out_may, may, sizeof(may));
	return WRIT_OK;
}

static writ_status
read_row(yyjson_val *map, struct w_fleet_trusted *out_key, writ_error *err)
{
	const struct w_json_object_reader reader = {STAGE, "key", false};
	struct trust_row row = {.revoked = NULL};
	struct w_fleet_trusted key = {.revoked = ""};
	size_t at, count;
	yyjson_val *word;

	if (!yyjson_is_obj(map))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "an entry of keys must be a map");
	writ_status status =
	    w_json_get_fields(&reader, row_fields, map, &row, NULL, err);
	if (status != WRIT_OK)
		return status;
	if (!w_fleet_name_valid(row.name) ||
	    !w_fleet_key_read_public(row.key, key.public_key) ||
	    !yyjson_is_arr(row.may) ||
	    (row.revoked != NULL && strlen(row.revoked) >= sizeof(key.revoked)))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the entry of '%s' has a bad name, key, may or revoked",
		    row.name);
	yyjson_arr_foreach(row.may, at, count, word)
	{
		if (!yyjson_is_str(word) || !put_may(yyjson_get_str(word),
						yyjson_get_len(word), key.may))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the entry of '%s' may something that is not known",
			    row.name);
	}
	memcpy(key.name, row.name, sizeof(key.name));
	w_fleet_key_id(key.public_key, key.key_id);
	if (row.revoked != NULL)
		memcpy(key.revoked, row.revoked, strlen(row.revoked) + 1);
	*out_key = key;
	return WRIT_OK;
}

static writ_status
append(struct w_fleet_trust *trust, const struct w_fleet_trusted *key,
    writ_error *err)
{
	if (trust->count == W_FLEET_TRUST_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a host trusts at most %d keys", W_FLEET_TRUST_MAX);
	if (!w_grow(&trust->keys, trust->count, &trust->cap))
		return w_fail_nomem(err, STAGE);
	trust->keys[trust->count++] = *key;
	return WRIT_OK;
}

static writ_status
read_rows(yyjson_val *rows, struct w_fleet_trust *trust, writ_error *err)
{
	size_t at, count;
	yyjson_val *row;

	if (!yyjson_is_arr(rows))
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "keys must be a list");
	yyjson_arr_foreach(rows, at, count, row)
	{
		struct w_fleet_trusted key;
		writ_status status = read_row(row, &key, err);

		if (status == WRIT_OK &&
		    (w_fleet_trust_find(trust, key.key_id) != NULL ||
			w_fleet_trust_named(trust, key.name) != NULL))
			status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the key or the name '%s' is there twice",
			    key.name);
		if (status == WRIT_OK)
			status = append(trust, &key, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_fleet_trust_read(const char *text, size_t len,
    struct w_fleet_trust *out_trust, writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_FILE_MAX, DEPTH_MAX};
	struct w_fleet_trust trust = {.count = 0};
	struct w_json *json = NULL;

	writ_status status = w_json_read(text, len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *root = w_json_root(json);
	if (!yyjson_is_obj(root) || yyjson_obj_size(root) != 1)
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "it must be a map with the one key 'keys'");
	else
		status = read_rows(yyjson_obj_get(root, "keys"), &trust, err);
	w_json_free(json);
	if (status == WRIT_OK)
		*out_trust = trust;
	else
		w_fleet_trust_done(&trust);
	return status;
}

static void
add_row(struct w_buf *buf, const struct w_fleet_trusted *key)
{
	bool has_one = false;

	w_buf_add_str(buf, "  {\"name\":");
	w_json_add_text(buf, key->name);
	w_buf_add_str(buf, ",\"key\":\"");
	w_fleet_key_add_public(buf, key->public_key);
	w_buf_add_str(buf, "\",\"may\":[");
	for (size_t i = 0; i < W_FLEET_KINDS; i++) {
		if (!key->may[i])
			continue;
		w_buf_add_fmt(
		    buf, "%s\"%s\"", has_one ? "," : "", w_fleet_kind_words[i]);
		has_one = true;
	}
	w_buf_add_str(buf, "],\"revoked\":");
	w_json_add_text(buf, key->revoked[0] == '\0' ? NULL : key->revoked);
	w_buf_add_char(buf, '}');
}

void
w_fleet_trust_add_text(struct w_buf *buf, const struct w_fleet_trust *trust)
{
	w_buf_add_str(buf, "{\"keys\":[\n");
	for (size_t i = 0; i < trust->count; i++) {
		add_row(buf, &trust->keys[i]);
		w_buf_add_str(buf, i + 1 < trust->count ? ",\n" : "\n");
	}
	w_buf_add_str(buf, "]}\n");
}

writ_status
w_fleet_trust_load(
    const char *path, struct w_fleet_trust *out_trust, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	writ_error failure;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	writ_status status = w_fleet_file_read(path, &text, &failure);
	if (status == WRIT_E_NOTFOUND) {
		*out_trust = (struct w_fleet_trust){.count = 0};
		return WRIT_OK;
	}
	if (status == WRIT_OK)
		status = w_fleet_trust_read(
		    text.data, text.len, out_trust, &failure);
	if (status == WRIT_OK)
		return WRIT_OK;
	return w_fail(err, status, STAGE, 0, "cannot use '%s': %s", path,
	    failure.message);
}

writ_status
w_fleet_trust_save(
    const char *path, const struct w_fleet_trust *trust, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	w_fleet_trust_add_text(&text, trust);
	if (text.failed)
		return w_fail_nomem(err, STAGE);
	return w_fleet_file_write(path, 0600, text.data, text.len, err);
}

struct w_fleet_trusted *
w_fleet_trust_find(const struct w_fleet_trust *trust, const char *key_id)
{
	for (size_t i = 0; i < trust->count; i++) {
		if (strcmp(trust->keys[i].key_id, key_id) == 0)
			return &trust->keys[i];
	}
	return NULL;
}

struct w_fleet_trusted *
w_fleet_trust_named(const struct w_fleet_trust *trust, const char *name)
{
	for (size_t i = 0; i < trust->count; i++) {
		if (strcmp(trust->keys[i].name, name) == 0)
			return &trust->keys[i];
	}
	return NULL;
}

writ_status
w_fleet_trust_put(struct w_fleet_trust *trust,
    const struct w_fleet_trusted *key, writ_error *err)
{
	struct w_fleet_trusted *named = w_fleet_trust_named(trust, key->name);
	struct w_fleet_trusted *same = w_fleet_trust_find(trust, key->key_id);

	if (same != NULL && same->revoked[0] != '\0')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the key %s was revoked at %s: make a new one", key->key_id,
		    same->revoked);
	if (named != same)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the name '%s' or the key %s is taken by another entry",
		    key->name, key->key_id);
	if (named == NULL)
		return append(trust, key, err);
	memcpy(named->may, key->may, sizeof(named->may));
	return WRIT_OK;
}
