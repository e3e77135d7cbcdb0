/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Expressions and templates with a fixed scope. Reading and evaluating never
 * break; the words of a template are as many as those of its literal parts,
 * whatever the values; a shell text with a value in it leaves the scanner
 * where the same text with a harmless value does; no error tells the secret.
 */

#include "expr/expr.h"

#include "check.h"
#include "data/json.h"
#include "expr/template/quoting_scan.h"
#include "expr/template/template.h"

/* A character that an input can only have by its bytes or its number. */
#define SECRET "\xf4\x8f\xbf\xbd"

struct setting {
	struct w_value root;
};

static const struct w_value *
give_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	struct setting *setting = ctx;

	if (root == W_ROOT_ENVIRON) {
		(void)w_fail(err, WRIT_E_INVALID, "scope", 0, "not here");
		return NULL;
	}
	return &setting->root;
}

static writ_status
give_file(void *ctx, const char *path, struct w_arena *arena,
    struct w_value *out_value, writ_error *err)
{
	(void)ctx;
	if (path[0] != '/')
		return w_fail(err, WRIT_E_SYSTEM, "file", 0, "no '%s'", path);
	const char *copy = w_arena_text(arena, path, strlen(path));
	CHECK(copy != NULL);
	*out_value = w_value_text(copy, strlen(copy));
	return WRIT_OK;
}

static struct w_value
read_json(struct w_arena *arena, const char *text)
{
	static const struct w_json_limits limits = {1 << 16, 64};
	struct w_json *json;
	struct w_value value;

	CHECK(w_json_read(text, strlen(text), &limits, &json, NULL) == WRIT_OK);
	CHECK(w_value_from_json(arena, w_json_root(json), &value, NULL) ==
	      WRIT_OK);
	w_json_free(json);
	return value;
}

/* v is what is filled in. */
static void
make_root(
    struct setting *setting, struct w_arena *arena, const char *v, size_t len)
{
	struct w_value base = read_json(arena,
	    "{\"a\":1,\"b\":2.5,\"c\":\"text\",\"d\":[1,2,3,\"x\"],"
	    "\"e\":{\"f\":null,\"g\":true},\"h\":[{\"n\":1},{\"n\":2}]}");
	size_t count = base.as.map.count;
	struct w_value_member *members = w_value_new_members(arena, count + 2);

	CHECK(members != NULL);
	memcpy(members, base.as.map.members, count * sizeof(*members));
	members[count] = (struct w_value_member){
	    .name = "v", .len = 1, .value = w_value_text(v, len)};
	members[count + 1] = (struct w_value_member){.name = "s",
	    .len = 1,
	    .value = w_value_text(SECRET, sizeof(SECRET) - 1)};
	members[count + 1].value.is_secret = true;
	setting->root = w_value_map(members, count + 2);
}

static void
check_failure(const writ_error *err, writ_status status)
{
	check_error(err, status);
	CHECK(status == WRIT_E_INVALID || status == WRIT_E_SYSTEM);
	CHECK(strstr(err->message, SECRET) == NULL);
	CHECK(strstr(err->suggestion, SECRET) == NULL);
}

/* A value that may be shown does not show the secret, or what it is made of
 * that a reader would recognise. */
static void
check_value(const struct w_value *value)
{
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&json, (size_t)512 << 20);
	w_buf_init(&text, (size_t)512 << 20);
	w_value_add_json(&json, value, false);
	w_value_add_text(&text, value);
	CHECK(strstr(json.data, SECRET) == NULL);
	if (strstr(text.data, SECRET) != NULL)
		CHECK(w_value_has_secret(value));
}

static void
check_expression(const char *text, size_t len, const struct w_expr_scope *scope)
{
	struct w_arena arena = {0};
	const struct w_expr *expr = NULL;
	struct w_value value;
	writ_error err;
	bool holds;
	writ_status status = w_expr_compile(&arena, text, len, &expr, &err);

	if (status != WRIT_OK) {
		CHECK(expr == NULL && status == WRIT_E_INVALID);
		CHECK(err.line > 0 && err.column > 0);
		check_failure(&err, status);
	} else {
		CHECK(w_expr_uses(expr) < 2 * W_EXPR_USES_SECRET);
		status = w_expr_eval(expr, scope, &arena, &value, &err);
		if (status == WRIT_OK)
			check_value(&value);
		else
			check_failure(&err, status);
		(void)w_expr_test(expr, scope, &arena, &holds, &err);
	}
	w_arena_done(&arena);
}

static size_t
count_words(const struct w_template *template, const struct w_expr_scope *scope,
    struct w_arena *arena)
{
	const char *const *words = NULL;
	writ_error err;
	size_t count = 0;
	writ_status status =
	    w_template_words(template, scope, arena, &words, &err);

