/* SPDX-License-Identifier: Apache-2.0 */

/* The schema of a grammar gives a grammar that renders the same words. Only a
 * description knows where its style needs "--", so that is ignored. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/render/render.h"
#include "module/binding/binding.h"
#include "module/binding/command_binding.h"
#include "module/registry/curated.h"

#define TEXT_MAX 65536

/* ---- one value for each parameter ---- */

static const struct w_value_type *
value_of(const struct w_param *param)
{
	return param->values;
}

static void
add_scalar(struct w_buf *buf, const struct w_param *param, unsigned types)
{
	const struct w_value_type *value = value_of(param);

	if ((types & (W_TYPE_INTEGER | W_TYPE_NUMBER)) != 0)
		w_buf_add_fmt(buf, "%lld",
		    value != NULL && value->kind == W_VALUE_INTEGER &&
			    value->min > 1
			? (long long)value->min
			: 1LL);
	else if ((types & W_TYPE_STRING) != 0 && value != NULL &&
		 value->kind == W_VALUE_CHOICE)
		w_buf_add_fmt(buf, "\"%s\"",
		    value->choices[value->choices[0][0] == '\0']);
	else if ((types & W_TYPE_STRING) != 0)
		w_buf_add_str(buf, "\"1\"");
	else
		w_buf_add_str(buf, "true");
}

static void
add_value(struct w_buf *buf, const struct w_param *param)
{
	if (param->arity > 1) {
		for (unsigned i = 0; i < param->arity; i++)
			w_buf_add_str(buf, i == 0 ? "[\"1\"" : ",\"1\"");
		w_buf_add_char(buf, ']');
	} else if ((param->types & W_TYPE_ARRAY) != 0) {
		w_buf_add_char(buf, '[');
		add_scalar(buf, param, param->item_types);
		w_buf_add_char(buf, ']');
	} else {
		add_scalar(buf, param, param->types);
	}
}

static void
add_required(struct w_buf *buf, const struct w_grammar *grammar,
    const struct w_param *except)
{
	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		if (param == except || !param->is_required)
			continue;
		w_buf_add_fmt(buf, ",\"%s\":", param->key);
		add_value(buf, param);
	}
}

/* {"KEY":VALUE}, or a step of the sequence. */
static void
add_input(struct w_buf *buf, const struct w_grammar *grammar,
    const struct w_param *param)
{
	const bool is_step = grammar->sequence != W_GRAMMAR_NONE &&
			     param->kind == W_PARAM_OPTION && param->is_step;

	w_buf_add_char(buf, '{');
	if (is_step)
		w_buf_add_fmt(
		    buf, "\"%s\":[{", grammar->params[grammar->sequence].key);
	w_buf_add_fmt(buf, "\"%s\":", param->key);
	add_value(buf, param);
	w_buf_add_str(buf, is_step ? "}]" : "");
	add_required(buf, grammar, param);
	w_buf_add_char(buf, '}');
}

/* ---- comparing ---- */

static writ_status
render(const struct w_grammar *grammar, yyjson_val *args, struct w_words *out)
{
	static const char *const words[] = {"program", "sub", NULL};
	const struct w_render_plan plan = {.grammar = grammar, .words = words};

	return w_render(&plan, args, out, NULL);
}

static void
add_line(struct w_buf *buf, const struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], "--") == 0)
			continue;
		w_buf_add_char(buf, ' ');
		w_words_quote(buf, words->items[i]);
	}
}

/* Only its own description knows where a nested command ends. */
static bool
has_command(const struct w_param *param)
{
	return param->values != NULL &&
	       param->values[0].kind == W_VALUE_COMMAND;
}

static bool
requires_command(const struct w_grammar *grammar)
{
	for (size_t i = 0; i < grammar->count; i++) {
		if (grammar->params[i].is_required &&
		    has_command(&grammar->params[i]))
			return true;
	}
	return false;
}

static void
expect_same(const char *id, const struct w_grammar *by,
    const struct w_grammar *grammar, const struct w_param *param)
{
	W_AUTO_BUF struct w_buf input;
	W_AUTO_WORDS struct w_words left = {0};
	W_AUTO_WORDS struct w_words right = {0};

	w_buf_init(&input, TEXT_MAX);
	add_input(&input, by, param);
	yyjson_doc *doc = yyjson_read(input.data, input.len, 0);
	assert_non_null(doc);
	/* What the command itself refuses, a missing operand, others may report
	 * later. */
	if (render(by, yyjson_doc_get_root(doc), &left) != WRIT_OK) {
		yyjson_doc_free(doc);
		return;
	}
	if (render(grammar, yyjson_doc_get_root(doc), &right) != WRIT_OK)
		fail_msg("%s: %s is not rendered", id, input.data);
	W_AUTO_BUF struct w_buf one;
	W_AUTO_BUF struct w_buf two;
	w_buf_init(&one, TEXT_MAX);
	w_buf_init(&two, TEXT_MAX);
	add_line(&one, &left);
	add_line(&two, &right);
	if (strcmp(one.data, two.data) != 0)
		fail_msg("%s: %s is\n%s, or\n%s", id, input.data, one.data,
		    two.data);
	yyjson_doc_free(doc);
}

static void
expect_same_facts(
    const char *id, const struct w_param *a, const struct w_param *b)
{
	if (strcmp(a->key, b->key) != 0 || a->kind != b->kind ||
	    a->slot != b->slot || a->is_secret != b->is_secret ||
	    a->is_path != b->is_path || a->is_required != b->is_required ||
	    a->conflict_count != b->conflict_count ||
	    a->require_count != b->require_count)
		fail_msg("%s: '%s' is not the same", id, a->key);
}

