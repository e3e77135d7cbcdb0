/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_PARSER_H
#define W_COMMAND_SHELL_PARSER_H

#include "command/shell/shell.h"

/*
 * The parser of shell texts: what its files share. Recursive descent, character
 * by character, since what a character means depends on where it stands.
 * Recursion is bounded by W_SHELL_DEPTH_MAX.
 *
 * Nothing here returns a status. A fault is noted and reading goes on; when it
 * cannot, `is_stopped` ends all loops, and the tree keeps what is there.
 */

/* A here document whose text begins behind the next newline. */
struct w_here_document {
	struct w_redirection *redirection;
	bool is_quoted;
	bool drops_tabs; /* <<- */
	struct w_here_document *next;
};

struct w_shell_parser {
	const char *text;
	size_t len; /* reading ends there: of a part in backquotes, its end */
	size_t at;
	struct w_shell *shell;
	struct w_arena *arena;
	char *out; /* where the next literal bytes go: never more than there are
		      in the text */
	struct w_here_document *pending;
	struct w_here_document *last_pending;
	size_t depth;
	size_t pieces;
	size_t changes; /* of variables, directory, functions: so far */
	bool is_bash;
	bool has_history;
	bool is_stopped;
	bool is_out_of_memory;
};

/* ---- shell.c ---- */

void *w_shell_alloc(struct w_shell_parser *parser, size_t size);

/* The byte there; NUL: the end. */
char w_shell_peek(const struct w_shell_parser *parser, size_t ahead);

/* Notes a fault; reading goes on. */
void w_shell_fault(
    struct w_shell_parser *parser, size_t where, const char *why);

/* The same for what only bash has, unless bash runs it. */
void w_shell_only_bash(
    struct w_shell_parser *parser, size_t where, const char *why);

/* Reading ends: what follows cannot be told. */
void w_shell_stop(struct w_shell_parser *parser, size_t where, const char *why);

/* The same, because no shell would run it. */
void w_shell_syntax_error(
    struct w_shell_parser *parser, size_t where, const char *why);

/* false: too deep; reading has ended. Else w_shell_leave() must follow. */
bool w_shell_enter(struct w_shell_parser *parser);
void w_shell_leave(struct w_shell_parser *parser);

/* ---- shell_word.c ---- */

/* What stands around a word. */
enum w_shell_place {
	W_PLACE_ARGUMENT,
	W_PLACE_FIRST, /* an assignment is possible */
	W_PLACE_TEST,  /* in [[ ]] */
};

/* Blanks and continued lines. */
void w_shell_skip_blanks(struct w_shell_parser *parser);
bool w_shell_is_blank(char c);
bool w_shell_is_operator(char c);

/* Reads a word, which may be empty only if quoted; NULL: an operator or the end
 * is there. */
struct w_shell_word *w_shell_read_word(
    struct w_shell_parser *parser, enum w_shell_place place);

/* Whether it is that text, without any quotes. */
bool w_shell_word_is(const struct w_shell_word *word, const char *text);

/* Its text if nothing in it is expanded; NULL: something is, or it is empty. */
const struct w_shell_part *w_shell_plain(const struct w_shell_word *word);

/* Adds bytes of a word as they are. */
void w_shell_add_text(struct w_shell_parser *parser, struct w_shell_word *word,
    const char *text, size_t len, bool is_quoted);

/* Adds a part of another kind. NULL: no memory, or too many. */
struct w_shell_part *w_shell_add_part(struct w_shell_parser *parser,
    struct w_shell_word *word, enum w_shell_part_kind kind, size_t from,
    bool is_quoted);

/* What is between double quotes, or in a here document: up to that byte, or to
 * the end (NUL). */
void w_shell_read_expanding(
    struct w_shell_parser *parser, struct w_shell_word *word, char end);

/* ---- shell_dollar.c ---- */

/* Adds lists of substituted commands to a word. */
void w_shell_add_commands(struct w_shell_word *word, struct w_shell_node *list);

/* At '$' or a backquote: adds what it becomes. */
void w_shell_read_dollar(
    struct w_shell_parser *parser, struct w_shell_word *word, bool is_quoted);

/* From behind "((" to behind "))": the commands in it are added to the word.
 * Returns whether it sets a variable. */
bool w_shell_read_arithmetic(
    struct w_shell_parser *parser, struct w_shell_word *word, size_t open);

/* At "<(" or ">(". */
void w_shell_read_process(
    struct w_shell_parser *parser, struct w_shell_word *word);

/* ---- shell_list.c ---- */

/* Newlines, comments, and the here documents that they begin. */
void w_shell_skip_lines(struct w_shell_parser *parser);

/* The commands up to a closing word or ")" or the end. */
struct w_shell_node *w_shell_read_list(struct w_shell_parser *parser);
struct w_shell_node *w_shell_new_node(
    struct w_shell_parser *parser, enum w_shell_node_kind kind);
void w_shell_add_child(struct w_shell_node *parent, struct w_shell_node *child);

/* Redirections behind a command. */
void w_shell_read_redirections(
    struct w_shell_parser *parser, struct w_shell_node *node);
bool w_shell_read_redirection(
    struct w_shell_parser *parser, struct w_shell_node *node);

/* ---- shell_redirection.c ---- */

void w_shell_read_here_documents(struct w_shell_parser *parser);

/* Whether a word of that text comes next, without moving. */
bool w_shell_is_next(struct w_shell_parser *parser, const char *word);

/* ---- shell_compound.c ---- */

/* At a word that begins a compound command; NULL: it does not. */
struct w_shell_node *w_shell_read_compound(struct w_shell_parser *parser);

/* Behind "NAME ()". */
void w_shell_read_function_body(
    struct w_shell_parser *parser, struct w_shell_node *function);

#endif /* W_COMMAND_SHELL_PARSER_H */
