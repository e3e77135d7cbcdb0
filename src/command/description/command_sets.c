/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Replaces the sets of a description.
 *
 * The result is a copy, whose values are stored in the order in which they were
 * made; so value number n came from the n-th origin, and errors keep their
 * places. A set may use others. Sets in sets could grow without end: the copy
 * is held to the limits for the size and the depth of a file.
 */

#include "command/description/command_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"

#define KEY "sets"

struct named_set {
	yyjson_val *name;
	yyjson_val *val;
	bool is_used;
	bool is_open; /* it is being copied */
};

struct sets_expansion {
	struct w_command_builder *builder;
	yyjson_val *names; /* the map of sets; NULL: there are none */
	struct named_set *sets;
	size_t count;
	yyjson_mut_doc *doc;
	yyjson_val **origins;
	size_t origin_count;
	size_t origin_cap;
	size_t room; /* bytes left for the copy */
	size_t depth;
};

static bool
is_set_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!w_is_name_start(text[i]) &&
		    (i == 0 || !w_is_digit(text[i])))
			return false;
	}
	return len > 0;
}

static bool
is_reference(yyjson_val *val)
{
	return yyjson_is_str(val) && yyjson_get_str(val)[0] == '$' &&
	       is_set_name(yyjson_get_str(val) + 1, yyjson_get_len(val) - 1);
}

/* Values of a document are adjacent. */
static bool
has_reference(yyjson_val *root)
{
	const yyjson_val *end = unsafe_yyjson_get_next(root);

	for (yyjson_val *val = root; val < end; val++) {
		if (is_reference(val))
			return true;
	}
	return false;
}

static writ_status
read_names(struct sets_expansion *expansion)
{
	struct w_command_builder *builder = expansion->builder;
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *val;

	if (expansion->names == NULL)
		return WRIT_OK;
	if (!yyjson_is_obj(expansion->names))
		return w_command_refuse_type(
		    builder, expansion->names, KEY, "a map");
	expansion->count = yyjson_obj_size(expansion->names);
	expansion->sets =
	    calloc(expansion->count + 1, sizeof(*expansion->sets));
	if (expansion->sets == NULL)
		return w_command_nomem(builder);
	yyjson_obj_foreach(expansion->names, i, count, name, val)
	{
		const char *text = yyjson_get_str(name);

		if (!is_set_name(text, yyjson_get_len(name))) {
			(void)w_command_refuse(builder, name,
			    "'%.64s' is not the name of a set", text);
			w_suggest(builder->err, "use letters, digits and _");
			return WRIT_E_INVALID;
		}
		if (!yyjson_is_ctn(val))
			return w_command_refuse_type(
			    builder, val, text, "a list or a map");
		expansion->sets[i] =
		    (struct named_set){.name = name, .val = val};
	}
	return WRIT_OK;
}

static writ_status
refuse_depth(const struct sets_expansion *expansion, yyjson_val *val)
{
	return w_command_refuse(expansion->builder, val,
	    "with its sets nested deeper than %d levels", W_YAML_DEPTH_MAX);
}

/* The set that a text stands for; it is open then. */
static writ_status
open_set(struct sets_expansion *expansion, yyjson_val *reference,
    struct named_set **out_set)
{
	const char *name = yyjson_get_str(reference) + 1;
	size_t i = 0;

	while (i < expansion->count &&
	       !yyjson_equals_str(expansion->sets[i].name, name))
		i++;
	if (i == expansion->count) {
		(void)w_command_refuse(expansion->builder, reference,
		    "there is no set '%.64s'", name);
		w_command_suggest_key(
		    expansion->builder, expansion->names, name);
		return WRIT_E_INVALID;
	}
	if (expansion->sets[i].is_open)
		return w_command_refuse(expansion->builder, reference,
		    "the set '%.64s' uses itself", name);
	if (expansion->depth == W_YAML_DEPTH_MAX)
		return refuse_depth(expansion, reference);
	expansion->sets[i].is_used = true;
	expansion->sets[i].is_open = true;
	expansion->depth++;
	*out_set = &expansion->sets[i];
	return WRIT_OK;
}

static void
close_set(struct sets_expansion *expansion, struct named_set *set)
{
	if (set == NULL)
		return;
	set->is_open = false;
	expansion->depth--;
}

/* Notes where the next value of the copy comes from. */
static writ_status
note_origin(struct sets_expansion *expansion, yyjson_val *val)
{
	const size_t size = 1 + (yyjson_is_str(val) ? yyjson_get_len(val) : 0);

	if (size > expansion->room)
		return w_command_refuse(expansion->builder, val,
		    "with its sets a description of more than %d bytes",
		    W_COMMAND_BYTES_MAX);
	expansion->room -= size;
	if (!w_grow(&expansion->origins, expansion->origin_count,
		&expansion->origin_cap))
		return w_command_nomem(expansion->builder);
	expansion->origins[expansion->origin_count++] = val;
	return WRIT_OK;
}

static writ_status copy_value(struct sets_expansion *expansion, yyjson_val *val,
    yyjson_mut_val **out_copy);

/* A list in place of one of the items becomes items of this list. */
static writ_status
copy_items(
    struct sets_expansion *expansion, yyjson_val *list, yyjson_mut_val *copy)
{
	writ_status status = WRIT_OK;
	yyjson_arr_iter iter = yyjson_arr_iter_with(list);
	yyjson_val *item;

