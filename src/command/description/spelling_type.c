/* SPDX-License-Identifier: Apache-2.0 */

/* Types of values as descriptions write them: "path:read+delete",
 * "integer:0..255", "always|never". */

#include "command/description/spelling_type.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/match.h"

#define CHOICES_MAX 256

/* What may follow the colon. */
enum detail {
	DETAIL_NONE,
	DETAIL_RANGE,
	DETAIL_ACCESS,
	DETAIL_SCRIPT,
};

static const struct type_name {
	const char *word;
	enum w_value_type_kind kind;
	enum detail detail;
	unsigned json;
} type_names[] = {
    {"text", W_VALUE_TEXT, DETAIL_NONE, W_TYPE_STRING},
    {"integer", W_VALUE_INTEGER, DETAIL_RANGE, W_TYPE_INTEGER},
    {"number", W_VALUE_NUMBER, DETAIL_NONE, W_TYPE_NUMBER},
    {"duration", W_VALUE_DURATION, DETAIL_NONE, W_TYPE_STRING},
    {"size", W_VALUE_SIZE, DETAIL_NONE, W_TYPE_STRING},
    {"path", W_VALUE_PATH, DETAIL_ACCESS, W_TYPE_STRING},
    {"url", W_VALUE_URL, DETAIL_NONE, W_TYPE_STRING},
    {"host", W_VALUE_HOST, DETAIL_NONE, W_TYPE_STRING},
    {"remote", W_VALUE_REMOTE, DETAIL_ACCESS, W_TYPE_STRING},
    {"revision", W_VALUE_REVISION, DETAIL_NONE, W_TYPE_STRING},
    {"regex", W_VALUE_REGEX, DETAIL_NONE, W_TYPE_STRING},
    {"glob", W_VALUE_GLOB, DETAIL_NONE, W_TYPE_STRING},
    {"secret", W_VALUE_SECRET, DETAIL_NONE, W_TYPE_STRING},
    {"header", W_VALUE_HEADER, DETAIL_NONE, W_TYPE_STRING},
    {"data", W_VALUE_DATA, DETAIL_NONE, W_TYPE_STRING},
    {"form", W_VALUE_MULTIPART, DETAIL_NONE, W_TYPE_STRING},
    {"assignment", W_VALUE_ASSIGNMENT, DETAIL_NONE, W_TYPE_STRING},
    {"command", W_VALUE_COMMAND, DETAIL_NONE, W_TYPE_ARRAY},
    {"program", W_VALUE_PROGRAM, DETAIL_NONE, W_TYPE_STRING},
    {"script", W_VALUE_SCRIPT, DETAIL_SCRIPT, W_TYPE_STRING},
};

#define TYPE_COUNT (sizeof(type_names) / sizeof(type_names[0]))

struct named_bits {
	const char *word;
	unsigned bits;
};

static const struct named_bits accesses[] = {
    {"read", W_EFFECT_READ},
    {"write", W_EFFECT_WRITE},
    {"create", W_EFFECT_WRITE},
    {"delete", W_EFFECT_DELETE},
    {"exec", (unsigned)W_EFFECT_EXEC | (unsigned)W_EFFECT_CODE},
    {"base", 0},
    {NULL, 0},
};

static const struct named_bits scripts[] = {
    {"sh", W_SCRIPT_SH},
    {"sed", W_SCRIPT_SED},
    {"awk", W_SCRIPT_AWK},
    {"jq", W_SCRIPT_JQ},
    {NULL, 0},
};

static bool
spelling_type_is_word(const char *text, size_t len, const char *word)
{
	return strncmp(text, word, len) == 0 && word[len] == '\0';
}

static const struct named_bits *
find_bits(const struct named_bits *table, const char *text, size_t len)
{
	while (table->word != NULL &&
	       !spelling_type_is_word(text, len, table->word))
		table++;
	return table->word != NULL ? table : NULL;
}

