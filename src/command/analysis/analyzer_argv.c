/* SPDX-License-Identifier: Apache-2.0 */

/* Analyzes a command by its words: which program it is, whether its description
 * has them all, and what follows. */

#include <string.h>

#include "command/analysis/analyzer.h"

#define NAME_LEN_MAX 64 /* of a program that may have a description */

static const char not_looked_into[] = "it is not looked into";

/* Directories whose programs are what their names say. A program elsewhere
 * belongs to whoever put it there. */
static const char *const program_dirs[] = {"/bin", "/usr/bin", "/sbin",
    "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", NULL};

static bool
is_program_dir(const char *path, size_t len)
{
	for (size_t i = 0; program_dirs[i] != NULL; i++) {
		if (strlen(program_dirs[i]) == len &&
		    memcmp(program_dirs[i], path, len) == 0)
			return true;
	}
	return false;
}

/* The name to look up; NULL: refused already. */
static const char *
program_name(struct w_analyzer *analyzer)
{
	const char *word = analyzer->analysis->argv[0];
	const char *slash = strrchr(word, '/');
	const struct w_source_place from = {.why = not_looked_into};

	if (word[0] == '\0') {
		w_analyzer_refuse(analyzer, 0, 0, "the program has no name");
		return NULL;
	}
	if (w_analyzer_is_placed(analyzer, word, strlen(word))) {
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_analyzer_refuse(analyzer, 0, 0,
		    "which program it is comes only when it runs");
		return NULL;
	}
	if (slash == NULL)
		return word;
	if (slash[1] != '\0' && is_program_dir(word, (size_t)(slash - word)))
		return slash + 1;
	w_analyzer_path(
	    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, word, strlen(word), &from);
	w_analyzer_refuse(
	    analyzer, 0, 0, "'%.64s' is not a program of the system", word);
	return NULL;
}

static void
touch_program(struct w_analyzer *analyzer, const char *name, const char *why)
{
	const struct w_touch touch = {.kind = W_TOUCH_PROGRAM,
	    .target = name,
	    .len = strlen(name),
	    .why = why};

	w_analyzer_touch(analyzer, W_EFFECT_EXEC, &touch);
}

/* Only a plausible program name is worth suggesting a file for. */
static void
refuse_program(struct w_analyzer *analyzer, const char *name)
{
	writ_error err;

	(void)w_fail(&err, WRIT_E_INVALID, "meaning", 0,
	    "no description of '%.64s'", name);
	if (name[0] != '-' && strlen(name) <= NAME_LEN_MAX)
		w_suggest(&err,
		    "describe it in '%s" W_COMMAND_SUFFIX
		    "', see writ-command(5)",
		    name);
	w_analyzer_refuse_error(analyzer, 0, 0, &err);
}

/* Without a description, or with words that the description lacks, all that is
 * known is that the program is executed. */
static const struct w_command *
analyzer_argv_find_command(struct w_analyzer *analyzer, const char *name)
{
	const struct w_command_source *source = analyzer->shared->source;
	const struct w_command *command =
	    source->find(source->ctx, name, strlen(name));
	const char *why = NULL;

	if (command != NULL)
		return command;
	if (source->why_not != NULL)
		why = source->why_not(source->ctx, name, strlen(name));
	touch_program(analyzer, name, not_looked_into);
	if (why != NULL)
		w_analyzer_refuse(analyzer, 0, 0, "%s", why);
	else
		refuse_program(analyzer, name);
	return NULL;
}

static bool
parse_words(struct w_analyzer *analyzer, const struct w_command *command)
{
	struct w_analysis *analysis = analyzer->analysis;
	const struct w_argv_parse_input input = {.argv = analysis->argv,
	    .argc = analysis->argc,
	    .is_open_ended = (analyzer->context.how & W_INNER_APPENDED) != 0};
	struct w_argv_parse_fault fault = {.word = 0};
	writ_error err;

	if (w_argv_parse(command, &input, &analysis->parse, &fault, &err) !=
	    WRIT_OK) {
		analysis->parse = (struct w_argv_parse){.grammar = NULL};
		w_analyzer_refuse_error(
		    analyzer, fault.word, fault.offset, &err);
		return false;
	}
	if (analysis->parse.node != NULL)
		analysis->id = analysis->parse.node->id;
	return true;
}

static void
analyze_parse(struct w_analyzer *analyzer)
{
	struct w_analysis *analysis = analyzer->analysis;
	const struct w_argv_parse *parse = &analysis->parse;

	analysis->helpers = parse->grammar->helpers;
	if (!parse->grammar->are_effects_known)
		w_analyzer_refuse(analyzer, 0, 0,
		    "its description does not say what '%.64s' does",
		    analysis->argv[0]);
	w_analyzer_change_bases(analyzer);
	w_analyzer_own_variables(analyzer);
	for (size_t i = 0; i < parse->count; i++)
		w_analyzer_match(analyzer, &parse->matches[i]);
	w_analyzer_scripts(analyzer);
	w_analyzer_defaults(analyzer);
	w_analyzer_rules(analyzer);
	w_analyzer_worst(analyzer);
}

void
w_analyzer_run(struct w_analyzer *analyzer)
{
	struct w_analysis *analysis = analyzer->analysis;
	const struct w_command_source *source = analyzer->shared->source;

	if (analysis->argc == 0) {
		w_analyzer_refuse(analyzer, 0, 0, "there is no command");
		return;
	}
	const char *name = program_name(analyzer);
	if (name == NULL) {
		w_analyzer_likely_secrets(analyzer, NULL);
		return;
	}
	const struct w_command *command =
	    analyzer_argv_find_command(analyzer, name);
	if (command == NULL) {
		w_analyzer_likely_secrets(analyzer, NULL);
		return;
	}
	if (source->origin != NULL)
		analysis->origin = source->origin(source->ctx, command);
	if (source->is_claim != NULL &&
	    source->is_claim(source->ctx, name, strlen(name)))
		touch_program(analyzer, name, "only the project describes it");
	if (parse_words(analyzer, command)) {
		analyze_parse(analyzer);
	} else {
		touch_program(analyzer, name, not_looked_into);
		w_analyzer_likely_secrets(analyzer, command);
	}
}
