/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_QUOTING_SCAN_H
#define W_EXPR_QUOTING_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where in the quotes of a shell text one is, so that a value can be put there
 * as data. Made for sh as dash and bash read it: where these two, or this and
 * they, could see different things, no value is placed any more.
 */
enum w_quoting_frame_kind {
	W_QUOTING_COMMAND,  /* no quotes; the outermost, or $( ) */
	W_QUOTING_SINGLE,   /* '…' */
	W_QUOTING_DOUBLE,   /* "…" */
	W_QUOTING_DOLLAR,   /* $'…' */
	W_QUOTING_PARAM,    /* ${ } */
	W_QUOTING_ARITH,    /* $(( )) and (( )) */
	W_QUOTING_BACKTICK, /* `…` */
	W_QUOTING_COMMENT,
	W_QUOTING_DOCUMENT, /* the lines of a here-document */
};

/* The byte or two before, where they change what comes. */
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
	bool in_double; /* a ${ } that is in "…" */
	bool odd_single;
	bool odd_double; /* of backticks: quotes that are open */
	size_t parens;
};

struct w_quoting_heredoc {
	char word[W_QUOTING_WORD_MAX]; /* the line that ends it */
	size_t len;
	bool strips_tabs;
	bool is_quoted; /* nothing is expanded in it */
};

struct w_quoting_scan {
	struct w_quoting_frame frames[W_QUOTING_FRAMES_MAX];
	size_t depth; /* which frame is the innermost */
	enum w_quoting_before before;
	bool is_escaped;    /* behind a backslash */
	bool is_word_start; /* a # begins a comment */
	bool is_index;      /* in the brackets of name[ */
	size_t index_depth; /* of the frame that these are in */
	const char *lost;   /* why no value can be placed any more; or NULL */

	char word[W_QUOTING_WORD_MAX]; /* that is being read, when it is plain;
					or the line of a here-document */
	size_t word_len; /* W_QUOTING_WORD_MAX: longer, or not plain */

	struct w_quoting_heredoc docs[W_QUOTING_DOCS_MAX]; /* begun with << */
	size_t doc_count;
	size_t doc_depth;  /* the frame that they belong to */
	bool is_delimiter; /* the word behind << is being read */
	char delimiter_quote;
};

void w_quoting_scan_init(struct w_quoting_scan *scan);

/* Goes over a piece of the text. */
void w_quoting_scan_feed(
    struct w_quoting_scan *scan, const char *text, size_t len);

enum w_quoting_place {
	W_QUOTING_PLACE_NONE,
	W_QUOTING_PLACE_BARE,   /* between no quotes */
	W_QUOTING_PLACE_SINGLE, /* in '…' */
	W_QUOTING_PLACE_DOUBLE, /* in "…" */
	W_QUOTING_PLACE_APART, /* in "…", where $x before it must end first */
};

/* How a value can be put here. W_QUOTING_PLACE_NONE: it cannot; *out_why says
 * why and *out_advice what to do. */
enum w_quoting_place w_quoting_scan_place(const struct w_quoting_scan *scan,
    bool has_newline, const char **out_why, const char **out_advice);

/* Goes over a value that was put here. */
void w_quoting_scan_value(struct w_quoting_scan *scan);

/* Where bytes in between quotes go, in quoting_heredoc.c: here-documents. */
void w_quoting_heredoc_begin(struct w_quoting_scan *scan);
bool w_quoting_heredoc_add_delimiter(struct w_quoting_scan *scan, char c);
void w_quoting_heredoc_add_body(struct w_quoting_scan *scan, char c);
void w_quoting_heredoc_add_newline(struct w_quoting_scan *scan);

/* For both files. */
void w_quoting_scan_lose(struct w_quoting_scan *scan, const char *why);
void w_quoting_scan_push(
    struct w_quoting_scan *scan, enum w_quoting_frame_kind kind);
void w_quoting_scan_pop(struct w_quoting_scan *scan);

#endif /* W_EXPR_QUOTING_SCAN_H */
