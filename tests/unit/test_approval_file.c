/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "approving.h"
#include "engine/approval/approval_file.h"

static char id[WRIT_APPROVAL_ID_LEN + 1];

/* Reads a file of the queue. */
static size_t
take(const char *name, char *bytes, size_t size)
{
	int fd = openat(temp.fd, name, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	ssize_t len = read(fd, bytes, size - 1);
	assert_true(len > 0);
	bytes[len] = '\0';
	(void)close(fd);
	return (size_t)len;
}

static void
put(const char *name, const char *bytes, size_t len)
{
	(void)unlinkat(temp.fd, name, 0);
	temp_bytes(&temp, name, 0600, bytes, len);
}

/* The question is not trusted, the list continues and names it, and nobody
 * can answer or use it. */
static void
expect_unbelieved(const char *why)
{
	writ_approval_state state;
	char *json;

	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
	assert_null(strstr(json, id));
	free(json);
	assert_non_null(writ_approvals_note(approvals));
	assert_non_null(strstr(writ_approvals_note(approvals), why));
	assert_int_equal(writ_approvals_wait(approvals, id, 0, &state, &err),
	    WRIT_E_INVALID);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
}

static void
every_changed_byte_of_a_question_is_noticed(void **state)
{
	char good[4096];
	char bad[4096];

	(void)state;
	ask(id);
	const size_t len = take(file_of(id, ".json"), good, sizeof(good));
	for (size_t i = 0; i < len; i++) {
		char *json;

		memcpy(bad, good, len);
		bad[i] = bad[i] == 'x' ? 'y' : 'x';
		put(file_of(id, ".json"), bad, len);
		assert_int_equal(
		    writ_approvals_show(approvals, id, &json, NULL, &err),
		    WRIT_E_INVALID);
	}
	put(file_of(id, ".json"), good, len);
	assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
}

static void
half_a_question_is_none(void **state)
{
	char good[4096];

	(void)state;
	ask(id);
	const size_t len = take(file_of(id, ".json"), good, sizeof(good));
	for (size_t cut = 0; cut < len; cut += 7) {
		put(file_of(id, ".json"), good, cut);
		expect_unbelieved("was not written by writ, or changed since");
	}
}

static void
an_approval_cannot_be_typed_by_hand(void **state)
{
	static const char typed[] =
	    "{\"approved\":true,\"withdrawn\":false,\"scope\":\"once\"}\n";

	(void)state;
	ask(id);
	put(file_of(id, ".answer"), typed, sizeof(typed) - 1);
	expect_unbelieved(".answer");
	assert_int_equal(unlinkat(temp.fd, file_of(id, ".answer"), 0), 0);
	assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
}

static void
the_answer_to_another_question_is_no_answer(void **state)
{
	char other[WRIT_APPROVAL_ID_LEN + 1];
	char bytes[4096];

	(void)state;
	ask(other);
	assert_int_equal(answer(other, true, WRIT_SCOPE_ONCE), WRIT_OK);
	ask(id);
	const size_t len =
	    take(file_of(other, ".answer"), bytes, sizeof(bytes));
	put(file_of(id, ".answer"), bytes, len);
	expect_unbelieved("contains something other than its name says");
}

static void
a_question_is_no_answer(void **state)
{
	char bytes[4096];

	(void)state;
	ask(id);
	const size_t len = take(file_of(id, ".json"), bytes, sizeof(bytes));
	put(file_of(id, ".answer"), bytes, len);
	expect_unbelieved("contains something other than its name says");
}

static void
links_pipes_and_directories_are_refused_without_waiting(void **state)
{
	char bytes[4096];

	(void)state;
	ask(id);
	const size_t len = take(file_of(id, ".json"), bytes, sizeof(bytes));
	assert_int_equal(unlinkat(temp.fd, file_of(id, ".json"), 0), 0);
	put("elsewhere", bytes, len);
	temp_link(&temp, "../elsewhere", file_of(id, ".json"));
	expect_unbelieved("is a symbolic link");
	assert_int_equal(unlinkat(temp.fd, file_of(id, ".json"), 0), 0);
	assert_int_equal(mkfifoat(temp.fd, file_of(id, ".json"), 0600), 0);
	expect_unbelieved("is not a plain file");
	assert_int_equal(unlinkat(temp.fd, file_of(id, ".json"), 0), 0);
	temp_dir(&temp, file_of(id, ".json"));
	expect_unbelieved("is not a plain file");
}

static void
what_others_could_have_written_is_refused(void **state)
{
	(void)state;
	ask(id);
	assert_int_equal(fchmodat(temp.fd, file_of(id, ".json"), 0620, 0), 0);
	expect_unbelieved("is not yours alone");
	assert_int_equal(fchmodat(temp.fd, file_of(id, ".json"), 0600, 0), 0);
	assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
	if (geteuid() != 0)
		return;
	/* Root's files are trusted, a stranger's are not. */
	assert_int_equal(
	    fchownat(temp.fd, file_of(id, ".json"), 12345, 12345, 0), 0);
	expect_unbelieved("is not yours alone (owner 12345");
}

static void
a_directory_that_others_can_write_is_refused(void **state)
{
	writ_approvals *other;
	writ_config *config;
	char *json;

	(void)state;
	ask(id);
	assert_int_equal(fchmodat(temp.fd, "approvals", 0770, 0), 0);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "state_dir", temp.path, NULL), WRIT_OK);
	assert_int_equal(
	    writ_approvals_open(config, &other, &err), WRIT_E_INVALID);
	writ_config_free(config);
	assert_int_equal(
	    w_approval_submit(temp.path, &plain_question, id, &err),
	    WRIT_E_INVALID);
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "is not yours alone"));
}

