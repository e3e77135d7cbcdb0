/* SPDX-License-Identifier: Apache-2.0 */

/* Fills in block templates: runs their steps. */

#include <string.h>

#include "base/encode.h"
#include "expr/template/block_program.h"

/* Templates that fill in templates. */
#define TEMPLATE_DEPTH_MAX 8

struct block_loop {
	const struct w_block_step *step;
	struct w_value list;
	size_t index;
	size_t count;
	const struct w_value *outer;
	size_t outer_index;
};

struct block_run {
	const struct w_block_template *template;
	struct w_eval *eval;
	struct w_buf *out;
	struct block_loop loops[W_BLOCK_DEPTH_MAX];
	size_t depth;
	bool is_secret;
};

static writ_status
evaluate(struct block_run *run, const struct w_block_step *step,
    struct w_value *out_value)
{
	run->eval->expr = step->expr;
	return w_eval_node(run->eval, step->expr->tree, out_value);
}

static writ_status
put_value(struct block_run *run, const struct w_block_step *step)
{
	struct w_value value;
	struct w_value text;
	writ_status status = evaluate(run, step, &value);

	if (status == WRIT_OK)
		status = w_eval_taint(
		    run->eval, step->expr->tree, &value, &run->is_secret);
	if (status == WRIT_OK)
		status =
		    w_eval_as_text(run->eval, step->expr->tree, &value, &text);
	if (status != WRIT_OK)
		return status;
	w_buf_add(run->out, text.as.string.text, text.as.string.len);
	return WRIT_OK;
}

/* ---- loops ---- */

static writ_status
new_loop_map(struct block_run *run, const struct block_loop *loop,
    struct w_value *out_map)
{
	static const char *const names[] = {
	    "index", "index0", "first", "last", "length"};
	struct w_value_member *members = NULL;
	writ_status status = w_eval_alloc(
	    run->eval, loop->step->expr->tree, 5, sizeof(*members), &members);

	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < 5; i++) {
		members[i].name = names[i];
		members[i].len = strlen(names[i]);
		members[i].value.kind =
		    i == 2 || i == 3 ? W_VALUE_BOOL : W_VALUE_INT;
	}
	members[0].value.as.integer = (int64_t)loop->index + 1;
	members[1].value.as.integer = (int64_t)loop->index;
	members[2].value.as.boolean = loop->index == 0;
	members[3].value.as.boolean = loop->index + 1 == loop->count;
	members[4].value.as.integer = (int64_t)loop->count;
	*out_map = (struct w_value){
	    .kind = W_VALUE_MAP, .as.map = {.members = members, .count = 5}};
	return WRIT_OK;
}

/* Gives the names of the loop their values. */
static writ_status
enter_element(struct block_run *run, const struct block_loop *loop)
{
	struct w_eval *eval = run->eval;
	const struct w_block_step *step = loop->step;
	const struct w_value *value;
	struct w_value key;

	if (loop->list.kind == W_VALUE_MAP) {
		const struct w_value_member *member =
		    &loop->list.as.map.members[loop->index];

		key = w_value_text(member->name, member->len);
		value = &member->value;
	} else {
		key = (struct w_value){
		    .kind = W_VALUE_INT, .as.integer = (int64_t)loop->index};
		value = &loop->list.as.list.items[loop->index];
	}
	if (step->key_slot != W_BLOCK_NO_SLOT)
		eval->locals[step->key_slot] = key;
	if (step->slot != W_BLOCK_NO_SLOT)
		eval->locals[step->slot] = *value;
	eval->element = value;
	eval->index = loop->index;
	eval->expr = step->expr;
	writ_status status = w_eval_spend(eval, step->expr->tree, 1);
	if (status != WRIT_OK || step->loop_slot == W_BLOCK_NO_SLOT)
		return status;
	return new_loop_map(run, loop, &eval->locals[step->loop_slot]);
}

static writ_status
begin_loop(
    struct block_run *run, const struct w_block_step *step, size_t *io_at)
{
	struct block_loop *loop = &run->loops[run->depth];
	writ_status status = evaluate(run, step, &loop->list);