/* Suggests the word of a table that was probably meant. */
static void
suggest_bits(struct w_spelling *in, const struct named_bits *table, size_t from,
    size_t len)
{
	const char *words[8] = {NULL};
	char meant[32] = "";

	for (size_t i = 0; i < 7 && table[i].word != NULL; i++)
		words[i] = table[i].word;
	if (len >= sizeof(meant))
		return;
	memcpy(meant, in->text + from, len);
	w_match_suggest(w_match_nearest(meant, words), in->err);
}

/* One bound; a missing one leaves *bound unchanged. *at moves past it. */
static bool
read_bound(const char *text, const char *end, const char **at, int64_t *bound)
{
	char *behind;

	*at = text;
	if (text == end || *text == '.')
		return true;
	if (*text != '-' && (*text < '0' || *text > '9'))
		return false;
	errno = 0;
	/* Every type ends with '>', so this stays within the text. */
	long long value = strtoll(text, &behind, 10);
	if (errno != 0 || behind == text || behind > end)
		return false;
	*bound = value;
	*at = behind;
	return true;
}

static writ_status
spelling_type_read_range(
    struct w_spelling *in, size_t from, size_t len, struct w_value_type *type)
{
	const char *at = in->text + from;
	const char *end = at + len;

	if (!read_bound(at, end, &at, &type->min) || end - at < 2 ||
	    strncmp(at, "..", 2) != 0 ||
	    !read_bound(at + 2, end, &at, &type->max) || at != end) {
		(void)w_spelling_refuse(in, from, "'%.*s' is not a range",
		    (int)(len < 64 ? len : 64), in->text + from);
		w_suggest(in->err, "like 0..255, 1.. or ..100");
		return WRIT_E_INVALID;
	}
	if (type->min > type->max)
		return w_spelling_refuse(
		    in, from, "the range has nothing in it");
	return WRIT_OK;
}

/* "read+delete". */
static writ_status
read_access(
    struct w_spelling *in, size_t from, size_t len, struct w_value_type *type)
{
	size_t end = from + len;

	for (;;) {
		size_t size = strcspn(in->text + from, "+>");
		const struct named_bits *access =
		    find_bits(accesses, in->text + from, size);

		if (access == NULL) {
			(void)w_spelling_refuse(in, from,
			    "'%.*s' is nothing that is done to a path",
			    (int)(size < 64 ? size : 64), in->text + from);
			suggest_bits(in, accesses, from, size);
			return WRIT_E_INVALID;
		}
		type->access |= access->bits;
		type->is_base |= access->bits == 0;
		if (from + size >= end)
			return WRIT_OK;
		from += size + 1;
	}
}

static writ_status
spelling_type_read_script(
    struct w_spelling *in, size_t from, size_t len, struct w_value_type *type)
{
	const struct named_bits *script =
	    find_bits(scripts, in->text + from, len);

	if (script == NULL) {
		(void)w_spelling_refuse(in, from,
		    "the language '%.*s' is not known",
		    (int)(len < 64 ? len : 64), in->text + from);
		w_suggest(
		    in->err, "sh, sed, awk or jq; for others: 'script' alone");
		return WRIT_E_INVALID;
	}
	type->script = (enum w_script)script->bits;
	return WRIT_OK;
}

static writ_status
read_choices(
    struct w_spelling *in, size_t from, size_t len, struct w_value_type *type)
{
	size_t end = from + len;
	size_t room = 2;
	size_t count = 0;

	/* A leading bar: a single choice needs one. */
	from += in->text[from] == '|';
	for (size_t i = from; i < end; i++)
		room += in->text[i] == '|';
	if (room > CHOICES_MAX)
		return w_spelling_refuse(
		    in, from, "more than %d choices", CHOICES_MAX - 1);
	const char **choices = w_arena_alloc(in->arena, room, sizeof(char *));
	if (choices == NULL)
		return w_fail_nomem(in->err, W_SPELLING_STAGE);
	for (; count < room - 1; count++) {
		const char *text = in->text + from;
		size_t size = strcspn(text, "|>");

		if (size == 0)
			return w_spelling_refuse(in, from, "an empty choice");
		for (size_t i = 0; i < count; i++) {
			if (spelling_type_is_word(text, size, choices[i]))
				return w_spelling_refuse(in, from,
				    "the choice '%.*s' is there twice",
				    (int)(size < 64 ? size : 64), text);
		}
		choices[count] = w_arena_text(in->arena, text, size);
		if (choices[count] == NULL)
			return w_fail_nomem(in->err, W_SPELLING_STAGE);
		from += size + 1;
	}
	type->kind = W_VALUE_CHOICE;
	type->choices = choices;
	return WRIT_OK;
}

