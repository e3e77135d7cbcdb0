/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads apply resources: the resources of another manifest.
 *
 * The other manifest is read at once, with its own data; its resources come
 * into the list before the apply resource, which sums them up. References are
 * resolved over the whole list, so that they may lead from one manifest into
 * another. Faults of the other manifest are told where it is named, with its
 * own place in front.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json_words.h"
#include "expr/template/block_template.h"
#include "manifest/read/manifest_parser.h"

/* ---- keys ---- */

static void
read_ensure(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"present", NULL};

	(void)member;
	(void)w_parse_choice(parser, val, key->name, words);
}

static void
read_provider(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"ccmmanifest", "posix", NULL};

	(void)member;
	(void)w_parse_choice(parser, val, key->name, words);
}

static void
read_data(struct w_parser *parser, const struct w_parse_key *key, void *member,
    yyjson_val *val)
{
	struct w_include_resource *include = member;
	struct w_value *data;

	if (!yyjson_is_obj(val)) {
		(void)w_parse_refuse(parser, val, "%s must be a map, not %s",
		    key->name, w_json_type_words(val));
		return;
	}
	data = w_parse_alloc(parser, 1, sizeof(*data));
	if (data != NULL && parser->early != NULL &&
	    w_parse_value(parser, parser->early, val, data))
		include->data = data;
}

#define INCLUDE_MEMBER(member) offsetof(struct w_resource, as.include.member)
const struct w_parse_key w_parse_include_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, read_provider),
    {"data", read_data, offsetof(struct w_resource, as.include)},
    {"noop", w_parse_truth, INCLUDE_MEMBER(is_noop)},
    {"health_check_only", w_parse_truth, INCLUDE_MEMBER(is_health_only)},
    {"allow_apply", w_parse_truth, INCLUDE_MEMBER(allows_apply)},
    {NULL, NULL, 0},
};
#undef INCLUDE_MEMBER

static void
manifest_include_begin(struct w_resource_draft *draft)
{
	draft->resource.as.include.allows_apply = true;
}

static void
manifest_include_check_map(struct w_parser *parser, yyjson_val *map)
{
	(void)parser;
	(void)map;
}

/* ---- the other manifest ---- */

/* Components that are empty or "." are left out, so that a file has one path.
 */
static void
add_components(char *path, const char *from)
{
	char *end = path + strlen(path);

	while (*from != '\0') {
		const size_t len = strcspn(from, "/");

		if (len > 1 || (len == 1 && from[0] != '.')) {
			*end++ = '/';
			memcpy(end, from, len);
			end += len;
			*end = '\0';
		}
		from += len;
		from += strspn(from, "/");
	}
}

static const char *
join_path(struct w_parser *parser, const char *name)
{
	const char *dir = name[0] == '/' ? "" : parser->manifest->dir;
	char *path = w_parse_alloc(parser, strlen(dir) + strlen(name) + 3, 1);

	if (path == NULL)
		return NULL;
	add_components(path, dir);
	add_components(path, name);
	return path;
}

static const char *
dir_of(struct w_parser *parser, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return "/";
	return w_parse_copy(parser, path, (size_t)(slash - path));
}

/* Whether that file is being read already. */
static bool
is_loop(struct w_parser *parser, const char *path)
{
	for (const struct w_parser *in = parser; in != NULL; in = in->outer) {
		if (in->path != NULL && strcmp(in->path, path) == 0)
			return true;
	}
	return false;
}