static void
another_key_believes_nothing(void **state)
{
	(void)state;
	ask(id);
	assert_int_equal(unlinkat(temp.fd, "audit/request.key", 0), 0);
	writ_approvals_free(approvals);
	approvals = approvals_open();
	expect_unbelieved("was not written by writ, or changed since");
}

static void
other_files_in_the_queue_are_none_of_its_business(void **state)
{
	char *json;

	(void)state;
	ask(id);
	temp_file(&temp, "approvals/README", 0600, "hello");
	temp_file(&temp, "approvals/.hidden.json", 0600, "{}");
	temp_file(&temp, "approvals/0123456789abcdefg.json", 0600, "{}");
	temp_file(&temp, "approvals/0123456789ABCDEF.json", 0600, "{}");
	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
	assert_non_null(strstr(json, id));
	assert_null(writ_approvals_note(approvals));
	free(json);
	assert_true(temp_has(&temp, "approvals/README"));
}

static void
ids_are_random_and_say_no_more(void **state)
{
	char one[WRIT_APPROVAL_ID_LEN + 1];
	char two[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	assert_int_equal(w_approval_new_id(one), 0);
	assert_int_equal(w_approval_new_id(two), 0);
	assert_string_not_equal(one, two);
	assert_true(w_approval_is_id(one, strlen(one)));
	assert_false(w_approval_is_id("", 0));
	assert_false(w_approval_is_id("a/b", 3));
	assert_false(w_approval_is_id("A", 1));
	assert_false(w_approval_is_id("0123456789abcdef0", 17));
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(every_changed_byte_of_a_question_is_noticed),
	    CASE(half_a_question_is_none),
	    CASE(an_approval_cannot_be_typed_by_hand),
	    CASE(the_answer_to_another_question_is_no_answer),
	    CASE(a_question_is_no_answer),
	    CASE(links_pipes_and_directories_are_refused_without_waiting),
	    CASE(what_others_could_have_written_is_refused),
	    CASE(a_directory_that_others_can_write_is_refused),
	    CASE(another_key_believes_nothing),
	    CASE(other_files_in_the_queue_are_none_of_its_business),
	    CASE(ids_are_random_and_say_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
