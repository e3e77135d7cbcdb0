/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shell strings: every simple command is a nested command, redirections are
 * touches of their command, and shell state (directory, variables) carries over
 * from one command to the next.
 *
 * Directories: "cd a && b" runs b in a. After ";" it is unknown whether cd
 * worked, so both directories apply. After "||" and in a pipe, cd is not
 * understood.
 */

#include <string.h>

#include "command/analysis/analyzer.h"

/* Where bytes of the text are in the argv: joined words span several. */
static void
analyzer_shell_place_of(const struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t at, size_t *out_word,
    size_t *out_offset)
{
	size_t word = shell->word;
	size_t offset = shell->offset + at;

	for (size_t i = 1; i < shell->joined_words; i++) {
		size_t len = strlen(analyzer->analysis->argv[word]);

		if (offset <= len)
			break;
		offset -= len + 1;
		word++;
	}
	*out_word = word;
	*out_offset = offset;
}

void
w_analyzer_shell_secret(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to)
{
	while (from < to) {
		size_t word;
		size_t offset;
		size_t len = to - from;

		analyzer_shell_place_of(analyzer, shell, from, &word, &offset);
		if (shell->joined_words > 0) {
			size_t left =
			    strlen(analyzer->analysis->argv[word]) - offset;
			len = len < left ? len : left;
		}
		w_analyzer_secret(analyzer, word, offset, len);
		from += len + 1;
	}
}

/* What has no name in the file system. */
static bool
analyzer_shell_is_stream(const char *path)
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
analyze_redirection(
    struct w_analyzer *analyzer, const struct w_redirection *one)
{
	static const unsigned effects[] = {[W_REDIRECT_READ] = W_EFFECT_READ,
	    [W_REDIRECT_WRITE] = W_EFFECT_WRITE,
	    [W_REDIRECT_APPEND] = W_EFFECT_WRITE,
	    [W_REDIRECT_READ_WRITE] = W_EFFECT_READ | W_EFFECT_WRITE};
	const struct w_source_place from = {
	    .word = analyzer->analysis->argc, .why = "redirected"};
	const char *path = one->path;

	if (analyzer_shell_is_stream(path))
		return;
	w_analyzer_path(
	    analyzer, effects[one->kind], path, strlen(path), &from);
}

static void
analyze_part(struct w_analyzer *analyzer, struct w_shell_walk *walk,
    const struct w_simple_command *part, bool is_program)
{
	const struct w_source_place from = {.word = analyzer->analysis->argc};
	const char *const *assignment = part->assignments;

	analyzer->context.bases = walk->now;
	analyzer->context.variables = walk->variables;
	for (; assignment != NULL && *assignment != NULL; assignment++)
		w_analyzer_assign(analyzer, *assignment, &from);
	/* Before a builtin the variables stay set. Keeping one too long only
	 * adds effects. */
	walk->variables = analyzer->context.variables;
	for (size_t i = 0; i < part->redirection_count; i++)
		analyze_redirection(analyzer, &part->redirections[i]);
	analyzer->analysis->is_builtin =
	    part->argc == 0 ||
	    (!is_program && w_analyzer_builtin(analyzer, walk));
	if (!analyzer->analysis->is_builtin)
		w_analyzer_run(analyzer);
}

static void
run_part(struct w_analyzer *analyzer, const struct w_shell_text *shell,
    struct w_shell_walk *walk, const struct w_shell *parsed, size_t i)
{
	const struct w_simple_command *part = &parsed->parts[i];
	struct w_quoted_command quoted = {.shell = shell,
	    .part = part,
	    .end = i + 1 < parsed->count ? parsed->parts[i + 1].offset
					 : shell->len};
	struct w_inner_words words = {
	    .argv = part->argv, .argc = part->argc, .how = shell->how};
	struct w_analyzer inside;
	size_t word;
	size_t offset;

	analyzer_shell_place_of(analyzer, shell, part->offset, &word, &offset);
	words.word = word;
	words.offset = offset;
	struct w_inner *inner = w_analyzer_enter(analyzer, &words, &inside);
	if (inner == NULL) {
		w_analyzer_guessed_secrets(analyzer, shell);
		return;
	}
	inner->is_shell = true;
	analyze_part(&inside, walk, part, shell->is_one_command);
	w_analyzer_leave(analyzer, inner, offset, true);
	quoted.analysis = inner->analysis;
	w_analyzer_quoted_secrets(analyzer, &quoted);
}