static bool
check_name(struct w_parser *parser, const struct w_resource *resource)
{
	const struct w_manifest_location *at = &resource->name.at;
	const char *name = resource->name.text;

	if (name[0] == '\0')
		return false;
	if (strstr(name, "://") != NULL)
		return w_parse_refuse_at(
		    parser, at, "name must be a file path, not a URL");
	if (!parser->input->reads_files)
		return w_parse_refuse_at(
		    parser, at, "apply: no other manifest is read here");
	if (parser->depth >= W_MANIFEST_INCLUDES_DEPTH)
		return w_parse_refuse_at(parser, at,
		    "manifests apply each other more than %d levels deep",
		    W_MANIFEST_INCLUDES_DEPTH);
	if (*parser->include_count >= W_MANIFEST_INCLUDES_MAX)
		return w_parse_refuse_at(parser, at,
		    "more than %d manifests are applied",
		    W_MANIFEST_INCLUDES_MAX);
	++*parser->include_count;
	return true;
}

/* The resources of the other manifest go before the last one, which names
 * them. */
static void
splice(struct w_parser *parser, struct w_manifest *other)
{
	struct w_manifest *manifest = parser->manifest;
	const struct w_resource last = manifest->resources[manifest->count - 1];
	const size_t first = --manifest->count;
	struct w_resource *include;

	for (size_t i = 0; i <= other->count; i++) {
		struct w_resource *made = w_parse_new_resource(parser);

		if (made == NULL)
			return;
		const size_t index = made->index;
		*made = i < other->count ? other->resources[i] : last;
		made->index = index;
		if (i == other->count)
			break;
		made->parent = made->parent == W_NO_TARGET
				   ? first + other->count
				   : made->parent + first;
		if (made->type == W_RESOURCE_APPLY)
			made->as.include.first += first;
	}
	include = &manifest->resources[manifest->count - 1];
	include->as.include.first = first;
	include->as.include.count = other->count;
	other->next = manifest->children;
	manifest->children = other;
	manifest->uses |= other->uses;
}

static void
read_other(struct w_parser *parser, struct w_resource *resource,
    const char *path, const struct w_buf *text)
{
	const struct w_include_resource *include = &resource->as.include;
	struct w_manifest_input input = *parser->input;
	struct w_manifest *other = calloc(1, sizeof(*other));
	struct w_parser inner = {.manifest = other,
	    .input = &input,
	    .faults = parser->faults,
	    .outer = parser,
	    .path = path,
	    .depth = parser->depth + 1,
	    .include_count = parser->include_count,
	    .filled = parser->filled,
	    .references = parser->references};

	if (other == NULL) {
		parser->is_out_of_memory = true;
		return;
	}
	input.file = resource->name.text;
	input.dir = dir_of(parser, path);
	input.text = text->len > 0 ? text->data : "";
	input.len = text->len;
	input.hiera_count = 0;
	input.given =
	    include->data != NULL ? include->data : &parser->manifest->data;
	inner.denies_apply = parser->denies_apply || !include->allows_apply;
	other->named_at = parser->outer == NULL ? resource->name.at
						: parser->manifest->named_at;
	other->outer = parser->manifest;
	w_parse_document(&inner);
	parser->is_refused |= inner.is_refused;
	parser->is_out_of_memory |= inner.is_out_of_memory;
	parser->filled = inner.filled;
	parser->references = inner.references;
	w_parse_digest(parser, other->sha256, strlen(other->sha256));
	if (inner.is_refused || inner.is_out_of_memory || inner.is_denied) {
		resource->as.include.is_denied = inner.is_denied;
		w_manifest_free(other);
		return;
	}
	splice(parser, other);
}

/* ---- resources_jet_file ---- */

/* The list of resources is a document of its own, whose data and settings are
 * those of the manifest. */
