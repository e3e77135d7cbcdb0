/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "manifest/facts/facts.h"

static struct w_facts_scope *
scope_of(const char *const *files, const char *const *assignments)
{
	const struct w_facts_options options = {
	    .files = files, .assignments = assignments};
	struct w_facts_scope *facts = NULL;
	writ_error err = {0};

	if (w_facts_scope_new(&options, &facts, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return facts;
}

static const struct w_value *
root_of(const struct w_facts_scope *facts, enum w_expr_root root)
{
	const struct w_expr_scope *scope = w_facts_scope_get(facts);
	const struct w_value *value = scope->root(scope->ctx, root, NULL);

	assert_non_null(value);
	return value;
}

/* Compares the value of an expression as text. */
static void
expect(
    const struct w_facts_scope *facts, const char *text, const char *expected)
{
	struct w_arena arena = {.chunks = NULL};
	const struct w_expr *expr = NULL;
	struct w_value value;
	struct w_buf buf;
	writ_error err = {0};

	w_buf_init(&buf, 10000);
	if (w_expr_compile(&arena, text, strlen(text), &expr, &err) !=
		WRIT_OK ||
	    w_expr_eval(expr, w_facts_scope_get(facts), &arena, &value, &err) !=
		WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	w_value_add_text(&buf, &value);
	assert_string_equal(buf.data, expected);
	w_buf_done(&buf);
	w_arena_done(&arena);
}

static void
the_machine_is_known(void **state)
{
	struct w_facts_scope *facts = scope_of(NULL, NULL);
	struct utsname names;

	(void)state;
	assert_int_equal(uname(&names), 0);
	expect(facts, "Facts.host.name", names.nodename);
	expect(facts, "Facts.host.info.hostname", names.nodename);
	expect(facts, "Facts.kernel.release", names.release);
	expect(facts, "Facts.host.info.kernelVersion", names.release);
	expect(facts, "lookup('facts.kernel.machine')", names.machine);
	expect(facts, "Facts.host.info.os", "linux");
	expect(facts, "Facts.cpu.count > 0", "true");
	expect(facts, "Facts.memory.virtual.total > 1000000", "true");
	expect(facts, "len(Facts.network.addresses) > 0", "true");
	w_facts_scope_free(facts);
}

static void
it_is_looked_at_once(void **state)
{
	struct w_facts_scope *facts = scope_of(NULL, NULL);

	(void)state;
	assert_ptr_equal(
	    root_of(facts, W_ROOT_FACTS), root_of(facts, W_ROOT_FACTS));
	assert_ptr_equal(
	    root_of(facts, W_ROOT_ENVIRON), root_of(facts, W_ROOT_ENVIRON));
	assert_int_equal(root_of(facts, W_ROOT_DATA)->as.map.count, 0);
	assert_null(w_facts_scope_get(facts)->read_file);
	w_facts_scope_free(facts);
}

static void
files_lie_over_the_machine_and_assignments_over_files(void **state)
{
	static const char *const files[] = {
	    "{\"os\":\t{\"name\": \"mine\"}, \"site\": {\"a\": 1, \"b\": 2}}",
	    "site:\n  b: 3\n  list: [1, 2]\nhost: {role: db}\n", NULL};
	static const char *const assignments[] = {
	    "site.a=x=y", "site.list.0=0", "new.deep.one=true", NULL};
	struct w_facts_scope *facts = scope_of(files, assignments);
	struct utsname names;

	(void)state;
	assert_int_equal(uname(&names), 0);
	expect(facts, "Facts.os.name", "mine");
	expect(facts, "Facts.site.a", "x=y");
	expect(facts, "Facts.site.b", "3");
	expect(facts, "Facts.host.role", "db");
	expect(facts, "Facts.host.name", names.nodename);
	expect(facts, "Facts.new.deep.one ? 'y' : 'n'", "y");
	expect(facts, "toJSON(Facts.site.list)", "{\"0\":0}");
	w_facts_scope_free(facts);
}

static void
the_environment_is_there(void **state)
{
	(void)state;
	assert_int_equal(setenv("WRIT_TEST_FACT", "a b", 1), 0);
	struct w_facts_scope *facts = scope_of(NULL, NULL);
	expect(facts, "Environ.WRIT_TEST_FACT", "a b");
	expect(facts, "lookup('environ.WRIT_TEST_NONE', 'no')", "no");
	w_facts_scope_free(facts);
}

static void
expect_refused(const char *file, const char *assignment, const char *message,
    unsigned line)
{
	const char *const files[] = {file, NULL};
	const char *const names[] = {"my.yaml", NULL};
	const char *const assignments[] = {assignment, NULL};
	const struct w_facts_options options = {
	    .files = files, .names = names, .assignments = assignments};
	struct w_facts_scope *facts = NULL;
	writ_error err = {0};

	assert_int_equal(
	    w_facts_scope_new(&options, &facts, &err), WRIT_E_INVALID);
	assert_null(facts);
	assert_non_null(strstr(err.message, message));
	assert_int_equal(err.line, line);
}

static void
faults_are_told_with_the_file(void **state)
{
	(void)state;
	expect_refused("[1]", NULL, "in 'my.yaml': facts must be a map", 0);
	expect_refused("a: 1\na: 2\n", NULL, "my.yaml:2:1: duplicate", 0);
	expect_refused("{\"a\": 1", NULL, "my.yaml:2:1: ", 0);
	expect_refused("", NULL, "my.yaml", 0);
	expect_refused("a: &x 1\nb: *x\n", NULL, "my.yaml:1:4: ", 0);
	expect_refused(NULL, "novalue", "'novalue' is not a fact", 0);
	expect_refused(NULL, "=x", "'=x' is not a fact", 0);
	expect_refused(NULL, "a..b=x", "is not a fact", 0);
	expect_refused(NULL, ".a=x", "is not a fact", 0);
	expect_refused(NULL, "a.=x", "is not a fact", 0);
	expect_refused(NULL, "a=\xff", "is not a fact", 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_machine_is_known),
	    cmocka_unit_test(it_is_looked_at_once),
	    cmocka_unit_test(
		files_lie_over_the_machine_and_assignments_over_files),
	    cmocka_unit_test(the_environment_is_there),
	    cmocka_unit_test(faults_are_told_with_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
