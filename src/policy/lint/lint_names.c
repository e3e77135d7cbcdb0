/* SPDX-License-Identifier: Apache-2.0 */

/* Warns about names in rules that do not exist, or are read differently than
 * they look. */

#include <string.h>

#include "policy/glob.h"
#include "policy/lint/lint.h"

static bool
lint_names_is_name(const char *glob)
{
	return strchr(glob, '/') == NULL &&
	       w_glob_is_literal(glob, strlen(glob));
}

/* Whether a name is an obvious typo: two letters swapped, or one doubled. */
static bool
is_slip(const char *name, const char *meant)
{
	const size_t len = strlen(name);
	const size_t meant_len = strlen(meant);
	size_t at = 0;

	while (name[at] != '\0' && name[at] == meant[at])
		at++;
	if (len == meant_len)
		return at + 1 < len && name[at] == meant[at + 1] &&
		       name[at + 1] == meant[at] &&
		       strcmp(name + at + 2, meant + at + 2) == 0;
	return len == meant_len + 1 && at > 0 && name[at] == name[at - 1] &&
	       strcmp(name + at + 1, meant + at) == 0;
}

static void
lint_program(struct w_lint *lint, const struct w_rule *rule, const char *name)
{
	const struct w_lint_source *source = lint->source;
	const char *nearest = NULL;

	if (!lint_names_is_name(name))
		return;
	if (strpbrk(name, " \t") != NULL) {
		w_lint_warn(lint, &rule->location,
		    "'%.64s' is read as the name of one program", name);
		w_lint_suggest(
		    lint, "did you mean the shape '%.64s ...'?", name);
		return;
	}
	if (source->has_program == NULL ||
	    source->has_program(source->ctx, name))
		return;
	if (source->nearest_program != NULL)
		nearest = source->nearest_program(source->ctx, name);
	/* A rule may well deny a program that is not installed here. */
	if (rule->verdict != W_ALLOW && rule->kind == W_RULE_PLAIN &&
	    (nearest == NULL || !is_slip(name, nearest)))
		return;
	w_lint_warn(
	    lint, &rule->location, "there is no program '%.64s' here", name);
	if (nearest != NULL)
		w_lint_suggest(lint, "did you mean '%.64s'?", nearest);
}

static bool
lint_names_has_module(const struct w_lint *lint, const char *glob)
{
	const struct w_lint_source *source = lint->source;

	return source->has_module == NULL ||
	       source->has_module(source->ctx, glob);
}

/* The id of a project's module matches only rules that deny or ask. */
static void
lint_module_owner(
    struct w_lint *lint, const struct w_rule *rule, const char *glob)
{
	const struct w_lint_source *source = lint->source;

	if ((rule->verdict != W_ALLOW && rule->kind != W_RULE_TOOLS) ||
	    source->is_of_project == NULL ||
	    !source->is_of_project(source->ctx, glob))
		return;
	w_lint_warn(lint, &rule->location,
	    "'%.64s' is a module of the project: its id allows nothing", glob);
	w_lint_suggest(lint, "name the program that it runs, or move it to "
			     "your own modules (writ module add)");
}

static void
lint_module(struct w_lint *lint, const struct w_rule *rule, const char *glob)
{
	const struct w_lint_source *source = lint->source;

	if (lint_names_has_module(lint, glob)) {
		lint_module_owner(lint, rule, glob);
		return;
	}
	if (rule->kind == W_RULE_TOOLS && lint_names_is_name(glob) &&
	    strncmp(glob, "cli.", 4) != 0)
		w_lint_warn(lint, &rule->location,
		    "there is neither a program nor a module '%.64s' here",
		    glob);
	else
		w_lint_warn(lint, &rule->location,
		    "no module has an id like '%.64s'", glob);
	const char *nearest = source->nearest_module != NULL
				  ? source->nearest_module(source->ctx, glob)
				  : NULL;
	if (nearest != NULL)
		w_lint_suggest(lint, "did you mean '%.64s'?", nearest);
}

static bool
has_program(const struct w_lint *lint, const char *name)
{
	const struct w_lint_source *source = lint->source;

	return lint_names_is_name(name) && source->has_program != NULL &&
	       source->has_program(source->ctx, name);
}

/* A tool is a program or a module; "bash" also stands for shell commands. */
static void
lint_tools(struct w_lint *lint, const struct w_rule *rule)
{
	for (w_globs tools = rule->programs; *tools != NULL; tools++) {
		const char *tool = *tools;

		if (strcmp(tool, "bash") == 0 || has_program(lint, tool))
			continue;
		/* A module's id has a dot; so may a glob for programs. */
		if (strncmp(tool, "cli.", 4) == 0 ||
		    (lint_names_is_name(tool) && strchr(tool, '.') != NULL))
			lint_module(lint, rule, tool);
		else if (!lint_names_has_module(lint, tool))
			lint_program(lint, rule, tool);
	}
}

/* Shell operators and partial wildcards are literal in a shape. */
static void
lint_shape(
    struct w_lint *lint, const struct w_rule *rule, const struct w_shape *shape)
{
	static const char *const operators[] = {
	    "|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1", NULL};

	lint_program(lint, rule, shape->words[0]);
	for (size_t i = 1; i < shape->count; i++) {
		const char *word = shape->words[i];
		size_t at = 0;

		while (
		    operators[at] != NULL && strcmp(word, operators[at]) != 0)
			at++;
		if (operators[at] != NULL) {
			w_lint_warn(lint, &rule->location,
			    "'%s' is a word like others in a shape", word);
			w_lint_suggest(lint,
			    "give each command a rule of its own: texts for a "
			    "shell are judged by the commands in them");
			return;
		}
		if (strchr(word, '*') != NULL && strcmp(word, "*") != 0) {
			w_lint_warn(lint, &rule->location,
			    "the '*' in '%.64s' stands for itself", word);
			w_lint_suggest(lint,
			    "in a shape only a word that is '*' alone is any "
			    "word; 'inputs' has globs for parts");
			return;
		}
	}
}

void
w_lint_names(struct w_lint *lint, const struct w_rule *rule)
{
	/* W_RULE_PROGRAMS and W_RULE_LISTED share one list. */
	if (rule->kind == W_RULE_LISTED)
		return;
	if (rule->kind == W_RULE_TOOLS) {
		lint_tools(lint, rule);
		return;
	}
	for (size_t i = 0; rule->programs != NULL && rule->programs[i] != NULL;
	     i++)
		lint_program(lint, rule, rule->programs[i]);
	for (size_t i = 0; rule->modules != NULL && rule->modules[i] != NULL;
	     i++)
		lint_module(lint, rule, rule->modules[i]);
	for (size_t i = 0; i < rule->shape_count; i++)
		lint_shape(lint, rule, &rule->shapes[i]);
}
