/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ANALYZER_H
#define W_COMMAND_ANALYZER_H

#include <stdbool.h>
#include <stddef.h>

#include "command/analysis/analysis.h"
#include "command/shell/shell.h"
#include "command/shell/shell_expansion.h"

/*
 * Analyzing one command: what the files of this folder share.
 *
 * A struct w_analyzer is one command while it is analyzed, on the stack; the
 * analysis that it fills stays. Nothing here returns a status: what is unknown
 * makes the command "not understood", and a failed allocation is remembered in
 * the shared state.
 */

/* A parsed shell string: the analyses point to its words. */
struct w_parsed_shell {
	struct w_shell shell;
	struct w_parsed_shell *next;
};

/* State shared by all commands of one argv. */
struct w_analysis_shared {
	const struct w_command_source *source;
	struct w_arena *arena;
	struct w_parsed_shell *shells;
	size_t inner_count;
	bool is_guessing;   /* while a text is searched for secrets */
	size_t guess_count; /* commands that were guessed for that */
	bool is_out_of_memory;
};

/* The directories that a command may run in, for its relative paths: "" is that
 * of the request. */
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

/* The surroundings of a command. */
struct w_command_context {
	struct w_bases bases;
	const struct w_variable_set *variables;
	unsigned how; /* W_INNER_ bits that apply to its words and paths */
	const char *const *placeholders; /* besides "{}"; NULL-ended; NULL */
	bool is_placed_freely; /* the inserted text may begin with '-' */
	/* What a shell inserts into the words of this command. */
	const struct w_unseen *unseen;
	size_t unseen_count;
	bool is_cd_unknown; /* a change of directory would go unseen */
	size_t depth;
};

struct w_analyzer {
	struct w_analysis_shared *shared;
	struct w_analysis *analysis;
	struct w_command_context context;
	size_t touch_cap;
	size_t inner_cap;
	size_t secret_cap;
};

/* Where something comes from. */
struct w_source_place {
	size_t word;
	const struct w_param *param;
	const char *why;
	bool is_possible; /* see struct w_touch */
};

/* ---- analyzer.c: what an analyzer collects ---- */

void *w_analyzer_alloc(struct w_analyzer *analyzer, size_t count, size_t size);

/* Adds a touch for every bit. */
void w_analyzer_touch(
    struct w_analyzer *analyzer, unsigned effects, const struct w_touch *touch);

/* The same without a target. */
void w_analyzer_effects(struct w_analyzer *analyzer, unsigned effects,
    const struct w_source_place *from);

/* A path as written, relative to each directory the command may run in. */
void w_analyzer_path(struct w_analyzer *analyzer, unsigned effects,
    const char *path, size_t len, const struct w_source_place *from);

/* A host; NULL: known only at run time. */
void w_analyzer_host(struct w_analyzer *analyzer, unsigned effects,
    const char *host, size_t len, const struct w_source_place *from);

void w_analyzer_secret(
    struct w_analyzer *analyzer, size_t word, size_t offset, size_t len);

