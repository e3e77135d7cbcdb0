/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The scope of facts and environment. Files and assignments are read at once,
 * so that the caller sees their errors; the machine's facts are gathered when
 * an expression first uses them.
 */

#include <stdlib.h>
#include <string.h>

#include "data/yaml.h"
#include "manifest/facts/facts.h"

static const char stage[] = "facts";

struct w_facts_scope {
	struct w_expr_scope scope;
	struct w_arena arena;
	struct w_value found; /* by options.find */
	struct w_value over;  /* facts from the caller */
	writ_status (*find)(
	    void *ctx, struct w_facts_scope *facts, writ_error *err);
	void *find_ctx;
	struct w_value facts;
	struct w_value environ_map;
	struct w_value nothing; /* an empty map */
	bool has_facts;
	bool has_environ;
};

static const struct w_value *
facts_root(struct w_facts_scope *facts, writ_error *err)
{
	struct w_value machine;

	if (facts->has_facts)
		return &facts->facts;
	facts->found = (struct w_value){.kind = W_VALUE_MAP};
	if ((facts->find != NULL &&
		facts->find(facts->find_ctx, facts, err) != WRIT_OK) ||
	    w_facts_gather(&facts->arena, &machine, err) != WRIT_OK ||
	    w_facts_merge(&facts->arena, &machine, &facts->found, &facts->facts,
		err) != WRIT_OK ||
	    w_facts_merge(&facts->arena, &facts->facts, &facts->over,
		&facts->facts, err) != WRIT_OK)
		return NULL;
	facts->has_facts = true;
	return &facts->facts;
}

static const struct w_value *
root(void *ctx, enum w_expr_root which, writ_error *err)
{
	struct w_facts_scope *facts = ctx;

	if (which == W_ROOT_FACTS)
		return facts_root(facts, err);
	if (which != W_ROOT_ENVIRON)
		return &facts->nothing;
	if (!facts->has_environ &&
	    w_facts_environ(&facts->arena, &facts->environ_map, err) != WRIT_OK)
		return NULL;
	facts->has_environ = true;
	return &facts->environ_map;
}

static writ_status
merge_tree(struct w_facts_scope *facts, yyjson_val *tree,
    struct w_value *io_into, writ_error *err)
{
	struct w_value read;

	if (!yyjson_is_obj(tree))
		return w_fail(err, WRIT_E_INVALID, stage, 0,
		    "facts must be a map of names and values");
	writ_status status = w_value_from_json(&facts->arena, tree, &read, err);
	if (status == WRIT_OK)
		status =
		    w_facts_merge(&facts->arena, io_into, &read, io_into, err);
	return status;
}

static const struct w_json_limits limits = {
    .bytes_max = W_FACTS_BYTES_MAX, .depth_max = W_FACTS_DEPTH_MAX};

/* JSON is a subset of YAML except for tabs, so what starts like a JSON object
 * is parsed as JSON first. */
static writ_status
facts_scope_read_text(struct w_facts_scope *facts, const char *text,
    struct w_value *io_into, writ_error *err)
{
	struct w_json *json = NULL;
	struct w_yaml *yaml = NULL;
	writ_status status = WRIT_E_INVALID;

	if (text[strspn(text, " \t\r\n")] == '{')
		status = w_json_read(text, strlen(text), &limits, &json, NULL);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, stage);
	if (status == WRIT_OK) {
		status = merge_tree(facts, w_json_root(json), io_into, err);
		w_json_free(json);
		return status;
	}
	status = w_yaml_read(text, strlen(text), &limits, &yaml, err);
	if (status == WRIT_OK)
		status = merge_tree(facts, w_yaml_root(yaml), io_into, err);
	w_yaml_free(yaml);
	return status;
}

/* Names the file in the message, because line and column are not the
 * manifest's. */
static void
put_file_into_error(const char *name, writ_error *err)
{
	const writ_error inner = err != NULL ? *err : (writ_error){0};

	if (err == NULL || name == NULL)
		return;
	if (inner.line > 0)
		(void)w_fail(err, inner.status, stage, 0, "%s:%u:%u: %s", name,
		    inner.line, inner.column, inner.message);
	else
		(void)w_fail(err, inner.status, stage, 0, "in '%s': %s", name,
		    inner.message);
	err->sys_errno = inner.sys_errno;
	memcpy(err->suggestion, inner.suggestion, sizeof(err->suggestion));
}

static writ_status
facts_scope_read_options(struct w_facts_scope *facts,
    const struct w_facts_options *options, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; options->files != NULL && options->files[i] != NULL;
	     i++) {
		status = facts_scope_read_text(
		    facts, options->files[i], &facts->over, err);
		if (status != WRIT_OK) {
			put_file_into_error(
			    options->names != NULL ? options->names[i] : NULL,
			    err);
			return status;
		}
	}
	for (size_t i = 0; status == WRIT_OK && options->assignments != NULL &&
			   options->assignments[i] != NULL;
	     i++)
		status = w_facts_set(&facts->arena, &facts->over,
		    options->assignments[i], &facts->over, err);
	return status;
}

writ_status
w_facts_scope_add(struct w_facts_scope *facts, const char *name,
    const char *text, writ_error *err)
{
	writ_status status =
	    facts_scope_read_text(facts, text, &facts->found, err);

	if (status != WRIT_OK)
		put_file_into_error(name, err);
	return status;
}

writ_status
w_facts_scope_new(const struct w_facts_options *options,
    struct w_facts_scope **out_facts, writ_error *err)
{
	struct w_facts_scope *facts = calloc(1, sizeof(*facts));

	if (facts == NULL)
		return w_fail_nomem(err, stage);
	facts->nothing.kind = W_VALUE_MAP;
	facts->over.kind = W_VALUE_MAP;
	facts->scope = (struct w_expr_scope){.root = root, .ctx = facts};
	facts->find = options->find;
	facts->find_ctx = options->ctx;
	writ_status status = facts_scope_read_options(facts, options, err);
	if (status != WRIT_OK) {
		w_facts_scope_free(facts);
		return status;
	}
	*out_facts = facts;
	return WRIT_OK;
}

void
w_facts_scope_free(struct w_facts_scope *facts)
{
	if (facts == NULL)
		return;
	w_arena_done(&facts->arena);
	free(facts);
}

const struct w_expr_scope *
w_facts_scope_get(const struct w_facts_scope *facts)
{
	return &facts->scope;
}
