/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once: of showing a question, and of looking at a
 * project. A page is whole, or is known not to be.
 */

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/approval/question.h"
#include "cli/setup/starter_policy.h"
#include "surviving.h"

static const char json[] =
    "{\"id\":\"x\",\"state\":\"pending\",\"asked_at\":1,"
    "\"asker\":{\"uid\":7,\"pid\":42,\"agent\":\"builder\"},"
    "\"request\":{\"argv\":[\"git\",\"push\",\"a b\",\"c\\nd\","
    "{\"b64\":\"YP8=\"}],\"cwd\":\"/srv/app\",\"env\":[\"A=1\"],"
    "\"limits\":{\"timeout_ms\":5000},\"novel\":{\"a\":[1]}},"
    "\"decision\":{\"message\":\"it publishes\",\"effects\":[\"net\"],"
    "\"paths\":[{\"effect\":\"read\",\"path\":\"a\","
    "\"resolved\":\"/srv/app/a\"}],"
    "\"sandbox\":{\"profile\":\"workspace\",\"write\":[\"/srv\"]},"
    "\"rules\":[{\"file\":\"policy.yaml\",\"line\":12,"
    "\"decision\":\"ask\",\"rule\":\"ask: x\"}]},"
    "\"rule\":\"allow: git push ...\"}";

static const char shell[] =
    "{\"request\":{\"shell\":\"cd x\\nrm y\"},\"answer\":{"
    "\"approved\":true,\"scope\":\"once\",\"by\":{\"uid\":3}}}";

static yyjson_doc *doc;
static char *whole;

static writ_status
show(writ_error *err)
{
	W_AUTO_BUF struct w_buf page;

	w_buf_init(&page, W_QUESTION_PAGE_MAX);
	w_question_add_page(&page, yyjson_doc_get_root(doc), 2, false);
	if (page.failed)
		return w_fail_nomem(err, "test");
	if (whole == NULL)
		whole = strdup(page.data);
	else
		assert_string_equal(page.data, whole);
	return WRIT_OK;
}

static void
expect_whole(const char *text)
{
	doc = yyjson_read(text, strlen(text), 0);
	whole = NULL;
	assert_non_null(doc);
	assert_int_equal(show(NULL), WRIT_OK);
	survive_each_allocation(show, 5, UINT_MAX);
	free(whole);
	yyjson_doc_free(doc);
}

static void
a_page_is_whole_or_known_not_to_be(void **state)
{
	(void)state;
	expect_whole(json);
	expect_whole(shell);
}

static char dir[] = "/tmp/writ-memory.XXXXXX";

static writ_status
look(writ_error *err)
{
	struct w_project project;
	struct w_starter_policy starter = {
	    .preset = "developer", .has_commands = true, .project = &project};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)1 << 20);
	writ_status status = w_cli_project_detect(dir, &project, err);
	if (status == WRIT_OK) {
		w_starter_policy_add(&text, &starter);
		if (text.failed)
			status = w_fail_nomem(err, "test");
		else
			assert_non_null(strstr(text.data, "npm run lint"));
	}
	w_cli_project_done(&project);
	return status;
}

static void
a_project_is_looked_at_or_not_at_all(void **state)
{
	char path[64];

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/package.json", dir);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs("{\"scripts\":{\"lint\":\"x\"}}", file) >= 0);
	assert_int_equal(fclose(file), 0);
	survive_each_allocation(look, 5, UINT_MAX);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_page_is_whole_or_known_not_to_be),
	    cmocka_unit_test(a_project_is_looked_at_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