	if (status != WRIT_OK)
		return status;
	if (loop->list.kind == W_VALUE_LIST)
		loop->count = loop->list.as.list.count;
	else if (loop->list.kind == W_VALUE_MAP)
		loop->count = loop->list.as.map.count;
	else
		return w_eval_fail(run->eval, step->expr->tree,
		    "a loop goes through a list or a map, not %s",
		    w_value_kind_words(loop->list.kind));
	run->is_secret = run->is_secret || loop->list.is_secret;
	if (loop->count == 0) {
		*io_at = step->target;
		return WRIT_OK;
	}
	loop->step = step;
	loop->index = 0;
	loop->outer = run->eval->element;
	loop->outer_index = run->eval->index;
	run->depth++;
	++*io_at;
	return enter_element(run, loop);
}

static writ_status
next_element(struct block_run *run, size_t first, size_t *io_at)
{
	struct block_loop *loop = &run->loops[run->depth - 1];

	if (++loop->index < loop->count) {
		*io_at = first + 1;
		return enter_element(run, loop);
	}
	run->eval->element = loop->outer;
	run->eval->index = loop->outer_index;
	run->depth--;
	++*io_at;
	return WRIT_OK;
}

/* ---- steps ---- */

static writ_status
decide(struct block_run *run, const struct w_block_step *step, size_t *io_at)
{
	struct w_value value;
	writ_status status = evaluate(run, step, &value);

	if (status != WRIT_OK)
		return status;
	if (value.kind != W_VALUE_BOOL)
		return w_eval_fail(run->eval, step->expr->tree,
		    "'if' wants true or false, not %s",
		    w_value_kind_words(value.kind));
	run->is_secret = run->is_secret || value.is_secret;
	*io_at = value.as.boolean ? *io_at + 1 : step->target;
	return WRIT_OK;
}

static writ_status
take_step(struct block_run *run, size_t *io_at)
{
	const struct w_block_step *step = &run->template->steps[*io_at];

	switch (step->kind) {
	case W_BLOCK_FOR:
		return begin_loop(run, step, io_at);
	case W_BLOCK_NEXT:
		return next_element(run, step->target, io_at);
	case W_BLOCK_IF:
		return decide(run, step, io_at);
	case W_BLOCK_JUMP:
		*io_at = step->target;
		return WRIT_OK;
	case W_BLOCK_SET:
		++*io_at;
		return evaluate(run, step, &run->eval->locals[step->slot]);
	case W_BLOCK_VALUE:
		++*io_at;
		return put_value(run, step);
	default:
		++*io_at;
		w_buf_add(run->out, step->literal, step->len);
		return WRIT_OK;
	}
}

static writ_status
run_steps(struct block_run *run)
{
	const size_t count = run->template->count;
	writ_status status = WRIT_OK;

	for (size_t at = 0; status == WRIT_OK && at < count;) {
		status = take_step(run, &at);
		if (status == WRIT_OK && run->out->failed)
			return w_fail(run->eval->err, WRIT_E_INVALID,
			    W_BLOCK_STAGE, 0, "a text of more than 16 MiB");
	}
	return status;
}

writ_status
w_block_run(const struct w_block_template *template, struct w_eval *eval,
    struct w_value *out_text)
{
	W_AUTO_BUF struct w_buf out;
	struct w_value locals[W_EXPR_LOCALS_MAX];
	struct block_run run = {
	    .template = template, .eval = eval, .out = &out};

	w_buf_init(&out, W_VALUE_TEXT_MAX);
	memset(locals, 0, sizeof(locals));
	eval->locals = locals;
	writ_status status = run_steps(&run);
	eval->locals = NULL;
	if (status != WRIT_OK)
		return status;
	const char *text =
	    w_arena_text(eval->arena, out.len > 0 ? out.data : "", out.len);
	if (text == NULL)
		return w_fail_nomem(eval->err, W_BLOCK_STAGE);
	*out_text = w_value_text(text, out.len);
	out_text->is_secret = run.is_secret;
	return WRIT_OK;
}

writ_status
w_block_fill(const struct w_block_template *template,
    const struct w_expr_scope *scope, struct w_arena *arena,
    struct w_value *out_text, writ_error *err)
{
	struct w_eval eval = {.scope = scope,
	    .arena = arena,
	    .err = err,
	    .steps = W_BLOCK_STEPS_MAX,
	    .memory = W_EXPR_MEMORY_MAX};
	writ_status status = w_block_run(template, &eval, out_text);

