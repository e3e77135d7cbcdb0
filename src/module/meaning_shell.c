/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shell strings: every simple command is one inside, redirections are touches
 * of the command that has them, and what the shell remembers (its directory,
 * its variables) goes from each to the next.
 *
 * Directories: "cd a && b" runs b in a. Behind ";" nobody knows whether cd
 * worked, so both directories count. Behind "||" and in a pipe it is not
 * followed at all.
 */

#include <string.h>

#include "module/meaning_frame.h"

/* Where bytes of the text stand in the argv: words that were joined stand in
 * several. */
static void
place_of(const struct w_frame *frame, const struct w_shell_text *shell,
    size_t at, size_t *out_word, size_t *out_offset)
{
	size_t word = shell->word;
	size_t offset = shell->offset + at;

	for (size_t i = 1; i < shell->joined_words; i++) {
		size_t len = strlen(frame->meaning->argv[word]);

		if (offset <= len)
			break;
		offset -= len + 1;
		word++;
	}
	*out_word = word;
	*out_offset = offset;
}

void
w_frame_shell_secret(struct w_frame *frame, const struct w_shell_text *shell,
    size_t from, size_t to)
{
	while (from < to) {
		size_t word;
		size_t offset;
		size_t len = to - from;

		place_of(frame, shell, from, &word, &offset);
		if (shell->joined_words > 0) {
			size_t left =
			    strlen(frame->meaning->argv[word]) - offset;
			len = len < left ? len : left;
		}
		w_frame_secret(frame, word, offset, len);
		from += len + 1;
	}
}

static void
refuse_at(struct w_frame *frame, const struct w_shell_text *shell, size_t at,
    const writ_error *err)
{
	size_t word;
	size_t offset;

	place_of(frame, shell, at, &word, &offset);
	w_frame_refuse_error(frame, word, offset, err);
}

/* What has no name in a file system. */
static bool
is_stream(const char *path)
{
	static const char *const streams[] = {
	    "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", NULL};

	for (size_t i = 0; streams[i] != NULL; i++) {
		if (strcmp(path, streams[i]) == 0)
			return true;
	}
	return false;
}

static void
judge_redirection(struct w_frame *frame, const struct w_redirection *one)
{
	static const unsigned effects[] = {[W_REDIRECT_READ] = W_EFFECT_READ,
	    [W_REDIRECT_WRITE] = W_EFFECT_WRITE,
	    [W_REDIRECT_APPEND] = W_EFFECT_WRITE,
	    [W_REDIRECT_READ_WRITE] = W_EFFECT_READ | W_EFFECT_WRITE};
	const struct w_source_place from = {
	    .word = frame->meaning->argc, .why = "redirected"};
	const char *path = one->path;

	if (is_stream(path))
		return;
	w_frame_path(frame, effects[one->kind], path, strlen(path), &from);
}

static void
judge_part(struct w_frame *frame, struct w_shell_walk *walk,
    const struct w_shell_part *part, bool is_program)
{
	const struct w_source_place from = {.word = frame->meaning->argc};
	const char *const *assignment = part->assignments;

	frame->setting.bases = walk->now;
	frame->setting.variables = walk->variables;
	for (; assignment != NULL && *assignment != NULL; assignment++)
		w_frame_assign(frame, *assignment, &from);
	/* Before a command of the shell's own they stay, and who looks at one
	 * that is set too often only sees more. */
	walk->variables = frame->setting.variables;
	for (size_t i = 0; i < part->redirection_count; i++)
		judge_redirection(frame, &part->redirections[i]);
	frame->meaning->is_builtin =
	    part->argc == 0 || (!is_program && w_frame_builtin(frame, walk));
	if (!frame->meaning->is_builtin)
		w_frame_judge(frame);
}

static void
run_part(struct w_frame *frame, const struct w_shell_text *shell,
    struct w_shell_walk *walk, const struct w_shell *taken, size_t i)
{
	const struct w_shell_part *part = &taken->parts[i];
	struct w_spelled spelled = {.shell = shell,
	    .part = part,
	    .end =
		i + 1 < taken->count ? taken->parts[i + 1].offset : shell->len};
	struct w_inner_words words = {
	    .argv = part->argv, .argc = part->argc, .how = shell->how};
	struct w_frame inside;
	size_t word;
	size_t offset;

	place_of(frame, shell, part->offset, &word, &offset);
	words.word = word;
	words.offset = offset;
	struct w_inner *inner = w_frame_enter(frame, &words, &inside);
	if (inner == NULL) {
		w_frame_loose_secrets(frame, shell);
		return;
	}
	inner->is_shell = true;
	judge_part(&inside, walk, part, shell->is_one_command);
	w_frame_leave(frame, inner, offset, true);
	spelled.meaning = inner->meaning;
	w_frame_spelled_secrets(frame, &spelled);
}

