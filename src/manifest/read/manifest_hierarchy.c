/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Data by machine: hierarchy and overrides.
 *
 *   hierarchy:
 *     order: ["env:{{ lookup('facts.env') }}", default]
 *     merge: first | deep
 *     files: DIRECTORY
 *   overrides:
 *     env:prod: { log_level: WARN }
 *
 * Each entry of the order names an override, and with files a file of data:
 * DIRECTORY/ENTRY.yaml or .json. What is not there is passed over, and so is an
 * entry whose expressions all are empty. A source of --hiera has the same
 * keys.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

#define ORDER_MAX     100
#define PATH_SIZE     4096
#define DATA_FILE_MAX ((size_t)16 << 20)

/* The document that data comes from: the manifest, or another. */
struct data_source {
	struct w_parser *parser;
	const struct w_expr_scope *scope;
	const struct w_yaml *yaml; /* NULL: the manifest's own */
	const char *file;
	/* Where the manifest names it. */
	struct w_manifest_location at;
	bool is_deep;
	bool has_found;
	bool is_done; /* first: one was found */
	const char *dir;
	struct w_value *data;
};

/* ---- faults of either document ---- */

static bool refuse(const struct data_source *source, const yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

static bool
refuse(const struct data_source *source, const yyjson_val *at, const char *fmt,
    ...)
{
	char what[512];
	unsigned line;
	unsigned column;
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	if (source->yaml == NULL)
		return w_parse_refuse(source->parser, at, "%s", what);
	w_yaml_place(source->yaml, at, &line, &column);
	return w_parse_refuse_at(source->parser, &source->at,
	    "%.200s:%u:%u: %s", source->file, line, column, what);
}

/* A tree of values, its texts filled in. */
static bool
fill(const struct data_source *source, yyjson_val *val,
    struct w_value *out_value)
{
	struct w_parser *parser = source->parser;
	yyjson_val *failed = NULL;
	writ_error err = {.status = WRIT_OK};

	if (source->yaml == NULL)
		return w_parse_value(parser, source->scope, val, out_value);
	if (w_template_tree_at(&parser->manifest->arena, val, source->scope,
		out_value, &failed, &err) == WRIT_OK)
		return true;
	if (err.status == WRIT_E_NOMEM) {
		parser->is_out_of_memory = true;
		return false;
	}
	(void)refuse(source, failed != NULL ? failed : val, "%s", err.message);
	if (err.suggestion[0] != '\0')
		w_parse_suggest(parser, "%s", err.suggestion);
	return false;
}

static bool
merge_over(struct data_source *source, const struct w_value *over)
{
	source->has_found = true;
	return w_parse_merge(
	    source->parser, over, source->is_deep, source->data);
}

/* ---- files of data ---- */

static bool
read_document(struct w_parser *parser, const struct w_manifest_location *at,
    const writ_manifest_text *text, struct w_yaml **out_yaml)
{
	static const struct w_json_limits limits = {
	    .bytes_max = DATA_FILE_MAX, .depth_max = W_MANIFEST_DEPTH_MAX};
	writ_error err = {.status = WRIT_OK};

	if (!w_parse_spend(parser, at, text->len))
		return false;
	w_parse_digest(parser, text->text, text->len);
	if (w_yaml_read(text->text, text->len, &limits, out_yaml, &err) ==
	    WRIT_OK)
		return true;
	if (err.status == WRIT_E_NOMEM) {
		parser->is_out_of_memory = true;
		return false;
	}
	if (err.line > 0)
		return w_parse_refuse_at(parser, at, "%.200s:%u:%u: %s",
		    text->file, err.line, err.column, err.message);
	return w_parse_refuse_at(
	    parser, at, "%.200s: %s", text->file, err.message);
}

static bool
merge_file_text(struct data_source *source, const writ_manifest_text *text)
{
	struct w_yaml *yaml = NULL;
	struct data_source file = *source;
	struct w_value over;

	if (text->text[strspn(text->text, " \t\r\n")] == '\0')
		return true;
	if (!read_document(source->parser, &source->at, text, &yaml))
		return false;
	yyjson_val *root = w_yaml_root(yaml);
	file.yaml = yaml;
	file.file = text->file;
	bool is_whole = true;
	if (yyjson_is_null(root))
		over = w_value_map(NULL, 0);
	else if (!yyjson_is_obj(root))
		is_whole = refuse(&file, root, "data must be a map, not %s",
		    w_json_type_words(root));
	else
		is_whole = fill(&file, root, &over);
	is_whole = is_whole && merge_over(source, &over);
	w_yaml_free(yaml);
	return is_whole;
}

/* A missing file is no fault. */
static bool
merge_file(struct data_source *source, const char *entry, const char *ending)
{
	char path[PATH_SIZE];
	W_AUTO_BUF struct w_buf buf;
	writ_error err = {.status = WRIT_OK};
	const int len =
	    snprintf(path, sizeof(path), "%s/%s%s", source->dir, entry, ending);

	w_buf_init(&buf, DATA_FILE_MAX);
	if (len < 0 || (size_t)len >= sizeof(path))
		return w_parse_refuse_at(source->parser, &source->at,
		    "the path of a file of data is too long");
	if (w_manifest_read_file(source->parser->manifest, path, &buf, &err) !=
	    WRIT_OK)
		return err.sys_errno == ENOENT ||
		       w_parse_refuse_error(
			   source->parser, &source->at, "files", &err);
	const writ_manifest_text text = {
	    .file = path, .text = buf.len > 0 ? buf.data : "", .len = buf.len};
	return merge_file_text(source, &text);
}

/* ---- the order ---- */

/* false: it is passed over, or there was a fault. */
static bool
name_entry(struct data_source *source, yyjson_val *val, char out[PATH_SIZE],
    bool *out_is_whole)
{
	struct w_value text;
	struct w_template template;
	writ_error err = {.status = WRIT_OK};
	bool is_empty = true;
	struct w_arena scratch = {.chunks = NULL};

	*out_is_whole = false;
	if (!yyjson_is_str(val) || !w_json_is_text(val))
		return refuse(
		    source, val, "hierarchy.order must contain only strings");
	writ_status status = w_template_parse(&scratch, yyjson_get_str(val),
	    yyjson_get_len(val), &template, &err);
	for (size_t i = 0; status == WRIT_OK && i < template.count; i++) {
		struct w_value value;

		if (template.parts[i].expr == NULL)
			continue;
		status = w_expr_eval(template.parts[i].expr, source->scope,
		    &scratch, &value, &err);
		if (status == WRIT_OK && value.kind != W_VALUE_NULL &&
		    (value.kind != W_VALUE_STRING || value.as.string.len > 0))
			is_empty = false;
	}
	if (status == WRIT_OK)
		status = w_template_text(
		    &template, source->scope, &scratch, &text, &err);
	if (status == WRIT_OK) {
		*out_is_whole =
		    text.as.string.len < PATH_SIZE ||
		    refuse(source, val, "an entry of the order is too long");
		if (*out_is_whole)
			memcpy(
			    out, text.as.string.text, text.as.string.len + 1);
		is_empty = is_empty && !w_template_is_plain(&template);
	} else if (status == WRIT_E_NOMEM) {
		source->parser->is_out_of_memory = true;
	} else {
		(void)refuse(source, val, "hierarchy.order: %s", err.message);
	}
	w_arena_done(&scratch);
	return *out_is_whole && !is_empty && out[0] != '\0';
}

static bool
apply_entry(
    struct data_source *source, yyjson_val *overrides, const char *entry)
{
	yyjson_val *over = yyjson_obj_get(overrides, entry);
	struct w_value value;

	/* What the manifest says itself counts for more than a file. */
	if (source->dir != NULL && (!merge_file(source, entry, ".yaml") ||
				       !merge_file(source, entry, ".json")))
		return false;
	if (over != NULL && !yyjson_is_null(over) && !yyjson_is_obj(over))
		return refuse(source, over,
		    "the override '%.60s' must be a map, not %s", entry,
		    w_json_type_words(over));
	if (over != NULL && !yyjson_is_null(over) &&
	    (!fill(source, over, &value) || !merge_over(source, &value)))
		return false;
	source->is_done = source->has_found && !source->is_deep;
	return true;
}

static bool
walk_order(struct data_source *source, yyjson_val *order, yyjson_val *overrides)
{
	char entry[PATH_SIZE];
	bool is_whole = true;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (order == NULL)
		return apply_entry(source, overrides, "default");
	if (!yyjson_is_arr(order))
		return refuse(source, order, "hierarchy.order must be a list");
	if (yyjson_arr_size(order) > ORDER_MAX)
		return refuse(source, order,
		    "hierarchy.order has more than %d entries", ORDER_MAX);
	yyjson_arr_foreach(order, i, count, item)
	{
		bool is_named;

		if (name_entry(source, item, entry, &is_named) &&
		    !source->is_done)
			is_named = apply_entry(source, overrides, entry);
		is_whole &= is_named;
	}
	return is_whole;
}

/* ---- the keys ---- */

static bool
read_merge(struct data_source *source, yyjson_val *merge)
{
	if (merge == NULL || yyjson_equals_str(merge, "first"))
		return true;
	source->is_deep = yyjson_equals_str(merge, "deep");
	if (source->is_deep)
		return true;
	(void)refuse(source, merge, "unsupported merge mode: %.60s",
	    yyjson_is_str(merge) ? w_parse_word(merge)
				 : w_json_type_words(merge));
	w_parse_suggest(source->parser, "write 'first' or 'deep'");
	return false;
}

static bool
read_files(struct data_source *source, yyjson_val *files)
{
	if (files == NULL)
		return true;
	if (!yyjson_is_str(files) || !w_json_is_text(files) ||
	    yyjson_get_len(files) == 0)
		return refuse(
		    source, files, "hierarchy.files must be a directory");
	if (!source->parser->input->reads_files)
		return refuse(
		    source, files, "hierarchy.files: no file is read here");
	source->dir = yyjson_get_str(files);
	if (source->yaml == NULL)
		source->at = w_parse_location(source->parser, files);
	return true;
}

static bool
check_keys(const struct data_source *source, yyjson_val *map, const char *what,
    const char *const *keys)
{
	bool is_whole = true;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (!yyjson_is_obj(map))
		return refuse(source, map, "%s must be a map, not %s", what,
		    w_json_type_words(map));
	yyjson_obj_foreach(map, i, count, key, item)
	{
		size_t k = 0;

		while (keys[k] != NULL && !yyjson_equals_str(key, keys[k]))
			k++;
		if (keys[k] != NULL)
			continue;
		is_whole = refuse(source, key, "%s has no key '%.60s'", what,
		    w_parse_word(key));
		w_parse_suggest_word(
		    source->parser, w_match_nearest(w_parse_word(key), keys));
	}
	return is_whole;
}

/* The texts of all overrides, also of those that are for other machines, are
 * well-formed. */
static bool
check_texts(const struct data_source *source, yyjson_val *val)
{
	bool is_whole = true;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (yyjson_is_str(val)) {
		struct w_property property;

		return w_parse_template(source->parser, val, "data", &property);
	}
	if (yyjson_is_arr(val)) {
		yyjson_arr_foreach(val, i, count, item) is_whole &=
		    check_texts(source, item);
	} else if (yyjson_is_obj(val)) {
		yyjson_obj_foreach(val, i, count, key, item) is_whole &=
		    check_texts(source, item);
	}
	return is_whole;
}

static bool
read_keys(struct data_source *source, yyjson_val *root)
{
	static const char *const keys[] = {"order", "merge", "files", NULL};
	yyjson_val *hierarchy = yyjson_obj_get(root, "hierarchy");
	yyjson_val *overrides = yyjson_obj_get(root, "overrides");

	if (overrides != NULL && !yyjson_is_null(overrides) &&
	    !yyjson_is_obj(overrides))
		return refuse(source, overrides,
		    "overrides must be a map, not %s",
		    w_json_type_words(overrides));
	if (source->yaml == NULL && !check_texts(source, overrides))
		return false;
	if (hierarchy == NULL || yyjson_is_null(hierarchy))
		return walk_order(source, NULL, overrides);
	if (!check_keys(source, hierarchy, "hierarchy", keys))
		return false;
	const bool has_merge =
	    read_merge(source, yyjson_obj_get(hierarchy, "merge"));
	return read_files(source, yyjson_obj_get(hierarchy, "files")) &&
	       has_merge &&
	       walk_order(
		   source, yyjson_obj_get(hierarchy, "order"), overrides);
}

bool
w_parse_hierarchy(
    struct w_parser *parser, yyjson_val *root, const struct w_expr_scope *scope)
{
	struct data_source source = {
	    .parser = parser, .scope = scope, .data = &parser->manifest->data};

	return read_keys(&source, root);
}

/* ---- --hiera, and what is given ---- */

static bool
merge_hiera(struct w_parser *parser, const struct w_expr_scope *scope,
    const writ_manifest_text *text)
{
	static const char *const keys[] = {
	    "data", "hierarchy", "overrides", NULL};
	static const struct w_manifest_location start = {
	    .line = 1, .column = 1};
	struct w_value data = w_value_map(NULL, 0);
	struct w_yaml *yaml = NULL;

	if (!read_document(parser, &start, text, &yaml))
		return false;
	struct data_source source = {.parser = parser,
	    .scope = scope,
	    .yaml = yaml,
	    .file = text->file,
	    .at = start,
	    .data = &data};
	yyjson_val *root = w_yaml_root(yaml);
	yyjson_val *base = yyjson_obj_get(root, "data");
	bool is_whole = check_keys(&source, root, "a source of data", keys);

	if (is_whole && base != NULL && !yyjson_is_null(base))
		is_whole =
		    yyjson_is_obj(base)
			? fill(&source, base, &data)
			: refuse(&source, base, "data must be a map, not %s",
			      w_json_type_words(base));
	is_whole = is_whole && read_keys(&source, root) &&
		   w_parse_merge(parser, &data, true, &parser->manifest->data);
	w_yaml_free(yaml);
	return is_whole;
}

bool
w_parse_hiera(struct w_parser *parser, const struct w_expr_scope *scope)
{
	bool is_whole = true;

	for (size_t i = 0; i < parser->input->hiera_count; i++)
		is_whole &=
		    merge_hiera(parser, scope, &parser->input->hiera[i]);
	return is_whole;
}

bool
w_parse_given_data(struct w_parser *parser)
{
	const struct w_value *given = parser->input->given;

	return given == NULL ||
	       w_parse_merge(parser, given, true, &parser->manifest->data);
}
