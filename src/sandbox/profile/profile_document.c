/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a profile document: what it adds to the profile that it extends.
 *
 * Lists grow, network and limits are replaced, and nothing of the extended
 * profile's walls can be removed. Every error starts with file, line and
 * column.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/run.h>

#include "base/auto.h"
#include "base/basename.h"
#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "data/json_words.h"
#include "data/yaml.h"
#include "sandbox/path/real_path.h"
#include "sandbox/profile/profile_loader.h"

#define STAGE                "profile"
#define TMP_WORD(name, word) word,

enum {
	DEPTH_MAX = 8,
	ENTRIES_MAX = 256,
	DESCRIPTION_MAX = 200,
	COUNT_MAX = 1 << 22
};

struct profile_document_reader {
	struct w_profile_loader *loader;
	const char *file;
	const struct w_yaml *yaml;
	struct w_profile *profile; /* the extended profile, which becomes
				      ours */
};

/* One key: where its value goes and how it is read. */
struct key {
	const char *name;
	writ_status (*read)(const struct profile_document_reader *reader,
	    const struct key *key, yyjson_val *val, writ_error *err);
	size_t offset; /* in struct w_profile for a list, in struct
			  w_profile_limits for a limit */
};

/* Puts the position before the error's message. */
static writ_status
prefix_position(const struct profile_document_reader *reader,
    const yyjson_val *val, writ_error *err)
{
	unsigned line;
	unsigned column;
	char suggestion[sizeof(err->suggestion)];

	reader->loader->is_placed = true;
	if (err == NULL)
		return WRIT_E_INVALID;
	w_yaml_place(reader->yaml, val, &line, &column);
	memcpy(suggestion, err->suggestion, sizeof(suggestion));
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
	    reader->file, line, column, err->message);
	w_suggest(err, "%s", suggestion);
	return WRIT_E_INVALID;
}

static writ_status
profile_document_refuse_type(const struct profile_document_reader *reader,
    const char *name, const char *wanted, yyjson_val *val, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s must be %s, not %s",
	    name, wanted, w_json_type_words(val));
	return prefix_position(reader, val, err);
}

/* Suggests the key nearest to an unknown one. */
static writ_status
profile_document_refuse_key(const struct profile_document_reader *reader,
    const char *where, const struct key *keys, yyjson_val *key, writ_error *err)
{
	const char *names[16] = {NULL};

	for (size_t i = 0; i < 15 && keys[i].name != NULL; i++)
		names[i] = keys[i].name;
	(void)w_json_unknown_key(key, where, names, STAGE, err);
	return prefix_position(reader, key, err);
}

static writ_status
read_map(const struct profile_document_reader *reader, const char *where,
    const struct key *keys, yyjson_val *map, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *name;

	while ((name = yyjson_obj_iter_next(&iter)) != NULL) {
		const struct key *key = keys;

		while (key->name != NULL && !yyjson_equals_str(name, key->name))
			key++;
		if (key->name == NULL)
			return profile_document_refuse_key(
			    reader, where, keys, name, err);
		writ_status status =
		    key->read(reader, key, yyjson_obj_iter_get_val(name), err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
profile_document_read_version(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	if (yyjson_is_uint(val) && yyjson_get_uint(val) == 1)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s must be 1", key->name);
	return prefix_position(reader, val, err);
}

static writ_status
read_description(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	if (!yyjson_is_str(val))
		return profile_document_refuse_type(
		    reader, key->name, "text", val, err);
	if (yyjson_get_len(val) > DESCRIPTION_MAX || !w_json_is_text(val)) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s must be text of at most %d bytes", key->name,
		    DESCRIPTION_MAX);
		return prefix_position(reader, val, err);
	}
	char *copy = strdup(yyjson_get_str(val));
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	free(reader->profile->description);
	reader->profile->description = copy;
	return WRIT_OK;
}

/* Its value was read before everything else. */
static writ_status
read_extends(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	(void)reader;
	(void)key;
	(void)val;
	(void)err;
	return WRIT_OK;
}

static writ_status
profile_document_add_path(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *item, struct w_words *words,
    writ_error *err)
{
	/* Only the spelling is checked here. */
	static const struct w_real_path_base nowhere = {
	    .cwd = "/", .home = "/"};
	W_AUTO_FREE char *path = NULL;
	const char *text = yyjson_get_str(item);

	if (text == NULL)
		return profile_document_refuse_type(
		    reader, "a path", "text", item, err);
	if (!w_json_is_text(item)) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s path '%s' contains a NUL byte", key->name, text);
		return prefix_position(reader, item, err);
	}
	writ_status status =
	    w_real_path_expand(text, &nowhere, key->name, &path, err);
	if (status == WRIT_E_INVALID)
		return prefix_position(reader, item, err);
	if (status == WRIT_OK && !w_words_add(words, text, strlen(text)))
		status = w_fail_nomem(err, STAGE);
	return status;
}

