/* SPDX-License-Identifier: Apache-2.0 */

/* Applying a manifest while every allocation fails once: what was started has
 * its event, or the apply ends with an error; and nothing is left. */

#include "../unit/applying.h"
#include "inject.h"

/* With a secret, guards, a check, a refresh, and one that fails. */
#define TEXT                                                         \
	"data: {pw: hunter2-and-more}\n" RESOURCES(                  \
	    "  - exec: {name: a, provider: shell, command: 'echo x " \
	    ">>@/log; echo $PW; test -e @/second', environment: "    \
	    "[\"PW={{ sensitive(Data.pw) }}\"], logoutput: true}\n"  \
	    "  - exec: {name: b, command: /bin/true, onlyif: "       \
	    "/bin/true, unless: [[/bin/false]], path: /bin, "        \
	    "health_checks: [{command: echo fine}]}\n"               \
	    "  - exec: {name: c, command: /bin/true, subscribe: "    \
	    "[exec#b], require: [exec#b]}\n"                         \
	    "  - exec: {name: d, command: /bin/true, require: "      \
	    "[exec#a]}\n")

static struct w_manifest *manifest;
static struct w_facts_scope *facts;
static struct w_manifest_scope scope;
static char *text;

static int
set_up(void **state)
{
	const struct w_facts_options none = {.files = NULL};

	applying_set_up(state);
	text = applying_text(TEXT);
	assert_int_equal(w_facts_scope_new(&none, &facts, NULL), WRIT_OK);
	manifest = applying_read(text, w_facts_scope_get(facts));
	w_manifest_scope_init(&scope, manifest, w_facts_scope_get(facts));
	applying.watch.on_event = NULL;
	return 0;
}

static int
tear_down(void **state)
{
	w_manifest_free(manifest);
	w_facts_scope_free(facts);
	free(text);
	return applying_tear_down(state);
}

static writ_status
apply_once(unsigned nth, bool *out_refused, writ_error *err)
{
	struct w_apply_result result;

	applying_again();
	inject_arm("allocation", nth, 1, ENOMEM);
	writ_status status = w_apply(applying.engine, manifest,
	    applying.session, &scope.scope, &applying.options, &result, err);
	*out_refused = inject_disarm();
	return status;
}

/* What ran has its event, unless the apply says that it was cut short. */
static void
check(writ_status status, const writ_error *err)
{
	writ_apply_summary summary;

	w_manifest_session_summary(applying.session, &summary);
	if (status == WRIT_OK)
		assert_int_equal(summary.total, 4);
	else
		assert_string_not_equal(err->message, "");
	assert_null(strstr(applying.output[0].data, "hunter2"));
	if (exists("log") && status == WRIT_OK)
		assert_true(w_manifest_session_has(applying.session, 0));
	(void)unlink(temp_path(&applying.temp, "log"));
	assert_int_equal(writ_engine_live(applying.engine), 0);
}

static void
each_allocation_may_fail(void **state)
{
	bool was_refused = true;
	unsigned nth = 1;

	(void)state;
	for (; was_refused; nth++) {
		writ_error err = {.status = WRIT_OK};
		writ_status status = apply_once(nth, &was_refused, &err);

		check(status, &err);
		if (!was_refused)
			assert_int_equal(status, WRIT_OK);
	}
	assert_in_range(nth, 50, 20000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		each_allocation_may_fail, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