static size_t
compare_node(const struct w_command_node *node)
{
	const struct w_grammar *by;
	struct w_module *module = NULL;
	yyjson_doc *doc = NULL;
	writ_error err = {0};

	assert_int_equal(w_command_grammar(node, &by, &err), WRIT_OK);
	if (w_binding_from_command(node, &doc, &err) != WRIT_OK ||
	    w_module_new(yyjson_doc_get_root(doc), &module, NULL, &err) !=
		WRIT_OK)
		fail_msg("%s: %s", node->id, err.message);
	assert_int_equal(by->count, module->grammar->count);
	for (size_t i = 0; i < by->count; i++) {
		expect_same_facts(
		    node->id, &by->params[i], &module->grammar->params[i]);
		if (by->params[i].kind != W_PARAM_SEQUENCE &&
		    !has_command(&by->params[i]) && !requires_command(by))
			expect_same(
			    node->id, by, module->grammar, &by->params[i]);
	}
	w_module_free(module);
	yyjson_doc_free(doc);
	return by->count;
}

static size_t
compare_tree(const struct w_command_node *node)
{
	size_t count = node->is_runnable ? compare_node(node) : 0;

	for (size_t i = 0; i < node->child_count; i++)
		count += compare_tree(&node->children[i]);
	return count;
}

static void
every_builtin_form_comes_back_from_its_schema(void **state)
{
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < w_curated_count(); i++) {
		const struct w_curated curated = w_curated_at(i);
		yyjson_doc *doc = yyjson_read(curated.json, curated.len, 0);
		struct w_command *command = NULL;

		assert_int_equal(w_command_new(yyjson_doc_get_root(doc), false,
				     &command, NULL, NULL),
		    WRIT_OK);
		if (w_command_same_as(command) == NULL)
			count += compare_tree(w_command_root(command));
		w_command_free(command);
		yyjson_doc_free(doc);
	}
	assert_true(count > 1000);
}

/* ---- the schema itself ---- */

static yyjson_doc *
schema_of(const char *text)
{
	struct w_command *command = NULL;
	yyjson_doc *doc = NULL;
	writ_error err = {0};

	if (w_command_read_text(text, strlen(text), true, &command, &err) !=
		WRIT_OK ||
	    w_binding_from_command(w_command_root(command), &doc, &err) !=
		WRIT_OK)
		fail_msg("%u:%u: %s", err.line, err.column, err.message);
	w_command_free(command);
	return doc;
}

static void
expect_at(yyjson_doc *doc, const char *pointer, const char *json)
{
	yyjson_val *val = yyjson_doc_ptr_get(doc, pointer);
	char *text = yyjson_val_write(val, 0, NULL);

	if (text == NULL || strcmp(text, json) != 0)
		fail_msg(
		    "%s is %s", pointer, text == NULL ? "not there" : text);
	free(text);
}

static void
types_limits_and_words_are_in_the_schema(void **state)
{
	yyjson_doc *doc = schema_of(
	    "command: t\n"
	    "about: Tries\n"
	    "options:\n"
	    "  -n, --number <integer:1..9>: how many\n"
	    "  -w, --when[=<always|never>]: colours\n"
	    "  -k, --kind <a|b>...: which\n"
	    "  -p, --pass <secret>: {about: a word, conflicts: number}\n"
	    "  +x: plus\n"
	    "operands:\n"
	    "  file+ <path:read>: what\n"
	    "effects: []\n");

	(void)state;
	expect_at(doc, "/module_id", "\"cli.t\"");
	expect_at(doc, "/argv", "[\"t\"]");
	expect_at(doc, "/annotations/readonly", "true");
	expect_at(doc, "/input_schema/properties/number",
	    "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9,"
	    "\"description\":\"how many\",\"x-apexe-flag\":\"--number\","
	    "\"x-apexe-conflicts-with\":[\"pass\"]}");
	expect_at(doc, "/input_schema/properties/when/enum",
	    "[\"always\",\"never\",true,false]");
	expect_at(doc, "/input_schema/properties/kind/anyOf/1/items/enum",
	    "[\"a\",\"b\"]");
	expect_at(doc, "/input_schema/properties/pass/x-sensitive", "true");
	expect_at(doc, "/input_schema/properties/+x/x-writ-token", "\"+x\"");
	expect_at(doc, "/input_schema/required", "[\"file\"]");
	expect_at(doc, "/input_schema/additionalProperties", "false");
	yyjson_doc_free(doc);
}

static void
annotations_tell_the_worst(void **state)
{
	yyjson_doc *doc = schema_of("command: t\n"
				    "options:\n"
				    "  --filter <program>: runs that\n"
				    "effects: []\n");

	(void)state;
	expect_at(doc, "/annotations/destructive", "true");
	expect_at(doc, "/annotations/open_world", "true");
	yyjson_doc_free(doc);
	doc = schema_of("command: t\n"
			"options:\n"
			"  -o <path:write>: writes that\n"
			"effects: []\n");
	expect_at(doc, "/annotations",
	    "{\"readonly\":false,\"destructive\":false,\"idempotent\":false,"
	    "\"open_world\":false}");
	yyjson_doc_free(doc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_builtin_form_comes_back_from_its_schema),
	    cmocka_unit_test(types_limits_and_words_are_in_the_schema),
	    cmocka_unit_test(annotations_tell_the_worst),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
