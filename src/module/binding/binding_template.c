/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Command templates, filled with arguments.
 *
 * The value of an argument never changes the number of words, unless an element
 * is nothing but its placeholder, and never turns a word into an option:
 * binding_template.h has the rules.
 */

#include "module/binding/binding_template.h"

#include <stdlib.h>
#include <string.h>

#include "command/render/argument.h"
#include "command/render/render.h"
#include "module/binding/binding_template_parse.h"

#define STAGE     "arguments"
#define SHOWN_MAX 64
/* Larger than any input; what is too long for a word fails later. */
#define TEXT_MAX ((size_t)256 * 1024 * 1024)

struct filler {
	yyjson_val *args;
	struct w_words *words;
	bool has_ended;   /* a literal "--" came before */
	const char *flag; /* the previous word, if it is literal */
	writ_error *err;
};

/* A placeholder with its value, and its name NUL-ended for messages: in the
 * piece it is part of a longer text. */
struct place {
	const struct w_param *param; /* NULL: not listed */
	yyjson_val *val;
	unsigned types;
	bool is_number; /* and so are all other arguments in its word */
	char name[SHOWN_MAX + 1];
	struct w_argument now;
};

static void
binding_template_look_up(struct place *place,
    const struct w_binding_template_piece *piece, yyjson_val *args,
    writ_error *err)
{
	size_t len = piece->len < SHOWN_MAX ? piece->len : SHOWN_MAX;

	memset(place, 0, sizeof(*place));
	memcpy(place->name, piece->text, len);
	place->param = piece->param;
	place->val = yyjson_obj_getn(args, piece->text, piece->len);
	place->types =
	    piece->param != NULL ? piece->param->types : (unsigned)W_TYPE_ANY;
	place->now = (struct w_argument){.key = place->name, .err = err};
}

static bool
is_absent(yyjson_val *val)
{
	return val == NULL || yyjson_is_null(val);
}

static bool
binding_template_is_number(yyjson_val *val)
{
	return yyjson_is_num(val) || yyjson_is_raw(val);
}

static writ_status
binding_template_add_text(
    struct w_buf *out, const char *bytes, size_t len, writ_error *err)
{
	if (len > out->max - out->len)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a text with arguments in it is too long");
	w_buf_add(out, bytes, len);
	return out->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Appends the text of a piece inside a longer text. */
static writ_status
add_piece(yyjson_val *args, const struct w_binding_template_piece *piece,
    struct w_buf *out, writ_error *err)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};
	struct place place;

	if (!piece->is_place)
		return binding_template_add_text(
		    out, piece->text, piece->len, err);
	binding_template_look_up(&place, piece, args, err);
	if (is_absent(place.val))
		return w_argument_refuse(
		    &place.now, "the command needs it, and it is not given");
	if (yyjson_is_arr(place.val))
		return w_argument_refuse(
		    &place.now, "a list cannot be a part of a longer text");
	writ_status status =
	    w_argument_text(&place.now, place.val, place.types, &text);
	if (status != WRIT_OK)
		return status;
	return binding_template_add_text(out, text.bytes, text.len, err);
}

static writ_status
add_pieces(yyjson_val *args, const struct w_binding_template_pieces *pieces,
    struct w_buf *out, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < pieces->count; i++)
		status = add_piece(args, &pieces->items[i], out, err);
	return status;
}

static bool
follows_own_flag(const struct filler *filler, const struct place *place)
{
	const struct w_param *param = place->param;

	/* A switch takes no value, whatever follows it. */
	return filler->flag != NULL && param != NULL && param->flag != NULL &&
	       strcmp(filler->flag, param->flag) == 0 &&
	       (param->types & ~(unsigned)(W_TYPE_NULL | W_TYPE_BOOLEAN)) != 0;
}

/* What must precede a word that begins with an argument; NULL: failed, nothing
 * helps. */
static const char *
binding_template_guard(const struct filler *filler, const struct place *place,
    const char *word, size_t len)
{
	const struct w_param *param = place->param;
	bool is_path = param != NULL && param->is_path;
	bool is_dashed = w_argument_is_dashed(word, len);

	bool is_risky =
	    is_dashed || (is_path && (w_argument_is_operator(word, len) ||
					 w_argument_is_marked(word, len)));

	if (!is_risky)
		return "";
	if (param != NULL && param->may_begin_with_dash)
		return "";
	/* Also after "--": find ignores it. */
	if (is_path)
		return "./";
	if (filler->has_ended || place->is_number ||
	    follows_own_flag(filler, place))
		return "";

	(void)w_argument_refuse(&place->now,
	    "'%.64s' begins with '-' and would be taken for an option",
	    param != NULL && param->is_secret ? "***" : word);
	w_suggest(filler->err,
	    "in the binding: \"--\" before it, x-apexe-path for a path, or "
	    "x-writ-dash: allow");
	return NULL;
}

static writ_status
add_guarded(struct filler *filler, const struct place *place,
    const struct w_argument_text *text)
{
	const char *before =
	    binding_template_guard(filler, place, text->bytes, text->len);

	if (before == NULL)
		return WRIT_E_INVALID;
	filler->flag = NULL;
	return w_argument_add(
	    &place->now, filler->words, before, strlen(before), text);
}

static writ_status
binding_template_add_value(struct filler *filler, struct place *place)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};
	unsigned types = place->types;

	if (is_absent(place->val))
		return WRIT_OK;
	if (place->now.element > 0 && place->param != NULL)
		types = place->param->item_types;
	place->is_number = binding_template_is_number(place->val);
	writ_status status =
	    w_argument_text(&place->now, place->val, types, &text);
	if (status != WRIT_OK)
		return status;
	return add_guarded(filler, place, &text);
}