/* Whether the list up to the next ";" contains "||". */
static bool
has_or(const struct w_shell *parsed, size_t from)
{
	for (size_t i = from; i < parsed->count; i++) {
		if (parsed->parts[i].control == W_CONTROL_OR)
			return true;
		if (parsed->parts[i].control == W_CONTROL_THEN)
			return false;
	}
	return false;
}

static void
run_parts(struct w_analyzer *analyzer, const struct w_shell_text *shell,
    const struct w_shell *parsed)
{
	struct w_shell_walk walk = {.now = analyzer->context.bases,
	    .seen = analyzer->context.bases,
	    .variables = analyzer->context.variables};
	bool is_list_plain = !has_or(parsed, 0);

	for (size_t i = 0; i < parsed->count; i++) {
		bool is_piped =
		    parsed->parts[i].control == W_CONTROL_PIPE ||
		    (i > 0 && parsed->parts[i - 1].control == W_CONTROL_PIPE);

		walk.may_cd = is_list_plain && !is_piped &&
			      !analyzer->context.is_cd_unknown;
		run_part(analyzer, shell, &walk, parsed, i);
		if (parsed->parts[i].control == W_CONTROL_THEN) {
			walk.now = walk.seen;
			is_list_plain = !has_or(parsed, i + 1);
		}
	}
}

static bool
is_one_plain_command(const struct w_shell *parsed)
{
	return parsed->count == 1 && parsed->parts[0].argc > 0 &&
	       parsed->parts[0].redirection_count == 0 &&
	       parsed->parts[0].assignments == NULL;
}

static void
hide_opaque(struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	w_analyzer_opaque_secrets(analyzer, shell->word, shell->offset);
	for (size_t i = 1; i < shell->joined_words; i++)
		w_analyzer_opaque_secrets(analyzer, shell->word + i, 0);
	w_analyzer_guessed_secrets(analyzer, shell);
}

/* An opaque string may do anything. */
static void
refuse_opaque(struct w_analyzer *analyzer, const struct w_shell_text *shell,
    size_t at, const writ_error *err)
{
	const struct w_source_place from = {
	    .word = shell->word, .why = "shell commands that writ cannot tell"};
	size_t word;
	size_t offset;

	w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);
	analyzer_shell_place_of(analyzer, shell, at, &word, &offset);
	w_analyzer_refuse_error(analyzer, word, offset, err);
	hide_opaque(analyzer, shell);
}

/* NULL: it is opaque, and has been refused. */
static const struct w_shell *
analyzer_shell_parse(
    struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	const struct w_source_place from = {
	    .word = shell->word, .why = "shell commands that writ cannot tell"};
	size_t at = 0;
	writ_error err;

	/* None of them could be analyzed, and each would take memory. */
	if (analyzer->shared->inner_count >= W_ANALYSIS_INNER_MAX) {
		(void)w_fail(&err, WRIT_E_INVALID, "meaning", 0,
		    "there are too many commands in one");
		refuse_opaque(analyzer, shell, 0, &err);
		return NULL;
	}
	struct w_parsed_shell *parsed =
	    w_analyzer_alloc(analyzer, 1, sizeof(*parsed));
	if (parsed == NULL)
		return NULL;
	if (w_shell_parse(shell->text, shell->len, &parsed->shell, &at, &err) !=
	    WRIT_OK) {
		refuse_opaque(analyzer, shell, at, &err);
		return NULL;
	}
	parsed->next = analyzer->shared->shells;
	analyzer->shared->shells = parsed;
	if (shell->is_one_command && !is_one_plain_command(&parsed->shell)) {
		w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);
		w_analyzer_refuse(analyzer, shell->word, shell->offset,
		    "more than one plain command where a program is expected");
		hide_opaque(analyzer, shell);
		return NULL;
	}
	return &parsed->shell;
}

void
w_analyzer_shell(struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	const struct w_source_place from = {.word = shell->word};
	bool is_added_to = (shell->how & W_INNER_APPENDED) != 0;

	/* Text inserted into a shell string can be any command. */
	if ((is_added_to && !shell->is_one_command) ||
	    w_analyzer_is_placed(analyzer, shell->text, shell->len)) {
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_analyzer_refuse(analyzer, shell->word, shell->offset,
		    "a part of the shell commands comes only when it runs");
		hide_opaque(analyzer, shell);
		return;
	}
	const struct w_shell *parsed = analyzer_shell_parse(analyzer, shell);
	if (parsed != NULL)
		run_parts(analyzer, shell, parsed);
}
