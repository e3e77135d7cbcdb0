/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_QUOTING_SCAN_H
#define W_EXPR_QUOTING_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Tracks the quoting context in a shell command, so that a value can be
 * inserted there as data. Written for sh as dash and bash read it: where these
 * two might disagree, or differ from this scanner, no further value is
 * inserted.
 */
enum w_quoting_frame_kind {
	W_QUOTING_COMMAND,  /* unquoted; the outermost, or $( ) */
	W_QUOTING_SINGLE,   /* '…' */
	W_QUOTING_DOUBLE,   /* "…" */
	W_QUOTING_DOLLAR,   /* $'…' */
	W_QUOTING_PARAM,    /* ${ } */
	W_QUOTING_ARITH,    /* $(( )) and (( )) */
	W_QUOTING_BACKTICK, /* `…` */
	W_QUOTING_COMMENT,
	W_QUOTING_DOCUMENT, /* the body of a here-document */
};

/* The preceding byte or two, where they matter. */
enum w_quoting_before {
	W_QUOTING_NOTHING,
	W_QUOTING_AFTER_DOLLAR, /* $ */
	W_QUOTING_AFTER_NAME,   /* $abc */
	W_QUOTING_AFTER_OPEN,   /* $( */
	W_QUOTING_AFTER_PAREN,  /* ( */
	W_QUOTING_AFTER_CLOSE,  /* the first of )) */
	W_QUOTING_AFTER_LESS,   /* < */
	W_QUOTING_AFTER_LESS2,  /* << */
};

#define W_QUOTING_FRAMES_MAX 32
#define W_QUOTING_DOCS_MAX   4
#define W_QUOTING_WORD_MAX   64

struct w_quoting_frame {
	uint8_t kind;
	bool in_double; /* a ${ } inside "…" */
	bool odd_single;
	bool odd_double; /* in backticks: open quotes */
	size_t parens;
};

struct w_quoting_heredoc {
	char word[W_QUOTING_WORD_MAX]; /* the line that ends it */
	size_t len;
	bool strips_tabs;
	bool is_quoted; /* nothing is expanded */
};

struct w_quoting_scan {
	struct w_quoting_frame frames[W_QUOTING_FRAMES_MAX];
	size_t depth; /* index of the innermost frame */
	enum w_quoting_before before;
	bool is_escaped;    /* after a backslash */
	bool is_word_start; /* # starts a comment */
	bool is_index;      /* inside the brackets of name[ ] */
	size_t index_depth; /* frame of these brackets */
	const char *lost;   /* why values are no longer possible; NULL */

	char word[W_QUOTING_WORD_MAX]; /* the current word if plain; or the line
					  of a here-document */
	size_t word_len; /* W_QUOTING_WORD_MAX: too long, or not plain */

	struct w_quoting_heredoc docs[W_QUOTING_DOCS_MAX]; /* announced by << */
	size_t doc_count;
	size_t doc_depth;  /* frame they belong to */
	bool is_delimiter; /* reading the word after << */
	char delimiter_quote;
};

void w_quoting_scan_init(struct w_quoting_scan *scan);

/* Scans a piece of the command. */
void w_quoting_scan_feed(
    struct w_quoting_scan *scan, const char *text, size_t len);

enum w_quoting_place {
	W_QUOTING_PLACE_NONE,
	W_QUOTING_PLACE_BARE,   /* unquoted */
	W_QUOTING_PLACE_SINGLE, /* in '…' */
	W_QUOTING_PLACE_DOUBLE, /* in "…" */
	W_QUOTING_PLACE_APART, /* in "…" after $x, which has to be ended first
				*/
};

/* How a value can be inserted here. W_QUOTING_PLACE_NONE: it cannot; *out_why
 * says why and *out_advice what to do. */
enum w_quoting_place w_quoting_scan_place(const struct w_quoting_scan *scan,
    bool has_newline, const char **out_why, const char **out_advice);

/* Accounts for an inserted value. */
void w_quoting_scan_value(struct w_quoting_scan *scan);

/* quoting_heredoc.c: here-documents. */
void w_quoting_heredoc_begin(struct w_quoting_scan *scan);
bool w_quoting_heredoc_add_delimiter(struct w_quoting_scan *scan, char c);
void w_quoting_heredoc_add_body(struct w_quoting_scan *scan, char c);
void w_quoting_heredoc_add_newline(struct w_quoting_scan *scan);

/* Shared by both files. */
void w_quoting_scan_lose(struct w_quoting_scan *scan, const char *why);
void w_quoting_scan_push(
    struct w_quoting_scan *scan, enum w_quoting_frame_kind kind);
void w_quoting_scan_pop(struct w_quoting_scan *scan);

#endif /* W_EXPR_QUOTING_SCAN_H */