/* Names of types in other description formats. */
static const struct {
	const char *word;
	const char *says;
} strangers[] = {
    {"string", "text"},
    {"str", "text"},
    {"name", "text"},
    {"int", "integer"},
    {"float", "number"},
    {"file", "path:read' or 'path:write"},
    {"filename", "path:read' or 'path:write"},
    {"dir", "path:read' or 'path:write"},
    {"directory", "path:read' or 'path:write"},
    {"pattern", "regex' or 'glob"},
    {"uri", "url"},
    {"password", "secret"},
};

static bool
suggest_for_stranger(const char *word, writ_error *err)
{
	if (strcmp(word, "bool") == 0 || strcmp(word, "boolean") == 0) {
		w_suggest(err, "a switch has no value: '--force'");
		return true;
	}
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
		if (strcmp(word, strangers[i].word) != 0)
			continue;
		w_suggest(err, "write '%s'", strangers[i].says);
		return true;
	}
	return false;
}

static writ_status
spelling_type_refuse_type(struct w_spelling *in, size_t from, size_t len)
{
	const char *words[TYPE_COUNT + 1] = {NULL};
	char meant[32] = "";

	for (size_t i = 0; i < TYPE_COUNT; i++)
		words[i] = type_names[i].word;
	(void)w_spelling_refuse(in, from, "there is no type '%.*s'",
	    (int)(len < 64 ? len : 64), in->text + from);
	if (len < sizeof(meant)) {
		memcpy(meant, in->text + from, len);
		if (!suggest_for_stranger(meant, in->err))
			w_match_suggest(w_match_nearest(meant, words), in->err);
	}
	return WRIT_E_INVALID;
}

static writ_status
read_detail(struct w_spelling *in, size_t from, size_t len, enum detail detail,
    struct w_value_type *type)
{
	switch (detail) {
	case DETAIL_RANGE:
		return spelling_type_read_range(in, from, len, type);
	case DETAIL_ACCESS:
		return read_access(in, from, len, type);
	case DETAIL_SCRIPT:
		return spelling_type_read_script(in, from, len, type);
	case DETAIL_NONE:
		break;
	}
	return w_spelling_refuse(in, from, "nothing can come after this type");
}

writ_status
w_spelling_type(struct w_spelling *spelling, size_t from, size_t len,
    struct w_value_type *out_type)
{
	const char *text = spelling->text + from;
	struct w_value_type type = {.min = INT64_MIN, .max = INT64_MAX};

	if (memchr(text, '|', len) != NULL) {
		writ_status status = read_choices(spelling, from, len, &type);

		if (status == WRIT_OK)
			*out_type = type;
		return status;
	}
	const char *colon = memchr(text, ':', len);
	size_t word_len = colon != NULL ? (size_t)(colon - text) : len;
	size_t place = 0;
	while (place < TYPE_COUNT &&
	       !spelling_type_is_word(text, word_len, type_names[place].word))
		place++;
	if (place == TYPE_COUNT)
		return spelling_type_refuse_type(spelling, from, word_len);
	type.kind = type_names[place].kind;
	if (colon != NULL) {
		writ_status status = read_detail(spelling, from + word_len + 1,
		    len - word_len - 1, type_names[place].detail, &type);
		if (status != WRIT_OK)
			return status;
	}
	*out_type = type;
	return WRIT_OK;
}

unsigned
w_spelling_json_types(enum w_value_type_kind kind)
{
	for (size_t i = 0; i < TYPE_COUNT; i++) {
		if (type_names[i].kind == kind)
			return type_names[i].json;
	}
	return W_TYPE_STRING;
}
