/* SPDX-License-Identifier: Apache-2.0 */

/* An engine whose policies change while it lives, and what it reports of its
 * decisions. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <writ/config.h>
#include <writ/policy.h>

#include "os/file.h"

static char base[PATH_MAX];
static writ_config *config;
static writ_engine *engine;
static char notices[4096];

static const char *
below(const char *name)
{
	static char path[2 * PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void
put(const char *name, const char *text)
{
	int fd =
	    open(below(name), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(w_file_write_all(fd, text, strlen(text)), 0);
	(void)close(fd);
}

static void
note(void *ctx, const char *text)
{
	const size_t len = strlen(notices);

	assert_ptr_equal(ctx, notices);
	(void)snprintf(notices + len, sizeof(notices) - len, "%s\n", text);
}

static void
set(const char *key, const char *name)
{
	assert_int_equal(
	    writ_config_set(config, key, below(name), NULL), WRIT_OK);
	assert_int_equal(mkdir(below(name), 0700), 0);
}

static int
set_up(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	char room[] = "/tmp/writ-policy-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(room));
	assert_non_null(realpath(room, base));
	(void)unsetenv("WRIT_POLICY");
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	set("config_dir", "config");
	set("system_dir", "system");
	set("state_dir", "state");
	set("cache_dir", "cache");
	assert_int_equal(mkdir(below("work"), 0700), 0);
	options.config = config;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	writ_engine_on_notice(engine, note, notices);
	notices[0] = '\0';
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_engine_free(engine);
	writ_config_free(config);
	return w_file_remove_tree(base) ? 0 : -1;
}

static writ_status
try(const char *const *argv, writ_error *err)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	char cwd[2 * PATH_MAX];

	(void)snprintf(cwd, sizeof(cwd), "%s", below("work"));
	request.argv = argv;
	request.cwd = cwd;
	writ_status status = writ_run(engine, &request, &result, err);
	if (status == WRIT_OK)
		assert_string_equal(result->decision, "allow");
	writ_result_free(result);
	return status;
}

static const char *const echo[] = {"echo", "hi", NULL};
static const char *const missing[] = {"no-such-program-here", NULL};

#define OPEN   "version: 1\nsandbox: none\nrules: [{allow: {}}]\n"
#define CLOSED "version: 1\nsandbox: none\ndefault: deny\n"

static void
a_changed_policy_counts_for_the_next_run(void **state)
{
	writ_error err = {0};

	(void)state;
	put("config/policy.yaml", OPEN);
	assert_int_equal(try(echo, &err), WRIT_OK);
	put("config/policy.yaml", CLOSED);
	assert_int_equal(try(echo, &err), WRIT_E_DENIED);
	assert_string_equal(err.stage, "policy");
	put("config/policy.yaml", OPEN);
	assert_int_equal(try(echo, &err), WRIT_OK);
	assert_string_equal(notices, "");
}

static void
the_last_good_policy_goes_on_and_that_is_said_each_time(void **state)
{
	writ_error err = {0};

	(void)state;
	put("config/policy.yaml", CLOSED);
	assert_int_equal(try(echo, &err), WRIT_E_DENIED);
	put("config/policy.yaml", "version: 1\nrules: [{alow: {}}]\n");
	assert_int_equal(try(echo, &err), WRIT_E_DENIED);
	assert_non_null(strstr(notices, "policy.yaml:2:"));
	assert_non_null(strstr(notices, "the previous one still applies"));
	notices[0] = '\0';
	assert_int_equal(try(echo, &err), WRIT_E_DENIED);
	assert_non_null(strstr(notices, "policy.yaml:2:"));
	notices[0] = '\0';
	put("config/policy.yaml", OPEN);
	assert_int_equal(try(echo, &err), WRIT_OK);
	assert_string_equal(notices, "");
}

static void
a_policy_that_never_was_in_order_lets_nothing_run(void **state)
{
	writ_error err = {0};

	(void)state;
	put("config/policy.yaml", "version: 1\nrules: [{alow: {}}]\n");
	assert_int_equal(try(echo, &err), WRIT_E_INVALID);
	assert_int_equal(err.line, 2);
	assert_non_null(strstr(err.message, "policy.yaml:2:"));
	assert_int_equal(try(echo, &err), WRIT_E_INVALID);
}

static void
an_included_file_that_changes_counts_as_well(void **state)
{
	(void)state;
	put("config/base.yaml", OPEN);
	put("config/policy.yaml", "version: 1\ninclude: [base.yaml]\n");
	assert_int_equal(try(echo, NULL), WRIT_OK);
	put("config/base.yaml", CLOSED);
	assert_int_equal(try(echo, NULL), WRIT_E_DENIED);
}

static void
a_policy_that_comes_and_goes_is_noticed(void **state)
{
	(void)state;
	put("config/policy.yaml", OPEN);
	assert_int_equal(try(echo, NULL), WRIT_OK);
	put("system/policy.yaml", CLOSED);
	assert_int_equal(try(echo, NULL), WRIT_E_DENIED);
	assert_int_equal(unlink(below("system/policy.yaml")), 0);
	assert_int_equal(try(echo, NULL), WRIT_OK);
}

static void
without_a_policy_the_preset_is_told_once(void **state)
{
	(void)state;
	assert_int_equal(try(echo, NULL), WRIT_OK);
	assert_non_null(strstr(notices, "preset 'developer'"));
	notices[0] = '\0';
	assert_int_equal(try(echo, NULL), WRIT_OK);
	assert_string_equal(notices, "");
}

static void
a_denial_outranks_what_is_missing(void **state)
{
	writ_error err = {0};

	(void)state;
	put("config/policy.yaml", OPEN);
	assert_int_equal(try(missing, &err), WRIT_E_NOTFOUND);
	put("config/policy.yaml", CLOSED);
	assert_int_equal(try(missing, &err), WRIT_E_DENIED);
}

static void
the_decision_object_of_a_refusal_stays_until_the_next_request(void **state)
{
	(void)state;
	put("config/policy.yaml", CLOSED);
	assert_null(writ_engine_decision(engine));
	assert_int_equal(try(echo, NULL), WRIT_E_DENIED);
	assert_non_null(
	    strstr(writ_engine_decision(engine), "\"decision\":\"deny\""));
	put("config/policy.yaml", OPEN);
	assert_int_equal(try(echo, NULL), WRIT_OK);
	assert_null(writ_engine_decision(engine));
}

static void
looking_runs_nothing_and_says_the_same(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	static const char *const touch[] = {"touch", "made", NULL};
	char cwd[2 * PATH_MAX];
	char *json = NULL;
	size_t len = 0;

	(void)state;
	(void)snprintf(cwd, sizeof(cwd), "%s", below("work"));
	put("config/policy.yaml", OPEN);
	request.argv = touch;
	request.cwd = cwd;
	assert_int_equal(
	    writ_decide(engine, &request, &json, &len, NULL), WRIT_OK);
	assert_int_equal(len, strlen(json));
	assert_non_null(strstr(json, "{\"decision\":\"allow\""));
	assert_non_null(strstr(json, "\"request_hash\":\""));
	free(json);
	assert_int_equal(access(below("work/made"), F_OK), -1);
	/* A missing program is decided about as well. */
	request.argv = missing;
	assert_int_equal(
	    writ_decide(engine, &request, &json, &len, NULL), WRIT_OK);
	free(json);
}