static void
read_made(struct w_parser *parser, yyjson_val *val, const struct w_value *text)
{
	struct w_manifest *manifest = parser->manifest;
	struct w_manifest_input input = *parser->input;
	struct w_manifest *made = calloc(1, sizeof(*made));
	struct w_manifest_scope scope;
	struct w_parser inner = *parser;

	if (made == NULL) {
		parser->is_out_of_memory = true;
		return;
	}
	input.file = yyjson_get_str(val);
	input.dir = manifest->dir;
	input.text = text->as.string.text;
	input.len = text->as.string.len;
	inner.manifest = made;
	inner.input = &input;
	made->outer = manifest;
	made->named_at = manifest->outer == NULL ? w_parse_location(parser, val)
						 : manifest->named_at;
	made->data = manifest->data;
	made->is_fail_on_error = manifest->is_fail_on_error;
	made->environ_hidden = manifest->environ_hidden;
	made->hides_environ = manifest->hides_environ;
	w_manifest_scope_init(&scope, made, parser->input->scope);
	scope.scope.read_file = NULL;
	inner.early = &scope.scope;
	inner.scope = &scope;
	if (w_parse_names(&inner) && w_parse_yaml(&inner))
		w_parse_resources(&inner, w_yaml_root(made->yaml));
	parser->is_refused |= inner.is_refused;
	parser->is_out_of_memory |= inner.is_out_of_memory;
	parser->is_denied |= inner.is_denied;
	parser->has_each |= inner.has_each;
	parser->filled = inner.filled;
	parser->references = inner.references;
	for (size_t i = 0; i < made->count; i++) {
		struct w_resource *resource = w_parse_new_resource(parser);

		if (resource == NULL)
			break;
		*resource = made->resources[i];
		resource->index = i;
	}
	manifest->uses |= made->uses;
	/* What it applies is below it. */
	made->next = manifest->children;
	manifest->children = made;
}

void
w_parse_resources_file(struct w_parser *parser, yyjson_val *val)
{
	struct w_arena scratch = {.chunks = NULL};
	const struct w_manifest_location at = w_parse_location(parser, val);
	struct w_value text;
	writ_error err = {.status = WRIT_OK};

	if (!w_parse_text(parser, val, "resources_jet_file") ||
	    parser->early == NULL)
		return;
	if (!parser->input->reads_files) {
		(void)w_parse_refuse(
		    parser, val, "resources_jet_file: no file is read here");
		return;
	}
	struct w_manifest_scope scope;
	w_manifest_scope_init(&scope, parser->manifest, parser->input->scope);
	if (w_block_fill_file(yyjson_get_str(val), &scope.scope, &scratch,
		&text, &err) != WRIT_OK)
		(void)w_parse_refuse_error(
		    parser, &at, "resources_jet_file", &err);
	else if (text.is_secret)
		(void)w_parse_refuse(parser, val,
		    "resources_jet_file cannot have a secret in it: resources "
		    "are shown and recorded");
	else if (w_parse_spend(parser, &at, text.as.string.len)) {
		w_parse_digest(parser, text.as.string.text, text.as.string.len);
		read_made(parser, val, &text);
	}
	w_arena_done(&scratch);
}

/* ---- an apply resource ---- */

static void
manifest_include_check(struct w_parser *parser, struct w_resource *resource)
{
	W_AUTO_BUF struct w_buf text;
	writ_error err = {.status = WRIT_OK};
	const char *path;

	w_buf_init(&text, W_MANIFEST_BYTES_MAX);
	resource->as.include.first = resource->index;
	if (parser->denies_apply) {
		parser->is_denied = true;
		return;
	}
	if (!check_name(parser, resource) || parser->early == NULL)
		return;
	path = join_path(parser, resource->name.text);
	if (path == NULL)
		return;
	if (is_loop(parser, path)) {
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "'%.200s' is being applied already: the manifests go in "
		    "a circle",
		    resource->name.text);
		return;
	}
	if (w_manifest_read_file(
		parser->manifest, resource->name.text, &text, &err) != WRIT_OK)
		(void)w_parse_refuse_error(
		    parser, &resource->name.at, "apply", &err);
	else if (w_parse_spend(parser, &resource->name.at, text.len))
		read_other(parser, resource, path, &text);
}

const struct w_parse_type w_parse_include = {
    .keys = w_parse_include_keys,
    .begin = manifest_include_begin,
    .check_map = manifest_include_check_map,
    .check = manifest_include_check,
};
