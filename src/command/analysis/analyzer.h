/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ANALYZER_H
#define W_COMMAND_ANALYZER_H

#include <stdbool.h>
#include <stddef.h>

#include "command/analysis/analysis.h"
#include "command/shell/shell.h"

/*
 * Judging one command: what the files of meaning share.
 *
 * A frame is one command while it is judged, on the stack; the meaning that it
 * fills stays. Nothing here returns a status: what cannot be said makes the
 * command one that is not understood, and what needed memory that is not there
 * is remembered in the judge.
 */

/* A shell string that was taken apart: its words are those of meanings. */
struct w_parsed_shell {
	struct w_shell shell;
	struct w_parsed_shell *next;
};

/* What the commands of one argv have in common. */
struct w_analysis_shared {
	const struct w_command_source *source;
	struct w_arena *arena;
	struct w_parsed_shell *shells;
	size_t inner_count;
	bool is_loose;      /* while a text is looked through for secrets */
	size_t loose_count; /* commands that were guessed for that */
	bool is_out_of_memory;
};

/* The directories that a command may run in, as far as its paths are
 * relative: "" is that of the request. */
#define W_BASES_MAX 8
struct w_bases {
	const char *paths[W_BASES_MAX];
	size_t count;
};

/* A variable that is set around a command. */
struct w_variable_set {
	const char *name; /* NUL-ended */
	const struct w_variable_set *next;
};

/* What is around a command. */
struct w_command_context {
	struct w_bases bases;
	const struct w_variable_set *variables;
	unsigned how; /* W_INNER_ bits that hold for its words and paths */
	const char *const *placeholders; /* besides "{}"; NULL-ended; NULL */
	bool is_placed_freely;           /* what is placed may begin with '-' */
	bool is_cd_unknown; /* a change of directory would go unseen */
	size_t depth;
};

struct w_analyzer {
	struct w_analysis_shared *judge;
	struct w_analysis *analysis;
	struct w_command_context setting;
	size_t touch_cap;
	size_t inner_cap;
	size_t secret_cap;
};

/* Where something comes from. */
struct w_source_place {
	size_t word;
	const struct w_param *param;
	const char *why;
};

/* ---- analyzer.c: what a frame collects ---- */

void *w_analyzer_alloc(struct w_analyzer *analyzer, size_t count, size_t size);

/* A touch for every bit. */
void w_analyzer_touch(
    struct w_analyzer *analyzer, unsigned effects, const struct w_touch *touch);

/* The same with nothing said about where. */
void w_analyzer_effects(struct w_analyzer *analyzer, unsigned effects,
    const struct w_source_place *from);

/* A path as it is spelled, of whichever directory the command runs in. */
void w_analyzer_path(struct w_analyzer *analyzer, unsigned effects,
    const char *path, size_t len, const struct w_source_place *from);

/* A host; NULL: known only when it runs. */
void w_analyzer_host(struct w_analyzer *analyzer, unsigned effects,
    const char *host, size_t len, const struct w_source_place *from);

void w_analyzer_secret(
    struct w_analyzer *analyzer, size_t word, size_t offset, size_t len);