/* Whether a list up to the next ";" has "||" in it. */
static bool
has_or(const struct w_shell *taken, size_t from)
{
	for (size_t i = from; i < taken->count; i++) {
		if (taken->parts[i].joint == W_JOINT_OR)
			return true;
		if (taken->parts[i].joint == W_JOINT_THEN)
			return false;
	}
	return false;
}

static void
run_parts(struct w_frame *frame, const struct w_shell_text *shell,
    const struct w_shell *taken)
{
	struct w_shell_walk walk = {.now = frame->setting.bases,
	    .seen = frame->setting.bases,
	    .variables = frame->setting.variables};
	bool is_list_plain = !has_or(taken, 0);

	for (size_t i = 0; i < taken->count; i++) {
		bool is_piped =
		    taken->parts[i].joint == W_JOINT_PIPE ||
		    (i > 0 && taken->parts[i - 1].joint == W_JOINT_PIPE);

		walk.may_cd =
		    is_list_plain && !is_piped && !frame->setting.is_cd_unknown;
		run_part(frame, shell, &walk, taken, i);
		if (taken->parts[i].joint == W_JOINT_THEN) {
			walk.now = walk.seen;
			is_list_plain = !has_or(taken, i + 1);
		}
	}
}

static bool
is_one_plain_command(const struct w_shell *taken)
{
	return taken->count == 1 && taken->parts[0].argc > 0 &&
	       taken->parts[0].redirection_count == 0 &&
	       taken->parts[0].assignments == NULL;
}

static void
hide_opaque(struct w_frame *frame, const struct w_shell_text *shell)
{
	w_frame_opaque_secrets(frame, shell->word, shell->offset);
	for (size_t i = 1; i < shell->joined_words; i++)
		w_frame_opaque_secrets(frame, shell->word + i, 0);
	w_frame_loose_secrets(frame, shell);
}

/* What is opaque may be anything. */
static void
refuse_opaque(struct w_frame *frame, const struct w_shell_text *shell,
    size_t at, const writ_error *err)
{
	const struct w_source_place from = {
	    .word = shell->word, .why = "shell commands that cannot be told"};

	w_frame_effects(frame, W_EFFECT_CODE, &from);
	refuse_at(frame, shell, at, err);
	hide_opaque(frame, shell);
}

/* NULL: it is opaque, which has been said. */
static const struct w_shell *
take_apart(struct w_frame *frame, const struct w_shell_text *shell)
{
	const struct w_source_place from = {
	    .word = shell->word, .why = "shell commands that cannot be told"};
	size_t at = 0;
	writ_error err;

	/* None of them could be looked into, and each would take memory. */
	if (frame->judge->inner_count >= W_MEANING_INNER_MAX) {
		(void)w_fail(&err, WRIT_E_INVALID, "meaning", 0,
		    "there are too many commands in one");
		refuse_opaque(frame, shell, 0, &err);
		return NULL;
	}
	struct w_taken_apart *taken = w_frame_alloc(frame, 1, sizeof(*taken));
	if (taken == NULL)
		return NULL;
	if (w_shell_take_apart(
		shell->text, shell->len, &taken->shell, &at, &err) != WRIT_OK) {
		refuse_opaque(frame, shell, at, &err);
		return NULL;
	}
	taken->next = frame->judge->shells;
	frame->judge->shells = taken;
	if (shell->is_one_command && !is_one_plain_command(&taken->shell)) {
		w_frame_effects(frame, W_EFFECT_CODE, &from);
		w_frame_refuse(frame, shell->word, shell->offset,
		    "more than one plain command where a program is expected");
		hide_opaque(frame, shell);
		return NULL;
	}
	return &taken->shell;
}

void
w_frame_shell(struct w_frame *frame, const struct w_shell_text *shell)
{
	const struct w_source_place from = {.word = shell->word};
	bool is_added_to = (shell->how & W_INNER_APPENDED) != 0;

	/* What is put into a text that a shell reads can be anything. */
	if ((is_added_to && !shell->is_one_command) ||
	    w_frame_is_placed(frame, shell->text, shell->len)) {
		w_frame_effects(frame, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_frame_refuse(frame, shell->word, shell->offset,
		    "a part of the shell commands comes only when it runs");
		hide_opaque(frame, shell);
		return;
	}
	const struct w_shell *taken = take_apart(frame, shell);
	if (taken != NULL)
		run_parts(frame, shell, taken);
}