	w_eval_done(&eval);
	return status;
}

/* ---- files, and template() ---- */

static bool
has_ending(const char *name, const char *const *endings)
{
	const char *dot = strrchr(name, '.');

	for (; dot != NULL && *endings != NULL; endings++) {
		if (strcmp(dot, *endings) == 0)
			return true;
	}
	return false;
}

static enum w_block_syntax
syntax_of(const char *path)
{
	static const char *const jet[] = {".jet", NULL};

	return has_ending(path, jet) ? W_BLOCK_JET : W_BLOCK_PLAIN;
}

/* The error of a file has its place in the message. */
static void
place_in_file(const char *path, const writ_error *inner, writ_error *err)
{
	if (inner->line > 0)
		(void)w_fail(err, inner->status, W_BLOCK_STAGE, 0,
		    "%.200s:%u:%u: %s", path, inner->line, inner->column,
		    inner->message);
	else
		(void)w_fail(
		    err, inner->status, W_BLOCK_STAGE, 0, "%s", inner->message);
	if (err != NULL && inner->suggestion[0] != '\0')
		w_suggest(err, "%s", inner->suggestion);
}

writ_status
w_block_fill_file(const char *path, const struct w_expr_scope *scope,
    struct w_arena *arena, struct w_value *out_text, writ_error *err)
{
	const struct w_block_template *template = NULL;
	struct w_value text;
	writ_error inner = {0};

	if (scope->read_file == NULL)
		return w_fail(err, WRIT_E_INVALID, W_BLOCK_STAGE, 0,
		    "files cannot be read at this place");
	writ_status status =
	    scope->read_file(scope->ctx, path, arena, &text, &inner);
	if (status == WRIT_OK)
		status = w_block_parse(arena, text.as.string.text,
		    text.as.string.len, syntax_of(path), &template, &inner);
	if (status == WRIT_OK)
		status = w_block_fill(template, scope, arena, out_text, &inner);
	if (status != WRIT_OK)
		place_in_file(path, &inner, err);
	return status;
}

/* A name that ends like one of a template is a file, all else the template. */
static writ_status
read_template(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *arg, struct w_value *out_text, const char **out_path)
{
	static const char *const endings[] = {
	    ".templ", ".tmpl", ".tpl", ".j2", ".jet", ".template", NULL};

	*out_path = NULL;
	*out_text = *arg;
	if (!has_ending(arg->as.string.text, endings) ||
	    strchr(arg->as.string.text, '\n') != NULL)
		return WRIT_OK;
	*out_path = arg->as.string.text;
	return w_function_file(eval, call, arg, out_text);
}

W_FUNCTION(template)
{
	const struct w_block_template *template = NULL;
	struct w_value text;
	const char *path = NULL;
	writ_error inner = {0};
	writ_status status =
	    w_function_want(eval, call, args, 0, W_VALUE_STRING);

	if (status == WRIT_OK && eval->depth >= TEMPLATE_DEPTH_MAX)
		return w_eval_fail(eval, call,
		    "templates fill in each other more than %d levels deep",
		    TEMPLATE_DEPTH_MAX);
	if (status == WRIT_OK)
		status = read_template(eval, call, &args[0], &text, &path);
	if (status != WRIT_OK)
		return status;
	struct w_eval nested = {.scope = eval->scope,
	    .arena = eval->arena,
	    .err = &inner,
	    .steps = eval->steps,
	    .memory = eval->memory,
	    .depth = eval->depth + 1};
	status = w_block_parse(eval->arena, text.as.string.text,
	    text.as.string.len, path != NULL ? syntax_of(path) : W_BLOCK_PLAIN,
	    &template, &inner);
	if (status == WRIT_OK)
		status = w_block_run(template, &nested, out_value);
	w_eval_done(&nested);
	eval->steps = nested.steps;
	eval->memory = nested.memory;
	if (status == WRIT_OK)
		return w_eval_spend(eval, call, 1 + (text.as.string.len >> 6));
	if (args[0].is_secret || text.is_secret)
		return w_eval_fail(eval, call, "the template is not valid");
	place_in_file(path != NULL ? path : "template", &inner, eval->err);
	(void)w_eval_locate(eval, call);
	return status;
}