/* Marks the command as not understood. The first reason is kept. */
void w_analyzer_refuse(struct w_analyzer *analyzer, size_t word, size_t offset,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void w_analyzer_refuse_error(struct w_analyzer *analyzer, size_t word,
    size_t offset, const writ_error *err);

/* Whether a part of that text is known only at run time. */
bool w_analyzer_is_placed(
    const struct w_analyzer *analyzer, const char *text, size_t len);

/* The first part of that text that a shell inserts; NULL: none. */
const struct w_unseen *w_analyzer_unseen(
    const struct w_analyzer *analyzer, const char *text, size_t len);

/* Whether that is true even of its first byte. */
bool w_analyzer_is_placed_first(
    const struct w_analyzer *analyzer, const char *text);

/* Whether a text contains one of the parts, ignoring case. Parts are lower
 * case. */
bool w_analyzer_has_part(
    const char *text, size_t len, const char *const *parts);

/* Whether a variable of that name probably holds a secret. */
bool w_analyzer_is_secret_name(const char *name, size_t len);

/* A variable that is set: NAME=value, or just NAME. */
void w_analyzer_assign(struct w_analyzer *analyzer, const char *text,
    const struct w_source_place *from);

/* ---- analysis.c ---- */

/* Frees what an analysis and the nested ones own besides the arena. */
void w_analysis_release(struct w_analysis *analysis);

/* ---- analyzer_argv.c ---- */

/* Analyzes the words of the analyzer's command. */
void w_analyzer_run(struct w_analyzer *analyzer);

/* ---- effect_value.c ---- */

/* The effects of the values of one use of a parameter. */
void w_analyzer_match(struct w_analyzer *analyzer, const struct w_match *match);

/* Applies the options that change the directory. */
void w_analyzer_change_bases(struct w_analyzer *analyzer);

/* Marks what is secret in a header's value at that offset of a word. */
void w_analyzer_header_secret(
    struct w_analyzer *analyzer, size_t word, size_t offset);

/* Applies an effect to one value, as far as its type fits. */
void w_analyzer_value_effect(struct w_analyzer *analyzer, unsigned effect,
    const struct w_value_type *type, const char *text,
    const struct w_source_place *from);

/* ---- secret_likely.c ---- */

/* Hides what looks like a secret in words that could not be parsed: they are
 * shown in records, too. */
void w_analyzer_likely_secrets(
    struct w_analyzer *analyzer, const struct w_command *command);

/* The same for a text from that offset on. */
void w_analyzer_text_secrets(
    struct w_analyzer *analyzer, size_t word, size_t offset);

/* The same for shell commands that could not be parsed. */
void w_analyzer_opaque_secrets(
    struct w_analyzer *analyzer, size_t word, size_t offset);

/* ---- effect_rule.c ---- */

void w_analyzer_rules(struct w_analyzer *analyzer);
bool w_analyzer_rule_holds(
    const struct w_analyzer *analyzer, const struct w_grammar_rule *rule);

/* Whether a word with parts that a shell inserts becomes no address: these are
 * names of files ("pkg[extra]" is a pattern), which have no slash, digits, or
 * the home directory, and "//" is not written. */
bool w_analyzer_is_no_address(
    const struct w_analyzer *analyzer, const char *text);

/* Whether it runs on a terminal of this machine. */
bool w_analyzer_has_terminal(const struct w_analyzer *analyzer);
void w_analyzer_cases(struct w_analyzer *analyzer, const struct w_match *match);
void w_analyzer_defaults(struct w_analyzer *analyzer);

/* Whether an operand is present at all, given the options used. */
bool w_analyzer_has_operand(
    const struct w_analyzer *analyzer, const struct w_param *param);
void w_analyzer_own_variables(struct w_analyzer *analyzer);

/* ---- effect_worst.c ---- */

/* The worst that words could do which the argv does not show. */
void w_analyzer_worst(struct w_analyzer *analyzer);

/* ---- inner_command.c ---- */

/* Words of the argv, or of a shell string in it, that are a command. */
struct w_inner_words {
	const char *const *argv;
	size_t argc;
	unsigned how;
	size_t word;   /* where they begin in the outer argv */
	size_t offset; /* and where in that word */
};

/* Adds a nested command; NULL: there are too many, or no memory. *out_analyzer
 * is the analyzer for it. */
struct w_inner *w_analyzer_enter(struct w_analyzer *analyzer,
    const struct w_inner_words *words, struct w_analyzer *out_analyzer);

/* Adds the nested command's effects to the outer one. Its words are those of
 * the argv, the first one from that offset on; or all are at one place (a shell
 * string): then the caller, who knows the place, must hide its secrets. */
void w_analyzer_leave(struct w_analyzer *analyzer, const struct w_inner *inner,
    size_t offset, bool is_one_place);

/* Words of the argv that are joined with blanks and given to a shell. */
void w_analyzer_run_joined(
    struct w_analyzer *analyzer, const struct w_inner_words *words);

/* A value of type command, count words long. */
void w_analyzer_command(
    struct w_analyzer *analyzer, const struct w_match *match, size_t skip);
void w_analyzer_program(
    struct w_analyzer *analyzer, const struct w_match *match, size_t skip);

/* ---- analyzer_shell.c ---- */

/* A text for a shell, and where it is. */
struct w_shell_text {
	const char *text;
	size_t len;
	unsigned how;
	size_t word;
	size_t offset;
	size_t joined_words; /* it was joined from that many words; 0: it is one
				word */
	bool is_one_command; /* only a single command is understood */
	bool is_bash;        /* bash will run it */
	bool has_history;    /* "!" may recall a command */
};

void w_analyzer_shell(
    struct w_analyzer *analyzer, const struct w_shell_text *shell);

/* Marks bytes of the text as secret, in whichever words of the argv they
 * are. */
void w_analyzer_shell_secret(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to);

/* ---- secret_guessed.c ---- */

/* Hides secrets in a text that could not be parsed, by guessing where its
 * commands begin and end and hiding what they would hide. A guess has no other
 * effect. */
void w_analyzer_guessed_secrets(
    struct w_analyzer *analyzer, const struct w_shell_text *shell);

/* The same for words that were not understood: a known command may begin at any
 * of them. */
void w_analyzer_guessed_words(struct w_analyzer *analyzer);

/* How many bytes of a shell text precede a byte that begins a command in the
 * middle of a word. */
size_t w_shell_plain_len(const char *text, size_t len);

/* ---- secret_quoted.c ---- */

/* A command of a shell string, and where it is there. */
struct w_quoted_command {
	const struct w_shell_text *shell;
	const char *const *assignments;   /* NULL-ended; NULL: none */
	const struct w_shell_word *words; /* one for each of the argv; NULL: it
					     is not known which */
	const struct w_analysis *analysis;
	size_t begin;
	size_t end;
};

/* Marks the secrets of that command in the shell string; all of the command
 * where they cannot be located. Returns whether all were located. */
bool w_analyzer_quoted_secrets(
    struct w_analyzer *analyzer, const struct w_quoted_command *quoted);

/* ---- base_directories.c ---- */

/* Changes to a directory from each of the bases. false: too many or too deep;
 * nothing has changed. */
bool w_bases_enter(struct w_analysis_shared *shared, struct w_bases *bases,
    const char *path, size_t len);

/* Adds the bases of the other. false: there are too many. */
bool w_bases_join(struct w_bases *bases, const struct w_bases *more);

/* Changes to a directory in the home directory, "~/x". */
bool w_bases_home(
    struct w_analysis_shared *shared, struct w_bases *bases, const char *path);

/* As the shell's cd does: ".." drops the last component. */
bool w_bases_cd(
    struct w_analysis_shared *shared, struct w_bases *bases, const char *path);

/* ---- shell_builtin.c ---- */

/* Shell state that carries over from one command to the next. */
struct w_shell_walk {
	struct w_bases now;
	struct w_bases seen; /* since the last ';' */
	const struct w_variable_set *variables;
	const struct w_shell_value *values; /* that the text sets */
	const struct w_shell_function *functions;
	bool may_cd;          /* of this command */
	bool may_be_left_out; /* it is not certain that this command runs */
};

/* Sets a variable; NULL: to a value that is not known. The name may be that of
 * all variables, NULL. */
void w_analyzer_set_value(struct w_analyzer *analyzer,
    struct w_shell_walk *walk, const char *name, size_t len,
    const struct w_shell_value *value);

/* The same by a word NAME=value. */
void w_analyzer_set_word(
    struct w_analyzer *analyzer, struct w_shell_walk *walk, const char *word);

/* ---- shell_walk.c ---- */

/* A function of a shell text. */
struct w_shell_function {
	const struct w_shell_node *node;
	bool is_certain; /* whenever the text gets there */
	const struct w_shell_function *next;
};

/* Analyzes the commands of a text that was parsed. */
void w_analyzer_walk(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, const struct w_shell *parsed);

/* Where bytes of the text are in the argv: joined words span several. */
void w_analyzer_shell_place(const struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t at, size_t *out_word,
    size_t *out_offset);

/* false: not a shell builtin. */
bool w_analyzer_builtin(struct w_analyzer *analyzer, struct w_shell_walk *walk);

/* ---- analyzer_script.c ---- */

/* The sed, awk and jq programs among the values, joined by language. */
void w_analyzer_scripts(struct w_analyzer *analyzer);

#endif /* W_COMMAND_ANALYZER_H */