/* Fails at the line that asks for something that the walls of the extended
 * profile cannot do. */
static writ_status
profile_document_check_walls(const struct profile_document_reader *reader,
    const struct key *key, const yyjson_val *val, writ_error *err)
{
	const struct w_profile *profile = reader->profile;
	bool is_write = strcmp(key->name, "write") == 0;

	if (!w_walls_hold(profile->walls))
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s needs a sandbox, and '%s' has none", key->name,
		    profile->name);
	else if (profile->walls == W_WALLS_READONLY && is_write)
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a profile that extends '%s' cannot have writable paths",
		    profile->name);
	else
		return WRIT_OK;
	w_suggest(err, "extend 'workspace' or 'strict'");
	return prefix_position(reader, val, err);
}

static writ_status
profile_document_read_paths(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	char *base = (char *)reader->profile;
	struct w_words *words = (struct w_words *)(void *)(base + key->offset);
	yyjson_arr_iter iter = yyjson_arr_iter_with(val);
	yyjson_val *item;
	size_t count = yyjson_arr_size(val);

	if (!yyjson_is_arr(val)) {
		(void)profile_document_refuse_type(
		    reader, key->name, "a list of paths", val, err);
		w_suggest(err, "write it as a list: [ ... ]");
		return WRIT_E_INVALID;
	}
	if (count == 0 || count > ENTRIES_MAX) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s has %zu entries; it may have 1 to %d", key->name, count,
		    ENTRIES_MAX);
		if (count == 0)
			w_suggest(err, "leave it out: a list only adds to the "
				       "extended profile");
		return prefix_position(reader, val, err);
	}
	writ_status status =
	    profile_document_check_walls(reader, key, val, err);
	while (
	    status == WRIT_OK && (item = yyjson_arr_iter_next(&iter)) != NULL)
		status =
		    profile_document_add_path(reader, key, item, words, err);
	return status;
}

/* Whether a text is a pattern of hosts is for the engine to say. */
static writ_status
profile_document_read_hosts(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	yyjson_arr_iter iter = yyjson_arr_iter_with(val);
	yyjson_val *item;

	if (!yyjson_is_arr(val))
		return profile_document_refuse_type(
		    reader, key->name, "a list of hosts", val, err);
	if (yyjson_arr_size(val) > ENTRIES_MAX) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s has more than %d entries", key->name, ENTRIES_MAX);
		return prefix_position(reader, val, err);
	}
	while ((item = yyjson_arr_iter_next(&iter)) != NULL) {
		if (!w_json_is_text(item) || yyjson_get_len(item) == 0)
			return profile_document_refuse_type(
			    reader, key->name, "a list of hosts", item, err);
		if (!w_words_add(&reader->profile->hosts, yyjson_get_str(item),
			yyjson_get_len(item)))
			return w_fail_nomem(err, STAGE);
	}
	reader->profile->network = W_NETWORK_HOSTS;
	return WRIT_OK;
}

static const struct key network_keys[] = {
    {"hosts", profile_document_read_hosts, 0},
    {NULL, NULL, 0},
};

static writ_status
read_network(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	static const char *const words[] = {
#define X(name, word) [W_NETWORK_##name] = (word),
	    W_NETWORK_MAP(X)
#undef X
		NULL};
	writ_status status =
	    profile_document_check_walls(reader, key, val, err);

	if (status != WRIT_OK)
		return status;
	if (yyjson_is_obj(val))
		return read_map(reader, "key", network_keys, val, err);
	for (int i = 0; words[i] != NULL; i++) {
		if (yyjson_equals_str(val, words[i])) {
			reader->profile->network = (enum w_network)i;
			return WRIT_OK;
		}
	}
	const char *text = yyjson_is_str(val) ? yyjson_get_str(val) : "";
	const char *nearest = w_match_nearest(text, words);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s must be off, loopback, host, or a map with a list of hosts",
	    key->name);
	w_match_suggest(nearest, err);
	return prefix_position(reader, val, err);
}