/* An element that is nothing but one placeholder. */
static writ_status
fill_place(struct filler *filler, const struct w_binding_template_piece *piece)
{
	struct place place;
	size_t i;
	size_t count;
	yyjson_val *item;

	binding_template_look_up(&place, piece, filler->args, filler->err);
	if (!yyjson_is_arr(place.val))
		return binding_template_add_value(filler, &place);
	yyjson_arr_foreach(place.val, i, count, item)
	{
		struct place one = place;

		one.val = item;
		one.now.key = one.name;
		one.now.element = i + 1;
		writ_status status = binding_template_add_value(filler, &one);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static const struct w_binding_template_piece *
first_place(const struct w_binding_template_pieces *word)
{
	for (size_t i = 0; i < word->count; i++) {
		if (word->items[i].is_place)
			return &word->items[i];
	}
	return NULL;
}

/* Otherwise the text after a "-1" could make it several options: "-1laR". */
static bool
are_numbers(yyjson_val *args, const struct w_binding_template_pieces *word)
{
	for (size_t i = 0; i < word->count; i++) {
		const struct w_binding_template_piece *piece = &word->items[i];

		if (piece->is_place &&
		    !binding_template_is_number(
			yyjson_obj_getn(args, piece->text, piece->len)))
			return false;
	}
	return true;
}

/* An element of several pieces, or a literal one. */
static writ_status
binding_template_fill_text(struct filler *filler,
    const struct w_binding_template_pieces *word,
    const struct w_binding_template_piece *first)
{
	W_AUTO_BUF struct w_buf buf;
	struct place place;

	w_buf_init(&buf, TEXT_MAX);
	writ_status status = add_pieces(filler->args, word, &buf, filler->err);
	if (status != WRIT_OK)
		return status;
	if (first == NULL) {
		if (!w_words_add(filler->words, buf.data, buf.len))
			return w_fail_nomem(filler->err, STAGE);
		filler->flag = filler->words->items[filler->words->count - 1];
		filler->has_ended |= strcmp(filler->flag, "--") == 0;
		return WRIT_OK;
	}

	struct w_argument_text text = {.bytes = buf.data, .len = buf.len};
	binding_template_look_up(&place, first, filler->args, filler->err);
	place.is_number = are_numbers(filler->args, word);
	if (first == &word->items[0])
		return add_guarded(filler, &place, &text);
	filler->flag = NULL;
	return w_argument_add(&place.now, filler->words, "", 0, &text);
}

static writ_status
fill_word(struct filler *filler, const struct w_binding_template_pieces *word)
{
	const struct w_binding_template_piece *first = first_place(word);

	if (word->count == 1 && first != NULL)
		return fill_place(filler, first);
	return binding_template_fill_text(filler, word, first);
}

/* Recursion is bounded: the depth was checked when the template was parsed. */
static writ_status
fill_steps(struct filler *filler, const struct w_binding_template_step *steps,
    size_t count)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const struct w_binding_template_step *step = &steps[i];

		if (!step->is_condition)
			status = fill_word(filler, &step->word);
		else if (w_argument_is_effective(yyjson_obj_getn(
			     filler->args, step->when.text, step->when.len)))
			status = fill_steps(
			    filler, step->then_steps, step->then_count);
		else
			status = fill_steps(
			    filler, step->else_steps, step->else_count);
	}
	return status;
}

static void
cut_words(struct w_words *words, size_t count)
{
	while (words->count > count) {
		free(words->items[--words->count]);
		words->items[words->count] = NULL;
	}
}

writ_status
w_binding_template_head(const struct w_binding_template *template,
    struct w_words *out_words, writ_error *err)
{
	struct filler filler = {.words = out_words, .err = err};
	size_t before = out_words->count;
	size_t count = 0;

	while (count < template->count &&
	       !template->steps[count].is_condition &&
	       first_place(&template->steps[count].word) == NULL)
		count++;
	writ_status status = fill_steps(&filler, template->steps, count);
	if (status != WRIT_OK)
		cut_words(out_words, before);
	return status;
}

writ_status
w_binding_template_render(const struct w_binding_template *template,
    yyjson_val *args, struct w_words *out_words, writ_error *err)
{
	struct filler filler = {.args = args, .words = out_words, .err = err};
	size_t before = out_words->count;
	writ_status status =
	    fill_steps(&filler, template->steps, template->count);

	if (status != WRIT_OK)
		cut_words(out_words, before);
	return status;
}

/* Nothing but the placeholder of a missing argument. */
static bool
is_absent_alone(
    const struct w_binding_template_pieces *pieces, yyjson_val *args)
{
	const struct w_binding_template_piece *only = pieces->items;

	return pieces->count == 1 && only->is_place &&
	       is_absent(yyjson_obj_getn(args, only->text, only->len));
}

bool
w_binding_template_is_absent(const char *text, size_t len,
    const struct w_grammar *grammar, yyjson_val *args)
{
	struct w_binding_template_pieces pieces = {0};

	/* An error here is reported when the text is filled in. */
	if (w_binding_template_pieces_parse(
		text, len, grammar, &pieces, NULL) != WRIT_OK)
		return false;
	bool is_alone = is_absent_alone(&pieces, args);
	w_binding_template_pieces_done(&pieces);
	return is_alone;
}

writ_status
w_binding_template_render_text(const char *text, size_t len,
    const struct w_grammar *grammar, yyjson_val *args, struct w_buf *out,
    writ_error *err)
{
	struct w_binding_template_pieces pieces = {0};
	writ_status status =
	    w_binding_template_pieces_parse(text, len, grammar, &pieces, err);

	if (status != WRIT_OK)
		return status;
	if (!is_absent_alone(&pieces, args))
		status = add_pieces(args, &pieces, out, err);
	w_binding_template_pieces_done(&pieces);
	return status;
}