/* Makes it something that is not understood. The first reason stays. */
void w_analyzer_refuse(struct w_analyzer *analyzer, size_t word, size_t offset,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void w_analyzer_refuse_error(struct w_analyzer *analyzer, size_t word,
    size_t offset, const writ_error *err);

/* Whether a part of that text is known only when it runs. */
bool w_analyzer_is_placed(
    const struct w_analyzer *analyzer, const char *text, size_t len);

/* Whether even its first byte is. */
bool w_analyzer_is_placed_first(
    const struct w_analyzer *analyzer, const char *text);

/* Whether one of the parts, which are in small letters, is anywhere in a text,
 * in any case. */
bool w_analyzer_has_part(
    const char *text, size_t len, const char *const *parts);

/* Whether a variable of that name holds a secret, by the looks of it. */
bool w_analyzer_is_secret_name(const char *name, size_t len);

/* A variable that is set: NAME=value, or NAME. */
void w_analyzer_assign(struct w_analyzer *analyzer, const char *text,
    const struct w_source_place *from);

/* ---- analysis.c ---- */

/* Gives back what a meaning and those inside have besides the arena. */
void w_analysis_release(struct w_analysis *analysis);

/* ---- analyzer_argv.c ---- */

/* Judges the words of the frame's meaning. */
void w_analyzer_run(struct w_analyzer *analyzer);

/* ---- effect_value.c ---- */

/* What the values of one use of a parameter say. */
void w_analyzer_match(struct w_analyzer *analyzer, const struct w_match *match);

/* The directories that options change to. */
void w_analyzer_change_bases(struct w_analyzer *analyzer);

/* Marks what is secret in the value of a header at that offset of a word. */
void w_analyzer_header_secret(
    struct w_analyzer *analyzer, size_t word, size_t offset);

/* An effect on one value, as far as it is one of that kind. */
void w_analyzer_value_effect(struct w_analyzer *analyzer, unsigned effect,
    const struct w_value_type *type, const char *text,
    const struct w_source_place *from);

/* ---- secret_likely.c ---- */

/* Secrets in words that could not be parsed, as far as they look like some:
 * what is not understood is shown, too. */
void w_analyzer_likely_secrets(
    struct w_analyzer *analyzer, const struct w_command *command);

/* Likewise in a text from that offset on. */
void w_analyzer_text_secrets(
    struct w_analyzer *analyzer, size_t word, size_t offset);

/* Likewise in shell commands that could not be taken apart. */
void w_analyzer_opaque_secrets(
    struct w_analyzer *analyzer, size_t word, size_t offset);

/* ---- effect_rule.c ---- */

void w_analyzer_rules(struct w_analyzer *analyzer);

/* Whether it runs on a terminal of this machine. */
bool w_analyzer_has_terminal(const struct w_analyzer *analyzer);
void w_analyzer_cases(struct w_analyzer *analyzer, const struct w_match *match);
void w_analyzer_defaults(struct w_analyzer *analyzer);

/* Whether an operand is there at all, by what else is given. */
bool w_analyzer_has_operand(
    const struct w_analyzer *analyzer, const struct w_param *param);
void w_analyzer_own_variables(struct w_analyzer *analyzer);

/* ---- effect_worst.c ---- */

/* What words could do that the argv does not show. */
void w_analyzer_worst(struct w_analyzer *analyzer);

/* ---- inner_command.c ---- */

/* Words of the frame's argv, or of a shell string in it, that are a command. */
struct w_inner_words {
	const char *const *argv;
	size_t argc;
	unsigned how;
	size_t word;   /* where they begin in the outer argv */
	size_t offset; /* and where in that word */
};

/* A new command inside; NULL: there are too many, or no memory. *out_frame is
 * the frame to judge it with. */
struct w_inner *w_analyzer_enter(struct w_analyzer *analyzer,
    const struct w_inner_words *words, struct w_analyzer *out_analyzer);

/* What is inside counts outside. The words are those of the argv, the first
 * one from that offset on, or all stand at one place (of a shell string): then
 * its secrets have to be found there by who knows it. */
void w_analyzer_leave(struct w_analyzer *analyzer, const struct w_inner *inner,
    size_t offset, bool is_one_place);

/* Words of the argv that are a command, joined with blanks and given to a
 * shell. */
void w_analyzer_run_joined(
    struct w_analyzer *analyzer, const struct w_inner_words *words);

/* A value of type command, which goes on for count words. */
void w_analyzer_command(
    struct w_analyzer *analyzer, const struct w_match *match, size_t skip);
void w_analyzer_program(
    struct w_analyzer *analyzer, const struct w_match *match, size_t skip);

/* ---- analyzer_shell.c ---- */

/* A text that a shell is given, and where it stands. */
struct w_shell_text {
	const char *text;
	size_t len;
	unsigned how;
	size_t word;
	size_t offset;
	size_t joined_words; /* it was made of that many words; 0: it is one */
	bool is_one_command; /* more is not understood */
};

void w_analyzer_shell(
    struct w_analyzer *analyzer, const struct w_shell_text *shell);

/* Marks bytes of the text as secret, wherever in the argv they stand. */
void w_analyzer_shell_secret(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to);

/* ---- secret_guessed.c ---- */

/* Secrets in a text that was not taken apart, by guessing where its commands
 * begin and end: what they would hide
 * is hidden. Nothing else comes of a guess. */
void w_analyzer_loose_secrets(
    struct w_analyzer *analyzer, const struct w_shell_text *shell);

/* How many bytes of a text for a shell come before one that begins a command
 * in the middle of a word. */
size_t w_shell_plain_len(const char *text, size_t len);

/* ---- secret_quoted.c ---- */

/* A command of a shell string, and where it ends there. */
struct w_spelled {
	const struct w_shell_text *shell;
	const struct w_simple_command *part;
	const struct w_analysis *analysis;
	size_t end;
};

/* Marks the secrets of that command where they are spelled; all of it where
 * that cannot be told. */
void w_analyzer_spelled_secrets(
    struct w_analyzer *analyzer, const struct w_spelled *spelled);

/* ---- base_directories.c ---- */

/* Goes to a directory from each of the bases. false: there are too many, or
 * they are too deep, and nothing has changed. */
bool w_bases_enter(struct w_analysis_shared *judge, struct w_bases *bases,
    const char *path, size_t len);

/* Adds those of the other. false: there are too many. */
bool w_bases_join(struct w_bases *bases, const struct w_bases *more);

/* As a shell does it, where ".." takes back the last part. */
bool w_bases_cd(
    struct w_analysis_shared *judge, struct w_bases *bases, const char *path);

/* ---- shell_builtin.c ---- */

/* What a shell remembers from one command to the next. */
struct w_shell_walk {
	struct w_bases now;
	struct w_bases seen; /* of this list up to the next ';' */
	const struct w_variable_set *variables;
	bool may_cd; /* this part */
};

/* false: it is no command of the shell's own. */
bool w_analyzer_builtin(struct w_analyzer *analyzer, struct w_shell_walk *walk);

/* ---- analyzer_script.c ---- */

/* The programs of sed, awk and jq among the values, each language joined. */
void w_analyzer_scripts(struct w_analyzer *analyzer);

#endif /* W_COMMAND_ANALYZER_H */
