/* SPDX-License-Identifier: Apache-2.0 */

/* One command by its words: which program it is, whether its description has
 * them all, and what follows from that. */

#include <string.h>

#include "module/meaning_frame.h"

#define NAME_LEN_MAX 64 /* of a program that somebody might describe */

static const char not_looked_into[] = "it is not looked into";

/* Where a program is the one that its name says. What stands elsewhere is a
 * program of whoever put it there. */
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

/* The name to look for; NULL: it has been refused. */
static const char *
program_name(struct w_frame *frame)
{
	const char *word = frame->meaning->argv[0];
	const char *slash = strrchr(word, '/');
	const struct w_source_place from = {.why = not_looked_into};

	if (word[0] == '\0') {
		w_frame_refuse(frame, 0, 0, "the program has no name");
		return NULL;
	}
	if (w_frame_is_placed(frame, word, strlen(word))) {
		w_frame_effects(frame, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_frame_refuse(
		    frame, 0, 0, "which program it is comes only when it runs");
		return NULL;
	}
	if (slash == NULL)
		return word;
	if (slash[1] != '\0' && is_program_dir(word, (size_t)(slash - word)))
		return slash + 1;
	w_frame_path(
	    frame, W_EFFECT_EXEC | W_EFFECT_CODE, word, strlen(word), &from);
	w_frame_refuse(
	    frame, 0, 0, "'%.64s' is no program of the system", word);
	return NULL;
}

static void
touch_program(struct w_frame *frame, const char *name, const char *why)
{
	const struct w_touch touch = {.kind = W_TOUCH_PROGRAM,
	    .target = name,
	    .len = strlen(name),
	    .why = why};

	w_frame_touch(frame, W_EFFECT_EXEC, &touch);
}

/* Only what looks like the name of a program is worth a file. */
static void
refuse_program(struct w_frame *frame, const char *name)
{
	writ_error err;

	(void)w_fail(&err, WRIT_E_INVALID, "meaning", 0,
	    "no description of '%.64s'", name);
	if (name[0] != '-' && strlen(name) <= NAME_LEN_MAX)
		w_suggest(&err,
		    "describe it in '%s" W_COMMAND_SUFFIX
		    "', see writ-command(5)",
		    name);
	w_frame_refuse_error(frame, 0, 0, &err);
}

/* Of a program that nobody has described, and of words that its description
 * does not have, nothing can be said but that it is executed. */
static const struct w_command *
find_command(struct w_frame *frame, const char *name)
{
	const struct w_command_source *source = frame->judge->source;
	const struct w_command *command =
	    source->find(source->ctx, name, strlen(name));
	const char *why = NULL;

	if (command != NULL)
		return command;
	if (source->why_not != NULL)
		why = source->why_not(source->ctx, name, strlen(name));
	touch_program(frame, name, not_looked_into);
	if (why != NULL)
		w_frame_refuse(frame, 0, 0, "%s", why);
	else
		refuse_program(frame, name);
	return NULL;
}

static bool
parse_words(struct w_frame *frame, const struct w_command *command)
{
	struct w_meaning *meaning = frame->meaning;
	const struct w_parse_input input = {.argv = meaning->argv,
	    .argc = meaning->argc,
	    .is_open_ended = (frame->setting.how & W_INNER_APPENDED) != 0};
	struct w_parse_fault fault = {.word = 0};
	writ_error err;

	if (w_parse(command, &input, &meaning->parse, &fault, &err) !=
	    WRIT_OK) {
		meaning->parse = (struct w_parse){.form = NULL};
		w_frame_refuse_error(frame, fault.word, fault.offset, &err);
		return false;
	}
	if (meaning->parse.node != NULL)
		meaning->id = meaning->parse.node->id;
	return true;
}

static void
judge_parse(struct w_frame *frame)
{
	struct w_meaning *meaning = frame->meaning;
	const struct w_parse *parse = &meaning->parse;

	meaning->helpers = parse->form->helpers;
	if (!parse->form->are_effects_known)
		w_frame_refuse(frame, 0, 0,
		    "its description does not say what '%.64s' does",
		    meaning->argv[0]);
	w_frame_change_bases(frame);
	w_frame_own_variables(frame);
	for (size_t i = 0; i < parse->count; i++)
		w_frame_match(frame, &parse->matches[i]);
	w_frame_scripts(frame);
	w_frame_defaults(frame);
	w_frame_rules(frame);
	w_frame_worst(frame);
}

void
w_frame_judge(struct w_frame *frame)
{
	struct w_meaning *meaning = frame->meaning;
	const struct w_command_source *source = frame->judge->source;

	if (meaning->argc == 0) {
		w_frame_refuse(frame, 0, 0, "there is no command");
		return;
	}
	const char *name = program_name(frame);
	if (name == NULL) {
		w_frame_likely_secrets(frame, NULL);
		return;
	}
	const struct w_command *command = find_command(frame, name);
	if (command == NULL) {
		w_frame_likely_secrets(frame, NULL);
		return;
	}
	if (source->origin != NULL)
		meaning->origin = source->origin(source->ctx, command);
	if (source->is_claim != NULL &&
	    source->is_claim(source->ctx, name, strlen(name)))
		touch_program(
		    frame, name, "nobody but the project describes it");
	if (parse_words(frame, command)) {
		judge_parse(frame);
	} else {
		touch_program(frame, name, not_looked_into);
		w_frame_likely_secrets(frame, command);
	}
}