/* The text of a limit: a number and a string are equally valid. */
static writ_status
limit_text(const struct profile_document_reader *reader, const struct key *key,
    yyjson_val *val, char number[24], const char **out_text, writ_error *err)
{
	if (yyjson_is_uint(val)) {
		(void)snprintf(number, 24, "%" PRIu64, yyjson_get_uint(val));
		*out_text = number;
		return WRIT_OK;
	}
	if (!w_json_is_text(val))
		return profile_document_refuse_type(
		    reader, key->name, "a number, with its unit", val, err);
	*out_text = yyjson_get_str(val);
	return WRIT_OK;
}

static writ_status
store_limit(const struct profile_document_reader *reader, const struct key *key,
    const yyjson_val *val, uint64_t value, writ_error *err)
{
	char *base = (char *)&reader->profile->limits;

	if (value == 0) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s must not be 0",
		    key->name);
		w_suggest(err, "leave it out for no limit");
		return prefix_position(reader, val, err);
	}
	*(uint64_t *)(void *)(base + key->offset) = value;
	return WRIT_OK;
}

static writ_status
read_with(const struct profile_document_reader *reader, const struct key *key,
    yyjson_val *val,
    writ_status (*parse)(const char *, uint64_t *, writ_error *),
    writ_error *err)
{
	char number[24];
	const char *text;
	uint64_t value;
	writ_status status = limit_text(reader, key, val, number, &text, err);

	if (status != WRIT_OK)
		return status;
	if (parse(text, &value, err) != WRIT_OK)
		return prefix_position(reader, val, err);
	return store_limit(reader, key, val, value, err);
}

static writ_status
read_duration(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	return read_with(reader, key, val, w_duration_parse, err);
}

static writ_status
profile_document_read_size(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	return read_with(reader, key, val, w_size_parse, err);
}

static writ_status
read_count(const struct profile_document_reader *reader, const struct key *key,
    yyjson_val *val, writ_error *err)
{
	uint64_t value = yyjson_get_uint(val);

	if (yyjson_is_uint(val) && value <= COUNT_MAX)
		return store_limit(reader, key, val, value, err);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s must be a number from 1 to %d", key->name, COUNT_MAX);
	return prefix_position(reader, val, err);
}

static writ_status
read_tmp_place(const struct profile_document_reader *reader,
    const struct key *key, yyjson_val *val, writ_error *err)
{
	static const char *const words[] = {WRIT_TMP_MAP(TMP_WORD) NULL};
	const char *text = yyjson_get_str(val);

	for (size_t i = WRIT_TMP_MEMORY; text != NULL && words[i] != NULL;
	     i++) {
		if (strcmp(text, words[i]) == 0)
			return store_limit(reader, key, val, i, err);
	}
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s must be memory or disk",
	    key->name);
	return prefix_position(reader, val, err);
}

#define LIMIT(member) offsetof(struct w_profile_limits, member)
#define LIST(member)  offsetof(struct w_profile, member)

static const struct key tmp_keys[] = {
    {"size", profile_document_read_size, LIMIT(tmp_size)},
    {"on", read_tmp_place, LIMIT(tmp_on)},
    {NULL, NULL, 0},
};

/* A size, a place, or a map of both. */
static writ_status
read_tmp(const struct profile_document_reader *reader, const struct key *key,
    yyjson_val *val, writ_error *err)
{
	if (yyjson_is_obj(val))
		return read_map(reader, "key of tmp", tmp_keys, val, err);
	if (yyjson_equals_str(val, "disk") || yyjson_equals_str(val, "memory"))
		return read_tmp_place(reader, &tmp_keys[1], val, err);
	return profile_document_read_size(reader, key, val, err);
}

static const struct key limit_keys[] = {
    {"timeout", read_duration, LIMIT(timeout_ms)},
    {"idle", read_duration, LIMIT(idle_timeout_ms)},
    {"max_output", profile_document_read_size, LIMIT(max_output)},
    {"cpu", read_duration, LIMIT(cpu_ms)},
    {"memory", profile_document_read_size, LIMIT(memory)},
    {"processes", read_count, LIMIT(processes)},
    {"open_files", read_count, LIMIT(open_files)},
    {"file_size", profile_document_read_size, LIMIT(file_size)},
    {"tmp", read_tmp, LIMIT(tmp_size)},
    {NULL, NULL, 0},
};

