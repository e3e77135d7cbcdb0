/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ module list` and `writ module search`.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/match.h"
#include "cli/module/cmd_module.h"
#include "cli/module/module_args.h"
#include "cli/module/module_rows.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define QUERY_MAX 4096
#define TIERS     "option|environment|user|system|shipped|builtin|project"

enum {
	FAILED = 1
};

struct filter {
	struct w_module_args module; /* first: its rows are shared */
	const char *tag;
	const char *prefix;
	const char *tier;
	bool has_ids;
	bool is_strict;
};

static writ_status
store_tier(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct filter *filter = ctx;
	static const char *const tiers[] = {"option", "environment", "user",
	    "system", "shipped", "builtin", "project", NULL};

	(void)option;
	for (size_t i = 0; tiers[i] != NULL; i++) {
		if (strcmp(tiers[i], value) != 0)
			continue;
		filter->tier = value;
		return WRIT_OK;
	}
	(void)w_usage_fail(
	    &w_cmd_module_list, err, "there is no tier '%.64s'", value);
	w_match_suggest(w_match_nearest(value, tiers), err);
	return WRIT_E_INVALID;
}

/* clang-format off */
static const struct w_option list_options[] = {
	{.name = "tag", .arg = "TAG", W_TO(TEXT, struct filter, tag),
	 .help = "Only modules with this tag."},
	{.name = "prefix", .arg = "TEXT", W_TO(TEXT, struct filter, prefix),
	 .help = "Only modules whose ids begin with this."},
	{.name = "tier", .arg = "TIER", .store = 1, .words = TIERS,
	 .help = "Only those of this tier: option, environment, user, system, "
	         "shipped, builtin or project."},
	{.name = "no-builtin", W_TO(FLAG, struct filter, module.no_builtin),
	 .help = "Leave out the modules that are built in."},
	{.name = "ids", W_TO(FLAG, struct filter, has_ids), .help = "Only the ids, one on a line."},
	{.name = "strict", W_TO(FLAG, struct filter, is_strict),
	 .help = "Exit with 1 when a file could not be used."},
	W_MODULE_ROWS,
};

static const struct w_option search_options[] = {
	{.name = "no-builtin", W_TO(FLAG, struct filter, module.no_builtin),
	 .help = "Leave out the modules that are built in."},
	{.name = "ids", W_TO(FLAG, struct filter, has_ids), .help = "Only the ids, one on a line."},
	W_MODULE_ROWS,
};

static const struct w_example list_examples[] = {
	{"writ module list", "every module, and what calling it may do"},
	{"writ module list --prefix cli.git.", "those of one program"},
	{"writ module list --tier builtin", "those that come with writ"},
	{"writ module list --json --strict", "for a program that wants to know of every error"},
	{.line = ""},
};

static const struct w_example search_examples[] = {
	{"writ module search commit log", "those that match both words"},
	{.line = ""},
};

static const struct w_exit_row list_exits[] = {
	{"0", "success, also when there is no module"},
	{"1", "the modules could not be read; with --strict, one file"},
	{"2", "wrong usage"},
	{.status = ""},
};

static const struct w_exit_row search_exits[] = {
	{"0", "something was found"},
	{"1", "nothing was found, or the modules could not be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static bool
has_tag(const writ_module *module, const char *tag)
{
	for (const char *const *it = module->tags; it != NULL && *it != NULL;
	     it++) {
		if (strcmp(*it, tag) == 0)
			return true;
	}
	return false;
}

static bool
module_list_is_wanted(const struct filter *filter, const writ_module *module)
{
	if (filter->tag != NULL && !has_tag(module, filter->tag))
		return false;
	if (filter->tier != NULL && strcmp(module->tier, filter->tier) != 0)
		return false;
	return filter->prefix == NULL ||
	       strncmp(module->id, filter->prefix, strlen(filter->prefix)) == 0;
}

static int
module_list_print(const struct w_module_args *args,
    const writ_module *const *found, size_t count)
{
	const struct filter *filter = (const void *)args;

	if (args->is_json)
		return w_cli_module_rows_json(args->modules, found, count);
	if (filter->has_ids)
		return w_cli_module_rows_ids(found, count);
	return count > 0 ? w_cli_module_rows_print(found, count) : 0;
}

static int
list_found(struct w_module_args *args, const writ_module **found, size_t total)
{
	const struct filter *filter = (const void *)args;
	size_t problem_count = 0;
	size_t count = 0;

	for (size_t i = 0; i < total; i++) {
		const writ_module *module = writ_modules_at(args->modules, i);

		if (module_list_is_wanted(filter, module))
			found[count++] = module;
	}
	int status = module_list_print(args, found, count);
	(void)writ_modules_problems(args->modules, &problem_count);
	if (!args->is_json && !filter->has_ids)
		w_cli_module_note_problems(args->modules);
	if (!args->is_json && !filter->has_ids && total == 0)
		w_print_note("there is no module in --modules, WRIT_MODULES, "
			     "APCORE_EXTENSIONS_ROOT, the folders 'modules' of "
			     "the user's and the machine's configuration, or "
			     ".writ/modules of the project");
	else if (!args->is_json && !filter->has_ids && count == 0)
		w_print_note("none of the %zu modules matches", total);
	if (status == 0 && filter->is_strict && problem_count > 0)
		return FAILED;
	return status;
}

static int
module_list(struct w_module_args *args)
{
	writ_error err;

	if (args->operands.count > 0) {
		(void)w_usage_fail(args->command, &err, "unexpected word '%s'",
		    args->operands.items[0]);
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	}
	if (w_cli_module_open(args, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);

	const size_t total = writ_modules_count(args->modules);
	W_AUTO_FREE const writ_module **found =
	    calloc(total + 1, sizeof(void *));
	if (found == NULL) {
		w_print_note("out of memory");
		return FAILED;
	}
	return list_found(args, found, total);
}

static int
search_for(struct w_module_args *args, const char *query)
{
	W_AUTO_FREE const writ_module **found = NULL;
	size_t count = 0;
	writ_error err;

	if (w_cli_module_open(args, &err) != WRIT_OK ||
	    writ_modules_search(args->modules, query, &found, &count, &err) !=
		WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);

	int status = module_list_print(args, found, count);
	const struct filter *filter = (const void *)args;
	if (count == 0 && !args->is_json && !filter->has_ids)
		w_print_note("no module matches '%s'", query);
	return count == 0 ? FAILED : status;
}

static int
module_list_search(struct w_module_args *args)
{
	writ_error err;
	W_AUTO_BUF struct w_buf query;

	w_buf_init(&query, QUERY_MAX);
	for (size_t i = 0; i < args->operands.count; i++)
		w_buf_add_fmt(
		    &query, "%s%s", i > 0 ? " " : "", args->operands.items[i]);
	if (args->operands.count > 0 && !query.failed)
		return search_for(args, query.data);
	(void)w_usage_fail(args->command, &err,
	    query.failed ? "too many words to look for"
			 : "say what to look for");
	return w_print_failure(&err, args->is_json, args->command->usage_exit);
}

static int
module_list_run_list(int argc, char **argv)
{
	struct filter filter = {.module = {.command = &w_cmd_module_list}};

	return w_cli_module_begin(&filter.module, argc, argv, module_list);
}

static int
run_search(int argc, char **argv)
{
	struct filter filter = {.module = {.command = &w_cmd_module_search}};

	return w_cli_module_begin(
	    &filter.module, argc, argv, module_list_search);
}

const struct w_cli_command w_cmd_module_list = {
    .name = "module list",
    .summary = "List the modules that 'writ call' knows",
    .usage = "module list [--tag TAG] [--prefix TEXT] [--tier TIER] "
	     "[--ids | --json]",
    .about = "One line for each module: its id, what calling it may do, "
	     "its command, what it is for. A file that could not be used "
	     "is reported on standard error.",
    .options = list_options,
    .stores = {store_tier},
    .examples = list_examples,
    .exits = list_exits,
    .operand =
	&(const struct w_option){W_TO(LIST, struct w_module_args, operands)},
    .usage_exit = 2,
    .run = module_list_run_list,
};

const struct w_cli_command w_cmd_module_search = {
    .name = "module search",
    .summary = "Find modules by words in their ids, tags and descriptions",
    .usage = "module search [--ids | --json] WORD...",
    .about = "Lists the modules that match every word, the best first.",
    .options = search_options,
    .stores = {store_tier},
    .examples = search_examples,
    .exits = search_exits,
    .operand =
	&(const struct w_option){W_TO(LIST, struct w_module_args, operands)},
    .usage_exit = 2,
    .run = run_search,
};
