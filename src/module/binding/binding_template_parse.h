/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_TEMPLATE_PARSE_H
#define W_MODULE_BINDING_TEMPLATE_PARSE_H

#include "module/binding/binding_template.h"

/* A piece of an element: literal text or a placeholder. */
struct w_binding_template_piece {
	const char *text; /* the literal, or the name; borrowed */
	size_t len;
	bool is_place;
	const struct w_param
	    *param; /* NULL: an open grammar does not list it */
};

struct w_binding_template_pieces {
	struct w_binding_template_piece *items;
	size_t count;
};

/* One element of a command, or a condition with nested elements. */
struct w_binding_template_step {
	struct w_binding_template_pieces word;
	bool is_condition;
	struct w_binding_template_piece when;
	struct w_binding_template_step *then_steps;
	size_t then_count;
	struct w_binding_template_step *else_steps;
	size_t else_count;
};

struct w_binding_template {
	struct w_binding_template_step *steps;
	size_t count;
};

/* Splits a text into pieces. */
writ_status w_binding_template_pieces_parse(const char *text, size_t len,
    const struct w_grammar *grammar,
    struct w_binding_template_pieces *out_pieces, writ_error *err);
void w_binding_template_pieces_done(struct w_binding_template_pieces *pieces);

/* Reads "args.NAME" alone. */
writ_status w_binding_template_parse_name(const char *text, size_t len,
    const struct w_grammar *grammar, struct w_binding_template_piece *out_piece,
    writ_error *err);

#endif /* W_MODULE_BINDING_TEMPLATE_PARSE_H */
