/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ facts`: facts about this machine.
 */

#include <string.h>

#include "base/error.h"
#include "base/match.h"
#include "cli/cli_command.h"
#include "cli/manifest/loaded_manifest.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "data/yaml_write.h"
#include "expr/expr.h"

#define STAGE     "facts"
#define FACTS_MAX ((size_t)64 << 20)
#define DEPTH_MAX 128
#define NAMES_MAX 128 /* names in a map that are compared */
#define WORD_MAX  64

enum {
	FAILED = 1
};

struct facts_args {
	struct w_fact_args facts;
	const char *query;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	W_FACT_ROWS("", struct facts_args, facts),
	{.name = "json", W_TO(FLAG, struct facts_args, is_json),
	 .help = "Print JSON instead of YAML."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ facts", "all of them"},
	{"writ facts os.name", "one, as lookup('facts.os.name') has it"},
	{"writ facts --json memory", "a part, for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no such fact, or a file of facts cannot be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

/* A query is evaluated by lookup(), so that both have the same syntax. */
static writ_status
facts_lookup(const char *query, const struct w_expr_scope *scope,
    struct w_arena *arena, struct w_value *out_value, writ_error *err)
{
	const struct w_expr *expr = NULL;
	W_AUTO_BUF struct w_buf path;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&path, W_EXPR_TEXT_MAX);
	w_buf_init(&text, W_EXPR_TEXT_MAX);
	w_buf_add_fmt(&path, "facts.%s", query);
	w_buf_add_str(&text, "lookup(");
	w_json_add_string(&text, path.data, path.len);
	w_buf_add_char(&text, ')');
	if (path.failed || text.failed)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the query is too long");
	writ_status status =
	    w_expr_compile(arena, text.data, text.len, &expr, err);
	if (status == WRIT_OK)
		status = w_expr_eval(expr, scope, arena, out_value, err);
	return status;
}

static int
facts_print(const struct facts_args *args, const struct w_value *value)
{
	const struct w_json_limits limits = {FACTS_MAX, DEPTH_MAX};
	struct w_json *tree = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf yaml;

	w_buf_init(&text, FACTS_MAX);
	w_buf_init(&yaml, FACTS_MAX);
	if (args->is_json || value->kind == W_VALUE_STRING) {
		if (args->is_json)
			w_value_add_json(&text, value, true);
		else
			w_value_add_text(&text, value);
		w_buf_add_char(&text, '\n');
		return w_print(&text);
	}
	w_value_add_json(&text, value, true);
	if (w_json_read(text.data, text.len, &limits, &tree, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	w_yaml_add(&yaml, w_json_root(tree));
	w_json_free(tree);
	return w_print(&yaml);
}

/* The name in the map that is nearest to a part of a query; NULL: none. */
static const char *
nearest_member(const struct w_value *map, const char *part, size_t len)
{
	const char *names[NAMES_MAX + 1];
	char word[WORD_MAX + 1];
	size_t count = 0;

	if (map->kind != W_VALUE_MAP || len >= sizeof(word))
		return NULL;
	memcpy(word, part, len);
	word[len] = '\0';
	for (; count < map->as.map.count && count < NAMES_MAX; count++)
		names[count] = map->as.map.members[count].name;
	names[count] = NULL;
	return w_match_nearest(word, names);
}

/* Replaces lookup()'s error about a missing key: the user wrote no lookup().
 * The suggestion corrects the first part that is missing. */
static writ_status
fail_no_fact(
    const char *query, const struct w_expr_scope *scope, writ_error *err)
{
	const struct w_value *map = scope->root(scope->ctx, W_ROOT_FACTS, NULL);
	const char *part = query;
	size_t len = strcspn(part, ".");

	(void)w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "there is no fact '%s'", query);
	while (map != NULL && w_value_member(map, part, len) != NULL) {
		map = w_value_member(map, part, len);
		part += len + (part[len] == '.');
		len = strcspn(part, ".");
	}
	const char *near = map == NULL ? NULL : nearest_member(map, part, len);
	if (near != NULL)
		w_suggest(err, "did you mean '%.*s%s%s'?", (int)(part - query),
		    query, near, part + len);
	return WRIT_E_INVALID;
}

static writ_status
facts_find(const struct facts_args *args, const struct w_expr_scope *scope,
    struct w_arena *arena, struct w_value *out_value, writ_error *err)
{
	static const char missing[] = "missing key ";

	if (args->query != NULL) {
		writ_status status =
		    facts_lookup(args->query, scope, arena, out_value, err);
		if (status == WRIT_E_INVALID &&
		    strncmp(err->message, missing, sizeof(missing) - 1) == 0)
			return fail_no_fact(args->query, scope, err);
		return status;
	}
	const struct w_value *all = scope->root(scope->ctx, W_ROOT_FACTS, err);
	if (all == NULL)
		return err->status;
	*out_value = *all;
	return WRIT_OK;
}

static int
facts_show(const struct facts_args *args)
{
	struct w_facts_scope *facts = NULL;
	struct w_arena arena = {.left = 0};
	struct w_value value = {.kind = W_VALUE_NULL};
	writ_error err;
	int status;

	if (w_cli_facts_load(&args->facts, &facts, &err) != WRIT_OK ||
	    facts_find(args, w_facts_scope_get(facts), &arena, &value, &err) !=
		WRIT_OK) {
		err.line = 0; /* the user did not write this text */
		status = w_print_failure(&err, args->is_json, FAILED);
	} else {
		status = facts_print(args, &value);
	}
	w_arena_done(&arena);
	w_facts_scope_free(facts);
	return status;
}

static int
facts_run(int argc, char **argv)
{
	struct facts_args args = {.query = NULL};
	int status = w_cli_command_begin(&w_cmd_facts, argc, argv, &args);

	if (status < 0)
		status = facts_show(&args);
	w_cli_facts_done(&args.facts);
	return status;
}

const struct w_cli_command w_cmd_facts = {
    .name = "facts",
    .summary = "Show what is known about this machine",
    .usage = "facts [OPTION]... [QUERY]",
    .about = "Prints the facts that expressions in manifests see as Facts and "
	     "lookup('facts...'): host, os, kernel, cpu, memory and network. "
	     "They are read from the kernel and /etc; nothing is run. A QUERY "
	     "is a path into them.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){W_TO(TEXT, struct facts_args, query)},
    .usage_exit = 2,
    .run = facts_run,
};
