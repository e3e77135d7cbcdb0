/* SPDX-License-Identifier: Apache-2.0 */

/* Marks what ccm.sensitive names as secret. */

#include <string.h>

#include "base/match.h"
#include "manifest/read/manifest_parser.h"

#define PATH_MAX_BYTES 1000
#define CANDIDATES_MAX 256

/* The next component of a dotted path; "\." is a literal dot. */
static size_t
next_part(const char **path, char out[PATH_MAX_BYTES])
{
	size_t len = 0;
	const char *at = *path;

	for (; *at != '\0' && *at != '.'; at++) {
		if (at[0] == '\\' && at[1] != '\0')
			at++;
		out[len++] = *at;
	}
	*path = *at == '.' ? at + 1 : at;
	out[len] = '\0';
	return len;
}

static bool
find_index(const char *part, size_t count, size_t *out_index)
{
	size_t index = 0;

	for (const char *at = part; *at != '\0'; at++) {
		if (*at < '0' || *at > '9' || index > count)
			return false;
		index = index * 10 + (size_t)(*at - '0');
	}
	*out_index = index;
	return part[0] != '\0' && index < count;
}

static void
suggest_member(
    struct w_parser *parser, const struct w_value *map, const char *part)
{
	const char *names[CANDIDATES_MAX + 1] = {NULL};

	if (map->kind != W_VALUE_MAP)
		return;
	for (size_t i = 0; i < map->as.map.count && i < CANDIDATES_MAX; i++)
		names[i] = map->as.map.members[i].name;
	w_parse_suggest_word(parser, w_match_nearest(part, names));
}

/* A value to mark: where it is named, and the current path. */
struct manifest_sensitive_mark {
	yyjson_val *at;
	const char *rest;
};

static bool manifest_sensitive_hide(struct w_parser *parser,
    struct manifest_sensitive_mark *mark, const struct w_value *value,
    struct w_value *out_value);

static bool
hide_member(struct w_parser *parser, struct manifest_sensitive_mark *mark,
    const struct w_value *map, size_t which, struct w_value *out_value)
{
	const size_t count = map->as.map.count;
	struct w_value_member *members =
	    w_value_new_members(&parser->manifest->arena, count);

	if (members == NULL) {
		parser->is_out_of_memory = true;
		return false;
	}
	memcpy(members, map->as.map.members, count * sizeof(*members));
	if (!manifest_sensitive_hide(parser, mark,
		&map->as.map.members[which].value, &members[which].value))
		return false;
	*out_value = w_value_map(members, count);
	return true;
}

static bool
hide_item(struct w_parser *parser, struct manifest_sensitive_mark *mark,
    const struct w_value *list, size_t which, struct w_value *out_value)
{
	const size_t count = list->as.list.count;
	struct w_value *items = w_parse_alloc(parser, count, sizeof(*items));

	if (items == NULL)
		return false;
	memcpy(items, list->as.list.items, count * sizeof(*items));
	if (!manifest_sensitive_hide(
		parser, mark, &list->as.list.items[which], &items[which]))
		return false;
	*out_value = (struct w_value){
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = count}};
	return true;
}

/* Values are immutable: those on the path are copied. */
static bool
manifest_sensitive_hide(struct w_parser *parser,
    struct manifest_sensitive_mark *mark, const struct w_value *value,
    struct w_value *out_value)
{
	char part[PATH_MAX_BYTES];
	writ_error err = {.status = WRIT_OK};
	size_t which;

	if (mark->rest[0] == '\0') {
		if (w_value_hide(&parser->manifest->arena, value, out_value,
			&err) == WRIT_OK)
			return true;
		parser->is_out_of_memory = true;
		return false;
	}
	const size_t len = next_part(&mark->rest, part);
	if (value->kind == W_VALUE_LIST &&
	    find_index(part, value->as.list.count, &which))
		return hide_item(parser, mark, value, which, out_value);
	for (which = 0;
	     value->kind == W_VALUE_MAP && which < value->as.map.count;
	     which++) {
		const struct w_value_member *member =
		    &value->as.map.members[which];

		if (member->len == len && memcmp(member->name, part, len) == 0)
			return hide_member(
			    parser, mark, value, which, out_value);
	}
	(void)w_parse_refuse(parser, mark->at,
	    "sensitive: there is no '%.60s' in '%.60s'", part,
	    w_parse_word(mark->at));
	suggest_member(parser, value, part);
	return false;
}

/* "data.x" and "environ.X" refer to those roots, unless the data itself has
 * such a member. */
static bool
is_in(const struct w_manifest *manifest, const char *path, const char *root)
{
	const size_t len = strlen(root);

	return strncmp(path, root, len) == 0 && path[len] == '.' &&
	       w_value_member(&manifest->data, root, len) == NULL;
}

static void
hide_environ(struct w_parser *parser, struct manifest_sensitive_mark *mark)
{
	struct w_manifest *manifest = parser->manifest;
	const struct w_expr_scope *outer = parser->input->scope;
	const struct w_manifest_location location =
	    w_parse_location(parser, mark->at);
	writ_error err = {.status = WRIT_OK};
	const struct w_value *have =
	    manifest->hides_environ
		? &manifest->environ_hidden
		: outer->root(outer->ctx, W_ROOT_ENVIRON, &err);
	char part[PATH_MAX_BYTES];
	const char *rest = mark->rest;

	if (have == NULL) {
		(void)w_parse_refuse_error(
		    parser, &location, "sensitive", &err);
		return;
	}
	/* A variable may be unset today and set tomorrow: no fault. */
	const size_t len = next_part(&rest, part);
	if (w_value_member(have, part, len) == NULL)
		return;
	if (manifest_sensitive_hide(
		parser, mark, have, &manifest->environ_hidden))
		manifest->hides_environ = true;
}

static void
hide_path(struct w_parser *parser, yyjson_val *val)
{
	struct w_manifest *manifest = parser->manifest;
	struct manifest_sensitive_mark mark = {
	    .at = val, .rest = w_parse_word(val)};
	struct w_value hidden;

	if (yyjson_get_len(val) == 0 || yyjson_get_len(val) >= PATH_MAX_BYTES) {
		(void)w_parse_refuse(parser, val,
		    "sensitive: a path must have 1 to %d bytes",
		    PATH_MAX_BYTES - 1);
		return;
	}
	if (is_in(manifest, mark.rest, "environ")) {
		mark.rest += strlen("environ.");
		hide_environ(parser, &mark);
		return;
	}
	if (is_in(manifest, mark.rest, "data"))
		mark.rest += strlen("data.");
	if (manifest_sensitive_hide(parser, &mark, &manifest->data, &hidden))
		manifest->data = hidden;
}

static bool
read_path(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	const char **path = element;

	if (!w_parse_text(parser, val, what))
		return false;
	*path = w_parse_word(val);
	/* Data that could not be filled in has no members to look up. */
	if (parser->early != NULL)
		hide_path(parser, val);
	return true;
}

void
w_parse_sensitive(struct w_parser *parser, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(const char *), read_path};
	size_t count;

	if (val == NULL)
		return;
	const char **paths =
	    w_parse_list(parser, "sensitive", val, &element, &count);
	if (paths == NULL || count == 0)
		return;
	const char **ended = w_parse_alloc(parser, count + 1, sizeof(*ended));
	if (ended == NULL)
		return;
	memcpy(ended, paths, count * sizeof(*ended));
	parser->manifest->sensitive = ended;
}
