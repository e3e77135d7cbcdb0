/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads commands: one text, or a list of words.
 *
 * Whether a text can be split is checked before its values are known, since a
 * value always stays within one word: a letter stands for each.
 */

#include <string.h>

#include "base/position.h"
#include "base/words.h"
#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

void
w_parse_line(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_command_property *command = member;
	struct w_property line;

	if (w_parse_template(parser, val, key->name, &line))
		*command = (struct w_command_property){.line = line};
}

static void
manifest_command_read_words(struct w_parser *parser, const char *what,
    struct w_command_property *command, yyjson_val *val)
{
	struct w_command_property made = {.words.count = 0};
	struct w_property_list *words = &made.words;

	if (yyjson_arr_size(val) == 0) {
		(void)w_parse_refuse(parser, val, "%s has no word", what);
		return;
	}
	words->items = w_parse_list(
	    parser, what, val, &w_parse_deferred_element, &words->count);
	if (words->items == NULL)
		return;
	if (words->count > 0 && words->items[0].template.len == 0)
		(void)w_parse_refuse_at(parser, &words->items[0].at,
		    "%s: the first word is the program, and cannot be empty",
		    what);
	*command = made;
}

void
w_parse_argv(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	if (yyjson_is_arr(val)) {
		manifest_command_read_words(parser, key->name, member, val);
		return;
	}
	(void)w_parse_refuse(parser, val, "%s must be a list of words, not %s",
	    key->name, w_json_type_words(val));
	if (yyjson_is_str(val) && strcmp(key->name, "argv") == 0)
		w_parse_suggest(parser, "use command for a text");
}

void
w_parse_command(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	if (yyjson_is_arr(val))
		w_parse_argv(parser, key, member, val);
	else
		w_parse_line(parser, key, member, val);
}

static bool
read_command_item(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	const struct w_parse_key key = {.name = what};

	w_parse_command(parser, &key, element, val);
	return true;
}

void
w_parse_commands(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(struct w_command_property), read_command_item};
	struct w_command_list *list = member;
	struct w_command_list made;

	made.items =
	    w_parse_list(parser, key->name, val, &element, &made.count);
	if (made.items != NULL)
		*list = made;
}

/* ---- checking the split ---- */

static bool
add_sketch(struct w_buf *buf, const struct w_template *template)
{
	if (template->count == 0)
		w_buf_add(buf, template->text, template->len);
	for (size_t i = 0; i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];

		if (part->literal != NULL)
			w_buf_add(buf, part->literal, part->len);
		else
			w_buf_add_char(buf, 'x');
	}
	return !buf->failed;
}

/* Maps an offset in a sketch back to its template. */
static size_t
unsketch(const struct w_template *template, size_t at)
{
	size_t start = 0;

	if (template->count == 0)
		return at;
	for (size_t i = 0; i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];
		const size_t len = part->literal != NULL ? part->len : 1;

		if (at < start + len)
			return part->offset + (at - start);
		start += len;
	}
	return template->len;
}

static bool
refuse_quote(struct w_parser *parser, const struct w_property *line,
    const char *what, const char *sketch, writ_error *err)
{
	const char *start = sketch;
	writ_error fault = {.status = WRIT_OK};

	for (unsigned number = 1; number < err->line; number++)
		start = strchr(start, '\n') + 1;
	const size_t at = (size_t)(start - sketch) + err->column - 1;
	const char opened = sketch[at];

	(void)w_fail(&fault, WRIT_E_INVALID, "words", 0, "%s",
	    opened == '\''  ? "Unterminated single-quoted string"
	    : opened == '"' ? "Unterminated double-quoted string"
			    : "Unterminated backslash-escape");
	if (err->suggestion[0] != '\0')
		w_suggest(&fault, "%s", err->suggestion);
	w_locate_offset(
	    &fault, line->template.text, unsketch(&line->template, at));
	return w_parse_refuse_within(
	    parser, &line->at, line->template.text, what, &fault);
}

static bool
manifest_command_split(struct w_parser *parser, const struct w_property *line,
    const char *what, bool needs_program, const struct w_buf *sketch)
{
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_words_split(sketch->data, sketch->len, &words, &err);

	if (status == WRIT_E_NOMEM) {
		parser->is_out_of_memory = true;
		return false;
	}
	if (status != WRIT_OK)
		return refuse_quote(parser, line, what, sketch->data, &err);
	if (!needs_program)
		return true;
	if (words.count == 0 || words.items[0][0] == '\0')
		return w_parse_refuse_at(
		    parser, &line->at, "%s: no command specified", what);
	return true;
}

static bool
check_line(struct w_parser *parser, const struct w_property *line,
    const char *what, bool needs_program)
{
	const struct w_template *template = &line->template;
	bool is_plain = true;

	/* Fast path: most texts have no quotes or escapes. */
	for (size_t i = 0; i < template->len && is_plain; i++)
		is_plain = strchr("'\"\\{}$\n", template->text[i]) == NULL;
	if (is_plain &&
	    (!needs_program || (template->len > 0 && template->text[0] > ' ')))
		return true;
	W_AUTO_BUF struct w_buf sketch;
	w_buf_init(&sketch, template->len + 1);
	if (!add_sketch(&sketch, template)) {
		parser->is_out_of_memory = true;
		return false;
	}
	return manifest_command_split(
	    parser, line, what, needs_program, &sketch);
}

bool
w_parse_check_line(
    struct w_parser *parser, const struct w_property *line, const char *what)
{
	return check_line(parser, line, what, true);
}

bool
w_parse_check_quotes(
    struct w_parser *parser, const struct w_property *line, const char *what)
{
	return check_line(parser, line, what, false);
}