static writ_status
read_limits(const struct profile_document_reader *reader, const struct key *key,
    yyjson_val *val, writ_error *err)
{
	if (!yyjson_is_obj(val))
		return profile_document_refuse_type(
		    reader, key->name, "a map", val, err);
	return read_map(reader, "limit", limit_keys, val, err);
}

static const struct key keys[] = {
    {"version", profile_document_read_version, 0},
    {"description", read_description, 0},
    {"extends", read_extends, 0},
    {"read", profile_document_read_paths, LIST(read)},
    {"write", profile_document_read_paths, LIST(write)},
    {"execute", profile_document_read_paths, LIST(execute)},
    {"hide", profile_document_read_paths, LIST(hide)},
    {"protect", profile_document_read_paths, LIST(protect)},
    {"network", read_network, 0},
    {"limits", read_limits, 0},
    {NULL, NULL, 0},
};

/* "ci" from "dir/ci.yaml". */
static writ_status
set_names(struct w_profile *profile, const char *file, writ_error *err)
{
	const char *start = w_basename(file);
	size_t len = strlen(start);
	enum w_walls walls;

	if (len > 5 && strcmp(start + len - 5, ".yaml") == 0)
		len -= 5;
	char *name = strndup(start, len);
	char *origin = strdup(file);
	if (name == NULL || origin == NULL) {
		free(name);
		free(origin);
		return w_fail_nomem(err, STAGE);
	}
	free(profile->name);
	free(profile->origin);
	profile->name = name;
	profile->origin = origin;
	if (!w_profile_is_builtin(name, &walls))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s: '%s' is the name of a built-in profile", file, name);
	w_suggest(err, "name the file otherwise");
	return WRIT_E_INVALID;
}

static writ_status
load_base(const struct profile_document_reader *reader, yyjson_val *root,
    writ_error *err)
{
	yyjson_val *extends = yyjson_obj_get(root, "extends");
	writ_status status;

	if (extends == NULL)
		return w_profile_builtin(W_WALLS_STRICT, reader->profile, err);
	if (!w_json_is_text(extends))
		return profile_document_refuse_type(
		    reader, "extends", "the name of a profile", extends, err);
	status = w_profile_load(reader->loader, yyjson_get_str(extends),
	    reader->file, reader->profile, err);
	if (status == WRIT_E_INVALID && !reader->loader->is_placed)
		return prefix_position(reader, extends, err);
	return status;
}

static writ_status
profile_document_read_document(
    const struct profile_document_reader *reader, writ_error *err)
{
	yyjson_val *root = w_yaml_root(reader->yaml);
	writ_status status;

	if (!yyjson_is_obj(root))
		return profile_document_refuse_type(
		    reader, "a profile", "a map", root, err);
	status = load_base(reader, root, err);
	if (status == WRIT_OK)
		status = read_map(reader, "key", keys, root, err);
	if (status == WRIT_OK)
		status = set_names(reader->profile, reader->file, err);
	return status;
}

/* The YAML reader reports the position, but not the file. */
static writ_status
profile_document_name_file(const char *file, writ_error *err)
{
	char suggestion[sizeof(err->suggestion)];

	if (err == NULL)
		return WRIT_E_INVALID;
	memcpy(suggestion, err->suggestion, sizeof(suggestion));
	if (err->line != 0)
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
		    file, err->line, err->column, err->message);
	else
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s: %s", file,
		    err->message);
	w_suggest(err, "%s", suggestion);
	return WRIT_E_INVALID;
}

writ_status
w_profile_document(struct w_profile_loader *loader, const char *text,
    size_t len, struct w_profile *out_profile, writ_error *err)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_PROFILE_BYTES_MAX, .depth_max = DEPTH_MAX};
	const char *file = loader->chain[loader->depth - 1].file;
	struct w_profile profile = {.name = NULL};
	struct w_yaml *yaml = NULL;
	writ_status status = w_yaml_read(text, len, &limits, &yaml, err);

	if (status == WRIT_E_INVALID) {
		loader->is_placed = true;
		return profile_document_name_file(file, err);
	}
	if (status != WRIT_OK)
		return status;
	const struct profile_document_reader reader = {
	    .loader = loader, .file = file, .yaml = yaml, .profile = &profile};
	status = profile_document_read_document(&reader, err);
	w_yaml_free(yaml);
	if (status != WRIT_OK)
		w_profile_done(&profile);
	else
		*out_profile = profile;
	return status;
}