	if (status != WRIT_OK) {
		check_failure(&err, status);
		return SIZE_MAX;
	}
	while (words[count] != NULL)
		count++;
	return count;
}

/* The frames that the text leaves open. */
static void
scan_shell(const struct w_template *template, const struct w_expr_scope *scope,
    struct w_arena *arena, struct w_quoting_scan *scan, bool *out_is_made)
{
	const char *text = NULL;
	writ_error err;
	writ_status status =
	    w_template_shell(template, scope, arena, &text, &err);

	w_quoting_scan_init(scan);
	*out_is_made = status == WRIT_OK;
	if (status != WRIT_OK) {
		check_failure(&err, status);
		return;
	}
	w_quoting_scan_feed(scan, text, strlen(text));
}

static void
check_same_place(const struct w_quoting_scan *a, const struct w_quoting_scan *b)
{
	CHECK(a->depth == b->depth);
	CHECK((a->lost == NULL) == (b->lost == NULL));
	CHECK(a->doc_count == b->doc_count);
	for (size_t i = 0; i <= a->depth; i++)
		CHECK(a->frames[i].kind == b->frames[i].kind &&
		      a->frames[i].parens == b->frames[i].parens);
}

/* Whether nothing in it but {{ Data.v }} depends on the value. */
static bool
is_steady(const struct w_template *template)
{
	for (size_t i = 0; i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];

		if (part->expr != NULL && strncmp(template->text + part->offset,
					      "{{ Data.v }}", 12) != 0)
			return false;
	}
	return true;
}

static void
check_template(const char *text, size_t len, const char *v, size_t v_len)
{
	struct w_arena arena = {0};
	struct setting wild;
	struct setting sanitizer;
	const struct w_expr_scope scope = {
	    .root = give_root, .read_file = give_file, .ctx = &wild};
	const struct w_expr_scope sanitizer_scope = {
	    .root = give_root, .read_file = give_file, .ctx = &sanitizer};
	struct w_template template = {.text = NULL};
	struct w_value value;
	writ_error err;

	make_root(&wild, &arena, v, v_len);
	make_root(&sanitizer, &arena, "x", 1);
	writ_status status =
	    w_template_parse(&arena, text, len, &template, &err);
	if (status != WRIT_OK) {
		CHECK(template.parts == NULL);
		check_failure(&err, status);
		w_arena_done(&arena);
		return;
	}
	status = w_template_value(&template, &scope, &arena, &value, &err);
	if (status == WRIT_OK)
		check_value(&value);
	status = w_template_text(&template, &scope, &arena, &value, &err);
	if (status == WRIT_OK)
		check_value(&value);
	else
		check_failure(&err, status);

	size_t wild_words = count_words(&template, &scope, &arena);
	size_t sanitizer_words =
	    count_words(&template, &sanitizer_scope, &arena);
	struct w_quoting_scan wild_scan;
	struct w_quoting_scan sanitizer_scan;
	bool is_made;
	bool is_sanitizer_made;
	scan_shell(&template, &scope, &arena, &wild_scan, &is_made);
	scan_shell(&template, &sanitizer_scope, &arena, &sanitizer_scan,
	    &is_sanitizer_made);
	if (is_made)
		CHECK(w_template_check_shell(&template, &err) == WRIT_OK);
	if (is_steady(&template)) {
		CHECK(wild_words == sanitizer_words);
		/* A value with a newline is refused in one place more. */
		CHECK(!is_made || is_sanitizer_made);
		if (is_made)
			check_same_place(&wild_scan, &sanitizer_scan);
	}
	w_arena_done(&arena);
}

/* The first line is the value, the rest the text. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *all = copy_string(data, size);
	size_t v_len = strcspn(all, "\n");
	size_t from = v_len < size ? v_len + 1 : size;
	struct w_arena arena = {0};
	struct setting setting;
	const struct w_expr_scope scope = {
	    .root = give_root, .read_file = give_file, .ctx = &setting};

	/* A byte 0x14 in the value is a newline, which the line cannot hold. */
	char *v = copy_string(data, v_len);
	for (size_t i = 0; i < v_len; i++)
		v[i] = v[i] == '\x14' ? '\n' : v[i];
	make_root(&setting, &arena, v, v_len);
	/* An input that knows the secret may tell it. */
	if (memchr(all, SECRET[0], size) != NULL ||
	    strcasestr(all, "10fffd") != NULL)
		size = from;
	check_expression(all + from, size - from, &scope);
	check_template(all + from, size - from, v, v_len);
	free(v);
	free(all);
	w_arena_done(&arena);
	return 0;
}
