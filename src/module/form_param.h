/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_FORM_PARAM_H
#define W_MODULE_FORM_PARAM_H

#include "module/form.h"

/* A form in the making, and where to put what is wrong with it. */
struct w_form_maker {
	struct w_form *form;
	yyjson_val *schema; /* the whole one */
	yyjson_val *at;     /* the key or value at fault */
	writ_error *err;
};

/* Reads the keywords of one property into a parameter that is all zero. What
 * it says about other properties is left to w_form_link(). */
writ_status w_form_param_read(struct w_form_maker *maker, yyjson_val *key,
    yyjson_val *schema, struct w_param *param);

/* Resolves conflicts, what is required by another, and the members of
 * sequences, once all parameters can be found. */
writ_status w_form_link(struct w_form_maker *maker);

/* Reads the type of the words that a property's values are, when it says one
 * (x-writ-type). */
struct w_form_reader;
writ_status w_form_read_type(const struct w_form_reader *in);

/* Names and values as parsing needs them, of a form that is made from a schema.
 * To be called once, when all else is there. false: no memory. */
bool w_form_complete(struct w_form *form);

/* In which order parameters stand, once all are there. false: no memory. */
bool w_form_make_order(struct w_form *form);

/* That two parameters exclude each other, or that one needs the other; then,
 * once all is noted, each list in order and without repetition. */
bool w_form_note_conflict(
    struct w_param *param, struct w_param *peer, const struct w_form *form);
bool w_form_note_need(
    struct w_param *param, struct w_param *peer, const struct w_form *form);
void w_form_sort_links(struct w_form *form);

#endif /* W_MODULE_FORM_PARAM_H */
