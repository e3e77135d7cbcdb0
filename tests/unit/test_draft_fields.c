/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a new key of a request needs elsewhere, and what is easily forgotten: a
 * place in the hash that approvals are bound to, in the manual, and in the
 * corpus of the fuzz target.
 */

#include "draft_check.h"

#include "audit/record/request_hash.h"
#include "base/auto.h"
#include "data/json.h"
#include "engine/request/draft_fields.h"

/* ---- the hash ---- */

static void
store(writ_request *request, const struct w_draft_field *field,
    const void *value, size_t len)
{
	memcpy((char *)request + field->offset, value, len);
}

/* Sets the member of a key to something that is not its default. */
static void
set_member(writ_request *request, const struct w_draft_field *field)
{
	static const char *const words[] = {"x", NULL};
	const char *text = "x";
	const char *const *list = words;
	const bool yes = true;
	const int one = 1;
	const uint64_t number = 1;

	if (field->kind == W_KIND_STRING) {
		store(request, field, &text, sizeof(text));
	} else if (field->kind == W_KIND_LIST || field->kind == W_KIND_MAP) {
		store(request, field, &list, sizeof(list));
	} else if (field->kind == W_KIND_SWITCH) {
		store(request, field, &yes, sizeof(yes));
	} else if (field->kind == W_KIND_BYTES) {
		request->stdin_data = text;
		request->stdin_len = 1;
	} else if (field->kind == W_KIND_MODE ||
		   field->kind == W_KIND_INTEGER ||
		   field->kind == W_KIND_WORD ||
		   (field->flags & W_FIELD_SMALL) != 0) {
		store(request, field, &one, sizeof(one));
	} else {
		store(request, field, &number, sizeof(number));
	}
}

static bool
is_hashed(const struct w_draft_field *field)
{
	const uint8_t bytes[W_SHA256_KEY_SIZE] = {1};
	writ_request request = WRIT_REQUEST_INIT;
	struct w_hmac_key key;
	uint8_t before[W_SHA256_SIZE];
	uint8_t after[W_SHA256_SIZE];

	if (field->kind == W_KIND_BYTES)
		request.stdin_kind = WRIT_STDIN_DATA;
	else if ((field->flags & W_FIELD_STDIN) != 0)
		request.stdin_kind = WRIT_STDIN_FILE;
	w_hmac_key_init(&key, bytes, sizeof(bytes));
	w_audit_request_hash(&key, &request, NULL, before);
	set_member(&request, field);
	w_audit_request_hash(&key, &request, NULL, after);
	return memcmp(before, after, sizeof(after)) != 0;
}

/* These only name a request, or may change while a person is asked. See
 * request_hash.h before you add one. */
static bool
is_left_out(const char *key)
{
	static const char *const keys[] = {"trace_id", "description",
	    "approval", "session", "rows", "columns"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcmp(keys[i], key) == 0)
			return true;
	}
	return false;
}

static void
every_key_that_changes_a_run_is_in_its_hash(void **state)
{
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		if (is_hashed(&fields[i]) == is_left_out(fields[i].name))
			fail_msg("'%s' is %s request_hash.c", fields[i].name,
			    is_hashed(&fields[i]) ? "in" : "not in");
	}
}

/* ---- the manual ---- */

/* A file of the source. The caller frees it. */
static char *
read_source(const char *name, size_t *out_len)
{
	const char *source = getenv("WRIT_SOURCE");
	char path[512];
	char *text = NULL;
	size_t cap = 0;

	if (source == NULL)
		skip();
	(void)snprintf(path, sizeof(path), "%s/%s", source, name);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		fail_msg("there is no '%s'", path);
	ssize_t len = getdelim(&text, &cap, '\0', file);
	(void)fclose(file);
	assert_true(len > 0);
	*out_len = (size_t)len;
	return text;
}

/* Marks the keys in the first cell of a row: "| `read`, `write` | ...". */
static void
mark_row(const char *row, const struct w_draft_field *fields, bool *is_there)
{
	const char *end = strstr(row + 1, " | ");
	const char *at = strchr(row, '`');

	while (at != NULL && end != NULL && at < end) {
		const char *word = at + 1;
		const size_t len = strcspn(word, "`");
		const struct w_draft_field *field =
		    w_draft_field_find(word, len, NULL);

		if (field == NULL)
			fail_msg("docs/request.md has '%.*s', which is no key",
			    (int)len, word);
		else
			is_there[field - fields] = true;
		at = strchr(word + len + 1, '`');
	}
}

static void
every_key_is_in_the_manual(void **state)
{
	bool is_there[256] = {false};
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);
	size_t len;
	W_AUTO_FREE char *page = read_source("docs/request.md", &len);
	const char *row = strstr(page, "\n## Request\n");
	const char *end = strstr(page, "\n## Result\n");

	(void)state;
	assert_true(row != NULL && end > row && count <= 256);
	while ((row = strchr(row + 1, '\n')) != NULL && row < end) {
		if (strncmp(row, "\n| `", 4) == 0)
			mark_row(row + 1, fields, is_there);
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_there[i])
			fail_msg("docs/request.md has no row for '%s'",
			    fields[i].name);
	}
}

/* ---- the corpus ---- */

static void
mark_members(writ_draft *draft, const char *name,
    const struct w_draft_field *fields, bool *is_there)
{
	size_t len;
	W_AUTO_FREE char *text = read_source(name, &len);

	(void)read_ok(draft, text);
	yyjson_doc *doc = yyjson_read(text, len, 0);
	yyjson_obj_iter members =
	    yyjson_obj_iter_with(yyjson_doc_get_root(doc));
	yyjson_val *key;
	while ((key = yyjson_obj_iter_next(&members)) != NULL) {
		const struct w_draft_field *field = w_draft_field_find(
		    yyjson_get_str(key), yyjson_get_len(key), NULL);

		assert_non_null(field);
		is_there[field - fields] = true;
	}
	yyjson_doc_free(doc);
}

/* Keys that exclude each other are in different files. */
static void
the_corpus_has_every_key(void **state)
{
	bool is_there[256] = {false};
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);

	mark_members(
	    *state, "fuzz/corpus/request/every-key.json", fields, is_there);
	drop_draft(state);
	assert_int_equal(make_draft(state), 0);
	mark_members(
	    *state, "fuzz/corpus/request/other-keys.json", fields, is_there);
	assert_true(count <= 256);
	for (size_t i = 0; i < count; i++) {
		if (!is_there[i])
			fail_msg("fuzz/corpus/request/every-key.json has no "
				 "'%s'",
			    fields[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_key_that_changes_a_run_is_in_its_hash),
	    cmocka_unit_test(every_key_is_in_the_manual),
	    TEST(the_corpus_has_every_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
