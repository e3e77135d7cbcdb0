/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ module explain`: what a command would do.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "cli/module/cmd_module.h"
#include "cli/module/explanation.h"
#include "cli/module/module_args.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define PAGE_MAX ((size_t)256 << 20)

enum {
	NOT_UNDERSTOOD = 1,
};

struct request {
	struct w_module_args module; /* first: its rows are shared */
	struct w_words env;
	const char *shell;
};

static writ_status
module_explain_store_env(void *ctx, const struct w_option *option,
    const char *value, writ_error *err)
{
	if (value[0] == '=' || strchr(value, '=') == NULL)
		return w_usage_fail(&w_cmd_module_explain, err,
		    "--env is NAME=VALUE, not '%.64s'", value);
	return w_option_put(&w_cmd_module_explain, option, ctx, value, err);
}

/* clang-format off */
static const struct w_option options[] = {
	{.name = "env", .letter = 'e', .arg = "NAME=VALUE", 
	 W_TO(LIST, struct request, env), .store = 1,
	 .help = "A variable that is set for the command. May be repeated."},
	{.name = "shell", .arg = "STRING", W_TO(TEXT, struct request, shell),
	 .help = "Instead of a command: what a shell would be given."},
	W_MODULE_ROWS,
};

static const struct w_example examples[] = {
	{"writ module explain -- find . -name '*.tmp' -delete",
	 "what it deletes, and where"},
	{"writ module explain -- env -i timeout 5 git log --oneline",
	 "commands inside commands, each with what it does"},
	{"writ module explain --shell 'sort words | uniq -c > counts'",
	 "a string for a shell"},
	{"writ module explain --json -- curl -o page.html https://example.com",
	 "the same for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "understood: every word is covered by a description"},
	{"1", "not understood, with the place and the reason"},
	{"2", "wrong usage, or modules that cannot be read"},
	{.status = ""},
};
/* clang-format on */

static int
module_explain_print(
    const struct w_module_args *args, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	yyjson_val *root = yyjson_doc_get_root(doc);
	const struct w_explanation explanation = {
	    .root = root, .has_colour = w_print_has_colour(STDOUT_FILENO)};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, PAGE_MAX);
	if (doc == NULL) {
		w_print_note("out of memory");
		return args->command->usage_exit;
	}
	const bool is_understood =
	    yyjson_is_true(yyjson_obj_get(root, "understood"));
	if (!args->is_json)
		w_explanation_add(&buf, &explanation);
	int status = args->is_json ? w_print_json(json, len) : w_print(&buf);
	yyjson_doc_free(doc);
	if (status != 0)
		return args->command->usage_exit;
	return is_understood ? 0 : NOT_UNDERSTOOD;
}

static int
module_explain(struct w_module_args *args)
{
	const struct request *request = (const void *)args;
	writ_explain_options how = WRIT_EXPLAIN_OPTIONS_INIT;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_error err;

	how.argv = (const char *const *)args->operands.items;
	how.shell = request->shell;
	how.env = (const char *const *)request->env.items;
	if ((how.argv == NULL) == (how.shell == NULL)) {
		(void)w_usage_fail(args->command, &err,
		    how.shell == NULL ? "say which command"
				      : "a command, or --shell; not both");
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	}
	if (w_cli_module_open(args, &err) != WRIT_OK ||
	    writ_explain(args->modules, &how, &json, &len, &err) != WRIT_OK)
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	return module_explain_print(args, json, len);
}

static int
module_explain_run(int argc, char **argv)
{
	struct request request = {.module = {.command = &w_cmd_module_explain}};
	const int status =
	    w_cli_module_begin(&request.module, argc, argv, module_explain);

	w_words_done(&request.env);
	return status;
}

const struct w_cli_command w_cmd_module_explain = {
    .name = "module explain",
    .summary = "Say what a command would do, without running it",
    .usage = "module explain [--json] [--env NAME=VALUE]... "
	     "(-- COMMAND [ARG]... | --shell STRING)",
    .about = "Reads the words of a command by the description of its "
	     "program and says what it would read, write, delete, execute "
	     "and reach, and which word that comes from; of the commands "
	     "inside it as well. What no description covers is not "
	     "understood, and never guessed: the word at fault is marked. "
	     "'-' means that the place is not known; 'by itself' marks "
	     "programs that it executes as part of its work. "
	     "writ-command(5) has the format of descriptions.",
    .options = options,
    .stores = {module_explain_store_env},
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@command",
	W_TO(LIST, struct w_module_args, operands)},
    .stops_at_operand = true,
    .usage_exit = 2,
    .run = module_explain_run,
};
