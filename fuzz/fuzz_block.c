/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Block templates with a fixed scope, in both syntaxes (the first byte says
 * which). Reading and filling in end, within their limits; errors have a place,
 * and do not tell the secret; a text with the secret in it is marked.
 */

#include "expr/template/block_template.h"

#include "check.h"
#include "data/json.h"

/* A character that an input can only have by its bytes. */
#define SECRET "\xf4\x8f\xbf\xbd"

static struct w_value root;

static const struct w_value *
give_root(void *ctx, enum w_expr_root which, writ_error *err)
{
	(void)ctx;
	if (which == W_ROOT_DATA || which == W_ROOT_FACTS)
		return &root;
	(void)w_fail(err, WRIT_E_INVALID, "scope", 0, "not here");
	return NULL;
}

static writ_status
give_file(void *ctx, const char *path, struct w_arena *arena,
    struct w_value *out_value, writ_error *err)
{
	static const char text[] = "{{ Data.a }}{{ template('x.j2') }}";

	(void)ctx;
	(void)arena;
	(void)err;
	*out_value = path[0] == 'x' ? w_value_text(text, sizeof(text) - 1)
				    : w_value_text("", 0);
	return WRIT_OK;
}

static void
make_root(struct w_arena *arena)
{
	static const struct w_json_limits limits = {1 << 16, 64};
	static const char text[] =
	    "{\"a\":1,\"d\":[1,2,3,\"x\"],\"e\":{\"f\":null,\"g\":true},"
	    "\"h\":[{\"n\":1},{\"n\":2}],\"t\":\"{{ 1 }}\"}";
	struct w_json *json;
	struct w_value base;

	CHECK(w_json_read(text, sizeof(text) - 1, &limits, &json, NULL) ==
	      WRIT_OK);
	CHECK(w_value_from_json(arena, w_json_root(json), &base, NULL) ==
	      WRIT_OK);
	w_json_free(json);
	size_t count = base.as.map.count;
	struct w_value_member *members = w_value_new_members(arena, count + 1);
	CHECK(members != NULL);
	memcpy(members, base.as.map.members, count * sizeof(*members));
	members[count] = (struct w_value_member){.name = "s",
	    .len = 1,
	    .value = w_value_text(SECRET, sizeof(SECRET) - 1)};
	members[count].value.is_secret = true;
	root = w_value_map(members, count + 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);
	struct w_arena arena = {0};
	const struct w_expr_scope scope = {
	    .root = give_root, .read_file = give_file};
	const struct w_block_template *template = NULL;
	struct w_value filled;
	writ_error err = {0};
	const size_t from = size > 0;
	const bool knows = memchr(text, SECRET[0], size) != NULL ||
			   strcasestr(text, "10fffd") != NULL;

	make_root(&arena);
	writ_status status = w_block_parse(&arena, text + from, size - from,
	    size > 0 && text[0] == 'j' ? W_BLOCK_JET : W_BLOCK_PLAIN, &template,
	    &err);
	if (status != WRIT_OK) {
		CHECK(template == NULL && err.line > 0 && err.column > 0);
		check_error(&err, status);
	} else {
		status = w_block_fill(template, &scope, &arena, &filled, &err);
		if (status == WRIT_OK && !knows)
			CHECK(filled.is_secret ||
			      strstr(filled.as.string.text, SECRET) == NULL);
		else if (status != WRIT_OK)
			check_error(&err, status);
		if (status != WRIT_OK && !knows)
			CHECK(strstr(err.message, SECRET) == NULL);
	}
	free(text);
	w_arena_done(&arena);
	return 0;
}
