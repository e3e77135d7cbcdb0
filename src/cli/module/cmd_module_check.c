/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ module check`: reports everything wrong with module files, with the
 * strictest checks.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/match.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/module/cmd_module.h"
#include "cli/module/module_args.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"

#define REPORT_MAX ((size_t)64 << 20)

enum {
	WRONG = 1,
	UNREADABLE = 2,
};

struct checker {
	const struct w_module_args *args;
	struct w_buf report; /* of all files: lines, or JSON */
	size_t files;
	size_t problems; /* of the current file */
	int status;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct w_module_args, is_json),
	 .help = "Print one JSON object for all files."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ module check my.binding.yaml",
	 "what is wrong with it, with line and column"},
	{"writ module check ~/.config/writ/modules",
	 "every file of modules in a directory"},
	{"writ module check shorten.command.yaml",
	 "the description of a command"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "everything is valid"},
	{"1", "something is wrong; each error is printed"},
	{"2", "wrong usage, or a file that cannot be read"},
	{.status = ""},
};
/* clang-format on */

static void
worsen(struct checker *checker, int status)
{
	if (status > checker->status)
		checker->status = status;
}

static void
take_problem(void *ctx, const writ_module_problem *problem)
{
	struct checker *checker = ctx;

	if (!checker->args->is_json)
		w_cli_module_note_problem(problem);
	else {
		w_buf_add_str(
		    &checker->report, checker->problems > 0 ? "," : "");
		w_cli_module_add_problem(&checker->report, problem);
	}
	checker->problems++;
	worsen(checker, WRONG);
}

/* A file that cannot be read is a problem too, with another exit status. */
static void
take_failure(struct checker *checker, const char *file, const writ_error *error)
{
	const writ_module_problem problem = {.file = file, .error = *error};

	take_problem(checker, &problem);
	if (error->status != WRIT_E_INVALID || error->sys_errno != 0)
		worsen(checker, UNREADABLE);
}

static void
begin_file(struct checker *checker, const char *file)
{
	checker->problems = 0;
	if (!checker->args->is_json)
		return;
	w_buf_add_str(&checker->report, checker->files > 0 ? ",{" : "{");
	w_json_add_path_member(&checker->report, "file", file);
	w_buf_add_str(&checker->report, ",\"problems\":[");
}

static void
end_file(struct checker *checker, const char *file, size_t count)
{
	checker->files++;
	if (checker->args->is_json)
		w_buf_add_fmt(&checker->report, "],\"modules\":%zu}", count);
	if (checker->args->is_json || checker->problems > 0)
		return;
	(void)w_printable_add(&checker->report, file, 0);
	w_buf_add_fmt(&checker->report, ": %zu module%s OK\n", count,
	    count == 1 ? "" : "s");
}

static void
module_check_file(struct checker *checker, const char *file)
{
	writ_error err;
	size_t count = 0;

	begin_file(checker, file);
	if (writ_modules_check(file, take_problem, checker, &count, &err) !=
	    WRIT_OK)
		take_failure(checker, file, &err);
	end_file(checker, file, count);
}

static int
module_check_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns 0, or -1 with errno set. */
static int
list_dir(DIR *dir, const char *path, struct w_words *files)
{
	const struct dirent *entry;

	errno = 0;
	for (entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
		W_AUTO_FREE char *file = NULL;
		const char *name = entry->d_name;

		if (name[0] == '.' ||
		    (!w_match_glob("*.binding.yaml", name) &&
			!w_match_glob("*.binding.json", name) &&
			!w_match_glob("*.command.yaml", name)))
			continue;
		if (asprintf(&file, "%s/%s", path, name) < 0)
			return -1;
		if (!w_words_add(files, file, strlen(file))) {
			errno = ENOMEM;
			return -1;
		}
		errno = 0;
	}
	return errno == 0 ? 0 : -1;
}

static void
module_check_dir(struct checker *checker, DIR *dir, const char *path)
{
	W_AUTO_WORDS struct w_words files = {.items = NULL};
	writ_error err;

	if (list_dir(dir, path, &files) < 0) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "module", errno,
		    "cannot read the directory");
		begin_file(checker, path);
		take_failure(checker, path, &err);
		end_file(checker, path, 0);
	}
	if (files.count > 0)
		qsort(files.items, files.count, sizeof(char *),
		    module_check_compare);
	for (size_t i = 0; i < files.count; i++)
		module_check_file(checker, files.items[i]);
}

static int
module_check(struct w_module_args *args)
{
	struct checker checker = {.args = args};
	writ_error err;

	if (args->operands.count == 0) {
		(void)w_usage_fail(
		    args->command, &err, "say which FILE or directory");
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	}
	w_buf_init(&checker.report, REPORT_MAX);
	w_buf_add_str(&checker.report, args->is_json ? "{\"files\":[" : "");
	for (size_t i = 0; i < args->operands.count; i++) {
		DIR *dir = opendir(args->operands.items[i]);

		if (dir == NULL) {
			module_check_file(&checker, args->operands.items[i]);
			continue;
		}
		module_check_dir(&checker, dir, args->operands.items[i]);
		(void)closedir(dir);
	}
	if (args->is_json)
		w_buf_add_fmt(&checker.report, "],\"ok\":%s}\n",
		    checker.status == 0 ? "true" : "false");
	else if (checker.files == 0)
		w_print_note("there is no file '*.binding.yaml', "
			     "'*.binding.json' or '*.command.yaml' in '%s'",
		    args->operands.items[0]);
	int status = w_print(&checker.report);
	w_buf_done(&checker.report);
	return status != 0 ? UNREADABLE : checker.status;
}

static int
module_check_run(int argc, char **argv)
{
	struct w_module_args args = {.command = &w_cmd_module_check};

	return w_cli_module_begin(&args, argc, argv, module_check);
}

const struct w_cli_command w_cmd_module_check = {
    .name = "module check",
    .summary = "Show what is wrong with files of modules, and where",
    .usage = "module check [--json] FILE|DIR...",
    .about = "Reads files strictly, schemas and patterns included, and "
	     "lists everything that is wrong with them; for the "
	     "description of a command, the first error. Of a directory, "
	     "it reads every file whose name ends in '.binding.yaml', "
	     "'.binding.json' or '.command.yaml'.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(LIST, struct w_module_args, operands)},
    .usage_exit = 2,
    .run = module_check_run,
};
