/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Splits a text with placeholders: "scale={{ args.width }}:-1".
 *
 *     text        = { literal | "{{{{" | placeholder }
 *     placeholder = "{{" blanks "args." name blanks "}}"
 *     name        = any characters but blanks, control characters and braces
 *
 * Four opening braces are two literal ones; of three the first is literal, so
 * that a placeholder can be inside a brace: "{{{args.x}}}" is "{", the
 * placeholder, "}".
 */

#include <stdlib.h>
#include <string.h>

#include "base/match.h"
#include "base/size.h"
#include "module/binding/binding_template_parse.h"

#define STAGE  "binding"
#define PREFIX "args."

struct scanner {
	const char *text;
	size_t len;
	size_t at;
	const struct w_grammar *grammar;
	struct w_binding_template_pieces pieces;
	writ_error *err;
};

void
w_binding_template_pieces_done(struct w_binding_template_pieces *pieces)
{
	free(pieces->items);
	*pieces = (struct w_binding_template_pieces){0};
}

static writ_status
binding_template_pieces_push(
    struct scanner *in, struct w_binding_template_piece piece)
{
	size_t size;

	if (!piece.is_place && piece.len == 0)
		return WRIT_OK;
	if (!w_size_mul(in->pieces.count + 1, sizeof(piece), &size))
		return w_fail_nomem(in->err, STAGE);
	struct w_binding_template_piece *items =
	    realloc(in->pieces.items, size);
	if (items == NULL)
		return w_fail_nomem(in->err, STAGE);
	items[in->pieces.count++] = piece;
	in->pieces.items = items;
	return WRIT_OK;
}

static bool
starts(const struct scanner *in, const char *token)
{
	size_t len = strlen(token);

	return in->len - in->at >= len &&
	       memcmp(in->text + in->at, token, len) == 0;
}

static void
binding_template_pieces_skip_blanks(struct scanner *in)
{
	while (in->at < in->len &&
	       (in->text[in->at] == ' ' || in->text[in->at] == '\t'))
		in->at++;
}

static bool
is_name_char(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte > ' ' && byte != 0x7f && c != '{' && c != '}';
}

static writ_status
binding_template_pieces_refuse(
    const struct scanner *in, size_t open, const char *what)
{
	(void)w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
	    "in '%.64s': %s at character %zu", in->text, what, open + 1);
	w_suggest(
	    in->err, "a place is {{args.NAME}}; two literal braces are {{{{");
	return WRIT_E_INVALID;
}

static writ_status
binding_template_pieces_refuse_name(
    const struct scanner *in, const char *name, size_t len)
{
	W_AUTO_BUF struct w_buf copy;

	w_buf_init(&copy, len);
	w_buf_add(&copy, name, len);
	(void)w_fail(in->err, WRIT_E_INVALID, STAGE, 0,
	    "in '%.64s': there is no argument '%.64s'", in->text, copy.data);

	const char *near = w_grammar_nearest(in->grammar, copy.data);
	if (near != NULL)
		w_match_suggest(near, in->err);
	else
		w_suggest(in->err, "list it in properties of input_schema");
	return WRIT_E_INVALID;
}

/* "args.NAME" at the current position. */
static writ_status
scan_name(
    struct scanner *in, size_t open, struct w_binding_template_piece *out_piece)
{
	if (!starts(in, PREFIX))
		return binding_template_pieces_refuse(
		    in, open, "no \"args.\" in the place");
	in->at += sizeof(PREFIX) - 1;

	size_t start = in->at;
	while (in->at < in->len && is_name_char(in->text[in->at]))
		in->at++;
	size_t len = in->at - start;
	if (len == 0)
		return binding_template_pieces_refuse(
		    in, open, "no name in the place");

	*out_piece = (struct w_binding_template_piece){
	    .text = in->text + start, .len = len, .is_place = true};
	out_piece->param = w_grammar_find(in->grammar, out_piece->text, len);
	if (out_piece->param == NULL && !in->grammar->is_open)
		return binding_template_pieces_refuse_name(
		    in, out_piece->text, len);
	return WRIT_OK;
}

static writ_status
scan_place(struct scanner *in)
{
	size_t open = in->at;
	struct w_binding_template_piece piece = {.text = NULL};

	in->at += 2;
	binding_template_pieces_skip_blanks(in);
	writ_status status = scan_name(in, open, &piece);
	if (status != WRIT_OK)
		return status;
	binding_template_pieces_skip_blanks(in);
	if (!starts(in, "}}"))
		return binding_template_pieces_refuse(
		    in, open, "a place that is not closed");
	in->at += 2;
	return binding_template_pieces_push(in, piece);
}

/* Everything up to the next "{{". */
static writ_status
scan_literal(struct scanner *in)
{
	size_t start = in->at;

	while (in->at < in->len && !starts(in, "{{"))
		in->at++;
	return binding_template_pieces_push(
	    in, (struct w_binding_template_piece){
		    .text = in->text + start, .len = in->at - start});
}

static writ_status
scan(struct scanner *in)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && in->at < in->len) {
		size_t start = in->at;

		if (starts(in, "{{{{")) {
			in->at += 4;
			status = binding_template_pieces_push(
			    in, (struct w_binding_template_piece){
				    .text = in->text + start, .len = 2});
		} else if (starts(in, "{{{")) {
			in->at += 1;
			status = binding_template_pieces_push(
			    in, (struct w_binding_template_piece){
				    .text = in->text + start, .len = 1});
		} else if (starts(in, "{{")) {
			status = scan_place(in);
		} else {
			status = scan_literal(in);
		}
	}
	return status;
}

writ_status
w_binding_template_pieces_parse(const char *text, size_t len,
    const struct w_grammar *grammar,
    struct w_binding_template_pieces *out_pieces, writ_error *err)
{
	struct scanner in = {
	    .text = text, .len = len, .grammar = grammar, .err = err};
	writ_status status = scan(&in);

	if (status != WRIT_OK) {
		w_binding_template_pieces_done(&in.pieces);
		return status;
	}
	*out_pieces = in.pieces;
	return WRIT_OK;
}

writ_status
w_binding_template_parse_name(const char *text, size_t len,
    const struct w_grammar *grammar, struct w_binding_template_piece *out_piece,
    writ_error *err)
{
	struct scanner in = {
	    .text = text, .len = len, .grammar = grammar, .err = err};
	struct w_binding_template_piece piece;
	writ_status status = scan_name(&in, 0, &piece);

	if (status != WRIT_OK)
		return status;
	if (in.at < len)
		return binding_template_pieces_refuse(
		    &in, in.at, "more than one name");
	*out_piece = piece;
	return WRIT_OK;
}