static void
a_request_that_is_not_in_order_is_no_decision(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	char *json = NULL;
	writ_error err = {0};

	(void)state;
	put("config/policy.yaml", OPEN);
	assert_int_equal(
	    writ_decide(engine, &request, &json, NULL, &err), WRIT_E_INVALID);
	assert_null(json);
}

static void
a_caller_who_wants_no_error_text_gets_the_status(void **state)
{
	static const char *const argv[] = {"true", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	char *json = NULL;

	(void)state;
	put("config/policy.yaml", OPEN);
	/* A file where the trail's directory has to be. */
	assert_int_equal(rmdir(below("state")), 0);
	put("state", "");
	request.argv = argv;
	assert_true(
	    writ_decide(engine, &request, &json, NULL, NULL) != WRIT_OK);
	assert_null(json);
}

static const char *
shape(void)
{
	const char *found = NULL;
	writ_error err = {0};

	if (writ_engine_exec_shape(engine, below("work"), &found, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	return found;
}

static void
the_first_tier_that_says_it_says_what_the_tool_looks_like(void **state)
{
	writ_error err = {0};
	const char *found = NULL;

	(void)state;
	assert_string_equal(shape(), "argv");
	assert_int_equal(mkdir(below("work/.writ"), 0700), 0);
	put("work/.writ/policy.yaml", "version: 1\nexec_shape: oxios\n");
	assert_string_equal(shape(), "oxios");
	put("config/policy.yaml", "version: 1\ninclude: denylist\n");
	assert_string_equal(shape(), "story");
	put("config/policy.yaml",
	    "version: 1\ninclude: denylist\nexec_shape: argv\n");
	assert_string_equal(shape(), "argv");
	put("system/policy.yaml", "version: 1\ninclude: allowlist\n");
	assert_string_equal(shape(), "oxios");
	assert_int_equal(
	    writ_engine_exec_shape(engine, below("nowhere"), &found, &err),
	    WRIT_E_INVALID);
	put("config/policy.yaml", "version: 2\n");
	assert_string_equal(shape(), "oxios");
	assert_string_equal(notices, "");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_changed_policy_counts_for_the_next_run),
	    CASE(the_last_good_policy_goes_on_and_that_is_said_each_time),
	    CASE(a_policy_that_never_was_in_order_lets_nothing_run),
	    CASE(an_included_file_that_changes_counts_as_well),
	    CASE(a_policy_that_comes_and_goes_is_noticed),
	    CASE(without_a_policy_the_preset_is_told_once),
	    CASE(a_denial_outranks_what_is_missing),
	    CASE(the_decision_object_of_a_refusal_stays_until_the_next_request),
	    CASE(looking_runs_nothing_and_says_the_same),
	    CASE(a_request_that_is_not_in_order_is_no_decision),
	    CASE(a_caller_who_wants_no_error_text_gets_the_status),
	    CASE(the_first_tier_that_says_it_says_what_the_tool_looks_like),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
