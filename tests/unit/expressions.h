/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_EXPRESSING_H
#define W_TEST_EXPRESSING_H

/* What the tests of expressions have in common: a scope, and tables of
 * expressions with the JSON of what they are, or the error that they give. */

#include <stdio.h>
#include <string.h>

#include "data/json.h"
#include "expr/expr.h"

#define EXPRESSING_FACTS                                                \
	"{\"os\":{\"name\":\"debian\",\"version\":12,\"load\":0.5},"    \
	"\"cpus\":[{\"id\":0,\"mhz\":2000},{\"id\":1,\"mhz\":2100.5}]," \
	"\"virtual\":false,\"none\":null,\"a.b\":\"dotted\"}"
#define EXPRESSING_DATA                                                        \
	"{\"port\":8080,\"name\":\"web\",\"hosts\":[\"db1\",\"db2\",\"www\"]," \
	"\"users\":[{\"name\":\"ann\",\"uid\":1000},{\"name\":\"bob\","        \
	"\"uid\":1001}],\"empty\":\"\",\"list\":[],\"map\":{},"                \
	"\"quote\":\"it's \\\"$x\\\" `y` \\\\\",\"words\":\"a b  c\","         \
	"\"template\":\"{{ 40+2 }} ${ 1 }\",\"line\":\"a\\nb\"}"
#define EXPRESSING_ENVIRON "{\"HOME\":\"/root\",\"LANG\":\"C\",\"EMPTY\":\"\"}"

struct expressing {
	struct w_arena arena;
	struct w_value roots[W_ROOT_COUNT];
	struct w_expr_scope scope;
	unsigned asked; /* bits of the roots that were asked for */
};

static inline struct w_value
expressing_json(struct w_arena *arena, const char *text)
{
	static const struct w_json_limits limits = {1 << 20, 64};
	struct w_json *json;
	struct w_value value = {.kind = W_VALUE_NULL};

	if (w_json_read(text, strlen(text), &limits, &json, NULL) == WRIT_OK) {
		(void)w_value_from_json(arena, w_json_root(json), &value, NULL);
		w_json_free(json);
	}
	return value;
}

static inline const struct w_value *
expressing_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	struct expressing *scope = ctx;

	(void)err;
	scope->asked |= 1U << root;
	return &scope->roots[root];
}

/* One file, which holds its own name; the others cannot be read. */
static inline writ_status
expressing_file(void *ctx, const char *path, struct w_arena *arena,
    struct w_value *out_value, writ_error *err)
{
	(void)ctx;
	(void)arena;
	if (strcmp(path, "/there") != 0)
		return w_fail(err, WRIT_E_SYSTEM, "file", 0,
		    "cannot read '%s': no such file", path);
	*out_value = w_value_text("/there", 6);
	return WRIT_OK;
}

static inline void
expressing_open(struct expressing *scope)
{
	struct w_value_member *members;

	*scope = (struct expressing){.asked = 0};
	scope->roots[W_ROOT_FACTS] =
	    expressing_json(&scope->arena, EXPRESSING_FACTS);
	scope->roots[W_ROOT_DATA] =
	    expressing_json(&scope->arena, EXPRESSING_DATA);
	scope->roots[W_ROOT_ENVIRON] =
	    expressing_json(&scope->arena, EXPRESSING_ENVIRON);

	/* And a secret. */
	struct w_value *data = &scope->roots[W_ROOT_DATA];
	size_t count = data->as.map.count;
	members = w_value_new_members(&scope->arena, count + 2);
	memcpy(members, data->as.map.members, count * sizeof(*members));
	members[count] = (struct w_value_member){
	    .name = "password", .len = 8, .value = w_value_text("hunter2", 7)};
	members[count].value.is_secret = true;
	members[count + 1] = (struct w_value_member){.name = "login", .len = 5};
	struct w_value login = expressing_json(
	    &scope->arena, "{\"user\":\"hunter2\",\"tries\":[\"hunter2\"]}");
	(void)w_value_hide(
	    &scope->arena, &login, &members[count + 1].value, NULL);
	*data = w_value_map(members, count + 2);

	scope->scope = (struct w_expr_scope){.root = expressing_root,
	    .read_file = expressing_file,
	    .ctx = scope};
}

static inline void
expressing_close(struct expressing *scope)
{
	w_arena_done(&scope->arena);
}

static inline writ_status
expressing_eval(struct expressing *scope, const char *text,
    struct w_value *out_value, writ_error *err)
{
	const struct w_expr *expr;
	writ_status status =
	    w_expr_compile(&scope->arena, text, strlen(text), &expr, err);

	if (status != WRIT_OK)
		return status;
	return w_expr_eval(expr, &scope->scope, &scope->arena, out_value, err);
}

struct expressing_case {
	const char *text;
	const char *json; /* NULL: an error */
	const char *message;
	unsigned column;
	const char *suggestion; /* NULL: whatever */
};

static inline void
expressing_check(const struct expressing_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct expressing scope;
		struct w_value value;
		writ_error err = {0};
		W_AUTO_BUF struct w_buf json;

		expressing_open(&scope);
		w_buf_init(&json, 1 << 20);
		writ_status status =
		    expressing_eval(&scope, cases[i].text, &value, &err);
		if (status == WRIT_OK)
			w_value_add_json(&json, &value, false);
		else
			w_buf_add_fmt(
			    &json, "%s at %u", err.message, err.column);
		if (cases[i].json != NULL) {
			if (strcmp(json.data, cases[i].json) != 0)
				print_error("%s\n", cases[i].text);
			assert_string_equal(json.data, cases[i].json);
		} else {
			if (status == WRIT_OK ||
			    strcmp(err.message, cases[i].message) != 0)
				print_error("%s\n", cases[i].text);
			assert_int_not_equal(status, WRIT_OK);
			assert_string_equal(err.message, cases[i].message);
			assert_int_equal(err.column, cases[i].column);
			assert_int_equal(err.line, 1);
		}
		if (cases[i].suggestion != NULL)
			assert_string_equal(
			    err.suggestion, cases[i].suggestion);
		expressing_close(&scope);
	}
}

#define EXPRESSING_CHECK(cases) \
	expressing_check(cases, sizeof(cases) / sizeof((cases)[0]))

#endif /* W_TEST_EXPRESSING_H */
