/* SPDX-License-Identifier: Apache-2.0 */

/* Reads shapes: the words of a command, with wildcards. */

#include <string.h>

#include "data/json_words.h"
#include "policy/read/policy_reader.h"

/* Checks where wildcards stand. */
static bool
read_shape_check_words(struct w_policy_reader *reader, yyjson_val *val,
    const struct w_words *words)
{
	if (words->count == 0)
		return w_read_refuse(reader, val, "the shape is empty");
	for (size_t i = 0; i + 1 < words->count; i++) {
		if (strcmp(words->items[i], "...") == 0) {
			(void)w_read_refuse(reader, val,
			    "'...' must be the last word of a shape");
			w_read_suggest(reader, "'*' is any one word");
			return false;
		}
	}
	if (strcmp(words->items[0], "...") != 0 &&
	    strcmp(words->items[0], "*") != 0)
		return true;
	(void)w_read_refuse(
	    reader, val, "a shape begins with the name of a program");
	w_read_suggest(reader, "{} matches every command");
	return false;
}

static bool
copy_words(struct w_policy_reader *reader, const struct w_words *words,
    struct w_shape *shape)
{
	const char **copies =
	    w_read_alloc(reader, words->count + 1, sizeof(*copies));

	shape->is_open = strcmp(words->items[words->count - 1], "...") == 0;
	shape->count = words->count - shape->is_open;
	for (size_t i = 0; copies != NULL && i < shape->count; i++) {
		const char *word = words->items[i];

		copies[i] = w_read_copy(reader, word, strlen(word));
	}
	shape->words = copies;
	return copies != NULL;
}

static bool
read_shape(
    struct w_policy_reader *reader, yyjson_val *val, struct w_shape *shape)
{
	const char *text = w_read_text(reader, val, "a shape");
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	writ_error err;

	if (text == NULL)
		return false;
	if (w_words_split(text, strlen(text), &words, &err) != WRIT_OK)
		return w_read_refuse_error(reader, val, "a shape", &err);
	shape->text = text;
	return read_shape_check_words(reader, val, &words) &&
	       copy_words(reader, &words, shape);
}

void
w_read_shapes(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;
	const size_t count = yyjson_is_arr(val) ? yyjson_arr_size(val) : 1;
	struct w_shape *shapes;
	size_t i;
	size_t max;
	yyjson_val *item;

	(void)key;
	if (!yyjson_is_arr(val) && !yyjson_is_str(val)) {
		(void)w_read_refuse(reader, val,
		    "shape must be text or a list of texts, not %s",
		    w_json_type_words(val));
		return;
	}
	if (count == 0) {
		(void)w_read_refuse(reader, val, "shape is an empty list");
		return;
	}
	shapes = w_read_alloc(reader, count, sizeof(*shapes));
	if (shapes == NULL)
		return;
	if (yyjson_is_str(val))
		(void)read_shape(reader, val, shapes);
	yyjson_arr_foreach(val, i, max, item)(void)
	    read_shape(reader, item, &shapes[i]);
	rule->shapes = shapes;
	rule->shape_count = count;
}
