/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Three lines of JSON: an input schema, arguments, and a declared command.
 * What is refused says why and where; what is rendered has every text of the
 * arguments in a word, and no word that the kernel would not take.
 */

#include "check.h"
#include "command/render/render.h"
#include "data/json.h"
#include "module/binding/binding_template.h"

static const struct w_json_limits limits = {
    .bytes_max = 65536, .depth_max = 32};

static void
check_words(const struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		CHECK(strlen(words->items[i]) <= W_WORD_BYTES_MAX);
	if (words->items != NULL)
		CHECK(words->items[words->count] == NULL);
}

static void
check_ends(const struct w_words *words, yyjson_val *text)
{
	size_t len = yyjson_get_len(text);
	bool is_there = false;

	for (size_t i = 0; i < words->count && !is_there; i++) {
		size_t have = strlen(words->items[i]);

		is_there = have >= len && memcmp(words->items[i] + have - len,
					      yyjson_get_str(text), len) == 0;
	}
	CHECK(is_there);
}

/* Every text that is a value, or an element of one, ends a word. */
static void
check_texts(const struct w_grammar *grammar, yyjson_val *args,
    const struct w_words *words)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(args, i, count, key, val)
	{
		const struct w_param *param = w_grammar_find(
		    grammar, yyjson_get_str(key), yyjson_get_len(key));
		size_t j;
		size_t items;
		yyjson_val *item;

		if (param != NULL && param->kind == W_PARAM_SEQUENCE)
			continue;
		if (yyjson_is_str(val))
			check_ends(words, val);
		yyjson_arr_foreach(val, j, items, item)
		{
			if (yyjson_is_str(item))
				check_ends(words, item);
		}
	}
}

/* A call with nothing but one operand shows that it cannot be an option. */
static void
check_operand(const struct w_grammar *grammar, const struct w_words *words,
    yyjson_val *args)
{
	if (yyjson_obj_size(args) != 1 || words->count < 2)
		return;
	yyjson_obj_iter iter = yyjson_obj_iter_with(args);
	yyjson_val *key = yyjson_obj_iter_next(&iter);
	const struct w_param *param =
	    w_grammar_find(grammar, yyjson_get_str(key), yyjson_get_len(key));
	if (param == NULL || param->kind != W_PARAM_OPERAND ||
	    param->may_begin_with_dash ||
	    !yyjson_is_str(yyjson_obj_iter_get_val(key)))
		return;
	CHECK(words->items[1][0] != '-' || strcmp(words->items[1], "-") == 0 ||
	      strcmp(words->items[1], "--") == 0);
}

static void
try_render(const struct w_grammar *grammar, yyjson_val *args)
{
	const char *const program[] = {"cmd", NULL};
	const struct w_render_plan plan = {
	    .grammar = grammar, .words = program};
	struct w_words words = {0};
	writ_error err = {.status = WRIT_OK};
	writ_status status = w_render(&plan, args, &words, &err);

	if (status == WRIT_OK) {
		check_words(&words);
		check_texts(grammar, args, &words);
		check_operand(grammar, &words, args);
	} else {
		CHECK(words.items == NULL);
		check_error(&err, status);
	}
	w_words_done(&words);
	for (int i = W_STRICT_LITERAL; i <= W_STRICT_EXEC; i++) {
		writ_error why = {.status = WRIT_OK};

		status = w_render_preflight(args, (enum w_strictness)i, &why);
		if (status != WRIT_OK)
			check_error(&why, status);
	}
}

static void
try_template(
    const struct w_grammar *grammar, yyjson_val *args, yyjson_val *command)
{
	struct w_binding_template *template = NULL;
	struct w_words words = {0};
	yyjson_val *at = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_binding_template_new(command, grammar, &template, &at, &err);

	if (status != WRIT_OK) {
		CHECK(template == NULL && at != NULL);
		check_error(&err, status);
		return;
	}
	CHECK(w_binding_template_head(template, &words, &err) == WRIT_OK);
	CHECK(words.count > 0);
	w_words_done(&words);
	status = w_binding_template_render(template, args, &words, &err);
	if (status == WRIT_OK)
		CHECK(words.count > 0);
	else
		check_error(&err, status);
	check_words(&words);
	w_words_done(&words);
	w_binding_template_free(template);
}

static void
try_form(yyjson_val *schema, yyjson_val *args, yyjson_val *command)
{
	struct w_grammar *grammar = NULL;
	yyjson_val *at = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status = w_grammar_new(schema, &grammar, &at, &err);

	if (status != WRIT_OK) {
		CHECK(grammar == NULL && at != NULL);
		check_error(&err, status);
		return;
	}
	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		CHECK((param->flag != NULL) == (param->kind == W_PARAM_OPTION));
		/* Only x-writ-token names a flag without a dash. */
		CHECK(param->flag == NULL || param->flag[0] == '-' ||
		      yyjson_obj_get(param->schema, "x-writ-token") != NULL);
		CHECK(w_grammar_find(grammar, param->key, param->key_len) ==
		      param);
	}
	if (args != NULL)
		try_render(grammar, args);
	if (args != NULL && command != NULL)
		try_template(grammar, args, command);
	w_grammar_free(grammar);
}

/* The next line as a document; NULL: it is none. */
static struct w_json *
next_document(const char **text, size_t *left)
{
	struct w_json *json = NULL;
	const char *end = *left > 0 ? memchr(*text, '\n', *left) : NULL;
	size_t len = end != NULL ? (size_t)(end - *text) : *left;

	(void)w_json_read(*text, len, &limits, &json, NULL);
	*text += len;
	*left -= len;
	if (*left > 0) {
		(*text)++;
		(*left)--;
	}
	return json;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = copy_exact(data, size);
	const char *text = copy;
	struct w_json *schema = next_document(&text, &size);
	struct w_json *args = next_document(&text, &size);
	struct w_json *command = next_document(&text, &size);

	if (schema != NULL)
		try_form(w_json_root(schema),
		    args != NULL ? w_json_root(args) : NULL,
		    command != NULL ? w_json_root(command) : NULL);
	w_json_free(schema);
	w_json_free(args);
	w_json_free(command);
	free(copy);
	return 0;
}