	while (
	    status == WRIT_OK && (item = yyjson_arr_iter_next(&iter)) != NULL) {
		yyjson_mut_val *val = NULL;
		struct named_set *set = NULL;

		if (is_reference(item))
			status = open_set(expansion, item, &set);
		if (status != WRIT_OK)
			return status;
		if (set != NULL && yyjson_is_arr(set->val)) {
			status = copy_items(expansion, set->val, copy);
		} else {
			status = copy_value(
			    expansion, set != NULL ? set->val : item, &val);
			if (status == WRIT_OK &&
			    !yyjson_mut_arr_append(copy, val))
				status = w_command_nomem(expansion->builder);
		}
		close_set(expansion, set);
	}
	return status;
}

static writ_status
copy_members(
    struct sets_expansion *expansion, yyjson_val *map, yyjson_mut_val *copy)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(map);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		yyjson_mut_val *name;
		yyjson_mut_val *val = NULL;
		writ_status status;

		if (expansion->depth == 1 && yyjson_equals_str(key, KEY))
			continue;
		status = note_origin(expansion, key);
		name = yyjson_val_mut_copy(expansion->doc, key);
		if (status == WRIT_OK)
			status = copy_value(
			    expansion, yyjson_obj_iter_get_val(key), &val);
		if (status != WRIT_OK)
			return status;
		if (!yyjson_mut_obj_add(copy, name, val))
			return w_command_nomem(expansion->builder);
	}
	return WRIT_OK;
}

static writ_status
copy_container(struct sets_expansion *expansion, yyjson_val *val,
    yyjson_mut_val **out_copy)
{
	writ_status status = note_origin(expansion, val);

	if (status != WRIT_OK)
		return status;
	if (expansion->depth == W_YAML_DEPTH_MAX)
		return refuse_depth(expansion, val);
	*out_copy = yyjson_is_arr(val) ? yyjson_mut_arr(expansion->doc)
				       : yyjson_mut_obj(expansion->doc);
	if (*out_copy == NULL)
		return w_command_nomem(expansion->builder);
	expansion->depth++;
	status = yyjson_is_arr(val) ? copy_items(expansion, val, *out_copy)
				    : copy_members(expansion, val, *out_copy);
	expansion->depth--;
	return status;
}

/* Recursion is bounded by the depth, to which each open set adds. */
static writ_status
copy_value(struct sets_expansion *expansion, yyjson_val *val,
    yyjson_mut_val **out_copy)
{
	struct named_set *set = NULL;
	writ_status status;

	if (yyjson_is_ctn(val))
		return copy_container(expansion, val, out_copy);
	if (is_reference(val)) {
		status = open_set(expansion, val, &set);
		if (status != WRIT_OK)
			return status;
		status = copy_container(expansion, set->val, out_copy);
		close_set(expansion, set);
		return status;
	}
	status = note_origin(expansion, val);
	if (status != WRIT_OK)
		return status;
	*out_copy = yyjson_val_mut_copy(expansion->doc, val);
	return *out_copy != NULL ? WRIT_OK
				 : w_command_nomem(expansion->builder);
}

/* A set that is never used would never be read. */
static writ_status
check_use(const struct sets_expansion *expansion)
{
	for (size_t i = 0; i < expansion->count; i++) {
		if (!expansion->sets[i].is_used)
			return w_command_refuse(expansion->builder,
			    expansion->sets[i].name,
			    "the set '%.64s' is used nowhere",
			    yyjson_get_str(expansion->sets[i].name));
	}
	return WRIT_OK;
}

static writ_status
expand(struct sets_expansion *expansion, yyjson_val *root,
    struct w_command_sets *sets)
{
	yyjson_mut_val *copy = NULL;
	writ_status status = read_names(expansion);

	if (status == WRIT_OK)
		status = copy_value(expansion, root, &copy);
	if (status == WRIT_OK)
		status = check_use(expansion);
	if (status != WRIT_OK)
		return status;
	sets->doc = yyjson_mut_val_imut_copy(copy, NULL);
	if (sets->doc == NULL)
		return w_command_nomem(expansion->builder);
	sets->root = yyjson_doc_get_root(sets->doc);
	sets->origins = expansion->origins;
	sets->count = expansion->origin_count;
	expansion->origins = NULL;
	return WRIT_OK;
}

writ_status
w_command_sets_init(struct w_command_sets *sets, yyjson_val *root,
    struct w_command_builder *builder)
{
	struct sets_expansion expansion = {.builder = builder,
	    .names = yyjson_obj_get(root, KEY),
	    .room = W_COMMAND_BYTES_MAX};
	writ_status status;

	*sets = (struct w_command_sets){.root = root};
	if (expansion.names == NULL && !has_reference(root))
		return WRIT_OK;
	expansion.doc = yyjson_mut_doc_new(NULL);
	status = expansion.doc != NULL ? expand(&expansion, root, sets)
				       : w_command_nomem(builder);
	yyjson_mut_doc_free(expansion.doc);
	free((void *)expansion.origins);
	free(expansion.sets);
	return status;
}

void
w_command_sets_done(struct w_command_sets *sets)
{
	yyjson_doc_free(sets->doc);
	free((void *)sets->origins);
	*sets = (struct w_command_sets){.doc = NULL};
}

yyjson_val *
w_command_sets_origin(const struct w_command_sets *sets, yyjson_val *val)
{
	if (sets->doc == NULL || val < sets->root ||
	    val >= sets->root + sets->count)
		return val;
	return sets->origins[val - sets->root];
}
