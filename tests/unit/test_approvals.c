/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "approving.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approval_submit.h"

static void
a_queue_that_does_not_exist_is_empty_and_is_not_made(void **state)
{
	char *json;
	size_t len;

	(void)state;
	assert_int_equal(
	    writ_approvals_list(approvals, &json, &len, &err), WRIT_OK);
	assert_string_equal(json, "[]");
	assert_int_equal(len, 2);
	free(json);
	assert_int_equal(
	    writ_grants_list(approvals, &json, NULL, &err), WRIT_OK);
	assert_string_equal(json, "[]");
	free(json);
	assert_false(temp_has(&temp, "approvals"));
	assert_false(temp_has(&temp, "grants"));
	assert_false(temp_has(&temp, "audit"));
	assert_int_equal(
	    writ_approvals_show(approvals, "abc", &json, NULL, &err),
	    WRIT_E_NOTFOUND);
}

static void
a_question_shows_exactly_what_was_asked(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct stat st;

	(void)state;
	ask(id);
	assert_int_equal(strlen(id), WRIT_APPROVAL_ID_LEN);
	assert_true(shows(id, "\"state\":\"pending\""));
	assert_true(shows(id, "\"request\":{\"argv\":[\"git\",\"push\"],"
			      "\"cwd\":\"/srv\"}"));
	assert_true(shows(id, "\"decision\":{\"decision\":\"ask\"}"));
	assert_true(shows(id, "\"rule\":\"allow: git push ...\""));
	assert_true(shows(id, "\"request_hash\":\"" HASH_A "\""));
	assert_true(shows(id, "\"answer\":null"));
	assert_true(shows(id, "\"agent\":\"local\",\"session\":\"s1\""));
	assert_int_equal(fstatat(temp.fd, "approvals", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(fstatat(temp.fd, file_of(id, ".json"), &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void
the_oldest_question_comes_first(void **state)
{
	char first[WRIT_APPROVAL_ID_LEN + 1];
	char second[WRIT_APPROVAL_ID_LEN + 1];
	const struct timespec step = {.tv_nsec = 5000000};
	char *json;

	(void)state;
	ask(first);
	(void)nanosleep(&step, NULL);
	ask(second);
	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
	assert_true(strstr(json, first) < strstr(json, second));
	assert_null(writ_approvals_note(approvals));
	free(json);
}

static void
a_beginning_of_an_id_is_enough_when_it_is_the_only_one(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	char part[6] = {0};
	char *json;

	(void)state;
	ask(id);
	for (int i = 0; i < 5; i++)
		part[i] =
		    id[i] >= 'a' && id[i] <= 'z' ? (char)(id[i] - 32) : id[i];
	assert_true(shows(part, id));
	/* 33 ids begin with 32 different characters at most. */
	for (int i = 0; i < 32; i++) {
		char other[WRIT_APPROVAL_ID_LEN + 1];

		ask(other);
	}
	writ_status last = WRIT_OK;
	for (const char *c = "0123456789abcdefghjkmnpqrstvwxyz"; *c != '\0';
	     c++) {
		const char one[2] = {*c, '\0'};

		json = NULL;
		writ_status status =
		    writ_approvals_show(approvals, one, &json, NULL, &err);
		free(json);
		if (status == WRIT_E_INVALID)
			last = status;
	}
	assert_int_equal(last, WRIT_E_INVALID);
	assert_int_equal(
	    writ_approvals_show(approvals, "../x", &json, NULL, &err),
	    WRIT_E_NOTFOUND);
	assert_int_equal(writ_approvals_show(approvals, "", &json, NULL, &err),
	    WRIT_E_NOTFOUND);
}

static void
an_answer_is_given_once_and_the_second_hears_of_the_first(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	char by[64];

	(void)state;
	ask(id);
	assert_int_equal(answer(id, false, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_int_equal(state_of(id), WRIT_APPROVAL_DENIED);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
	(void)snprintf(by, sizeof(by),
	    "denied already, by user %d in process "
	    "%d",
	    (int)getuid(), (int)getpid());
	assert_non_null(strstr(err.message, by));
	assert_int_equal(state_of(id), WRIT_APPROVAL_DENIED);
}

static void
an_approval_for_once_is_used_once(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	ask(id);
	assert_int_equal(use(id, HASH_A), WRIT_E_APPROVAL);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_true(shows(id, "\"approved\":true,\"scope\":\"once\""));
	assert_int_equal(use(id, HASH_A), WRIT_OK);
	assert_int_equal(state_of(id), WRIT_APPROVAL_USED);
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "has been used"));
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
}

static void
an_approval_counts_for_its_own_request_only(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct w_grant_query query = query_of(HASH_B);

	(void)state;
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_int_equal(use(id, HASH_B), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "is for another request"));
	assert_int_equal(err.status, WRIT_E_REFUSED);
	query.agent = "reviewer";
	assert_int_equal(
	    w_approval_use(temp.path, id, &query, &err), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "this is 'reviewer'"));
	query = query_of(HASH_B);
	query.request_json = "{\"argv\":[\"git\",\"push\"],\"cwd\":\"/other\"}";
	assert_int_equal(
	    w_approval_use(temp.path, id, &query, &err), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, ": 'cwd' differs"));
	query.request_json = plain_question.request_json;
	assert_int_equal(
	    w_approval_use(temp.path, id, &query, &err), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "that is not shown"));
	/* It is still valid for the right request. */
	assert_int_equal(use(id, HASH_A), WRIT_OK);
}

static void
a_denial_tells_its_note(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_answer given = WRIT_ANSWER_INIT;

	(void)state;
	ask(id);
	given.note = "two\nlines";
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &given, &err), WRIT_E_INVALID);
	assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
	given.note = "not on a Friday";
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &given, &err), WRIT_OK);
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "not on a Friday"));
}

static void
an_answer_says_what_brought_it(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_answer given = WRIT_ANSWER_INIT;
	char *json = NULL;

	(void)state;
	ask(id);
	given.is_approved = true;
	given.scope = WRIT_SCOPE_SESSION;
	given.via = "two\nlines";
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &given, &err), WRIT_E_INVALID);
	given.via = "a form of editor 2.1";
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &given, &err), WRIT_OK);
	assert_true(shows(id, "\"via\":\"a form of editor 2.1\"}"));
	assert_int_equal(
	    writ_grants_list(approvals, &json, NULL, &err), WRIT_OK);
	assert_non_null(strstr(json, "\"via\":\"a form of editor 2.1\"}"));
	free(json);
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_true(shows(id, "\"via\":null}"));
}

static void
what_nobody_asked_cannot_be_used(void **state)
{
	(void)state;
	assert_int_equal(use("0123456789abcdef", HASH_A), WRIT_E_REFUSED);
	assert_int_equal(err.status, WRIT_E_REFUSED);
	assert_int_equal(use("", HASH_A), WRIT_E_REFUSED);
	assert_int_equal(use("../../x", HASH_A), WRIT_E_REFUSED);
	assert_int_equal(
	    answer("0123456789abcdef", true, WRIT_SCOPE_ONCE), WRIT_E_NOTFOUND);
}

static void
a_question_is_withdrawn_or_answered(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	ask(id);
	w_approval_withdraw(temp.path, id);
	assert_int_equal(state_of(id), WRIT_APPROVAL_ABANDONED);
	assert_true(shows(id, "\"answer\":null"));
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	w_approval_withdraw(temp.path, id);
	assert_int_equal(state_of(id), WRIT_APPROVAL_APPROVED);
	w_approval_withdraw(temp.path, "0123456789abcdef");
	w_approval_withdraw(temp.path, "../x");
	w_approval_withdraw(temp.path, "");
}

/* A question as if it had been asked that long ago. */
static void
put_old(const char *id, uint64_t age_ms)
{
	struct w_approval_store store;
	struct w_buf body;
	char name[W_APPROVAL_NAME_SIZE];

	assert_int_equal(
	    w_approval_store_open(&store, temp.path, &err), WRIT_OK);
	assert_int_equal(w_approval_store_create(&store, &err), WRIT_OK);
	w_buf_init(&body, 4096);
	w_approval_file_begin(&body, "question", id);
	w_buf_add_fmt(&body,
	    ",\"at\":%llu,\"until\":%llu,\"boot\":\"other\",\"boot_ms\":1,"
	    "\"asker\":{\"uid\":0,\"pid\":1,\"pidns\":1,\"ticks\":1,"
	    "\"door\":\"cli\",\"agent\":null,\"session\":null},"
	    "\"request_hash\":\"" HASH_A "\",\"rule\":null,\"request\":{},"
	    "\"decision\":{}",
	    (unsigned long long)(now_ms() - age_ms),
	    (unsigned long long)(now_ms() - age_ms + 1000));
	w_approval_file_name(id, ".json", name);
	assert_int_equal(
	    w_approval_file_write(&store, store.queue_fd, name, &body), 0);
	w_buf_done(&body);
	w_approval_store_close(&store);
}

static void
who_lists_takes_away_what_is_over_and_old(void **state)
{
	const uint64_t day = 86400000;
	char approved[WRIT_APPROVAL_ID_LEN + 1];
	char *json;

	(void)state;
	put_old("0000000000000old", day + 60000);
	put_old("0000000000000new", day - 60000);
	temp_file(&temp, file_of("0000000000000old", ".answer"), 0600, "torn");
	ask(approved);
	assert_int_equal(answer(approved, true, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
	/* Files that cannot be read are left to people. */
	assert_non_null(
	    strstr(writ_approvals_note(approvals), "0000000000000old.answer"));
	free(json);
	assert_int_equal(
	    unlinkat(temp.fd, file_of("0000000000000old", ".answer"), 0), 0);
	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
	assert_null(strstr(json, "0000000000000old"));
	assert_non_null(strstr(json, "0000000000000new"));
	assert_non_null(strstr(json, approved));
	free(json);
	assert_false(temp_has(&temp, file_of("0000000000000old", ".json")));
	assert_true(temp_has(&temp, file_of("0000000000000new", ".json")));
}

static size_t
count_questions(void)
{
	W_AUTO_APPROVAL_STORE struct w_approval_store store =
	    W_APPROVAL_STORE_NONE;
	W_AUTO_APPROVAL_QUEUE struct w_approval_queue queue = {.count = 0};
	struct w_buf trouble;

	w_buf_init(&trouble, 0);
	assert_int_equal(
	    w_approval_store_open(&store, temp.path, &err), WRIT_OK);
	assert_int_equal(
	    w_approval_queue_read(&store, &queue, &trouble, &err), WRIT_OK);
	return queue.count;
}

enum {
	OF_ANOTHER = W_APPROVAL_QUEUE_MAX - 100
};

/* Asks all of them, and lives until its input ends. */
static pid_t
start_asker(int input, int to_close)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	char byte;
	const pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	close(to_close);
	for (int i = 0; i < OF_ANOTHER; i++) {
		if (w_approval_submit(temp.path, &plain_question, id, NULL) !=
		    WRIT_OK)
			_exit(1);
	}
	_exit(read(input, &byte, 1) == 0 ? 0 : 1);
}

static void
a_full_queue_takes_no_more(void **state)
{
	char denied[WRIT_APPROVAL_ID_LEN + 1];
	char approved[WRIT_APPROVAL_ID_LEN + 1];
	char id[WRIT_APPROVAL_ID_LEN + 1];
	int ends[2];
	int status;

	(void)state;
	ask(denied);
	ask(approved);
	assert_int_equal(pipe(ends), 0);
	const pid_t asker = start_asker(ends[0], ends[1]);
	while (count_questions() < OF_ANOTHER + 2)
		(void)poll(NULL, 0, 20);
	for (int i = OF_ANOTHER + 2; i < W_APPROVAL_QUEUE_MAX; i++)
		ask(id);
	assert_int_equal(
	    w_approval_submit(temp.path, &plain_question, id, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "1000 questions wait"));
	/* An answered question makes room for another, but stays: the asking
	 * process may not have read it yet. */
	assert_int_equal(answer(denied, false, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_int_equal(answer(approved, true, WRIT_SCOPE_ONCE), WRIT_OK);
	ask(id);
	assert_int_equal(count_questions(), W_APPROVAL_QUEUE_MAX + 1);

	/* Beyond the maximum, closed questions do not stay for a day. */
	close(ends[1]);
	assert_int_equal(waitpid(asker, &status, 0), asker);
	assert_int_equal(status, 0);
	ask(id);
	assert_int_equal(count_questions(), W_APPROVAL_QUEUE_MAX / 2 + 1);
	assert_true(shows(id, "\"state\":\"pending\""));
	assert_true(shows(denied, "\"state\":\"denied\""));
	assert_true(shows(approved, "\"state\":\"approved\""));
	close(ends[0]);
}

static void
the_descriptor_tells_of_a_new_question(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct pollfd watch = {.events = POLLIN};
	char *json;

	(void)state;
	/* Nothing exists yet, not even the directory. */
	watch.fd = writ_approvals_fd(approvals, &err);
	assert_true(watch.fd >= 0);
	assert_int_equal(
	    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
	free(json);
	assert_int_equal(poll(&watch, 1, 0), 0);
	for (int i = 0; i < 3; i++) {
		ask(id);
		assert_int_equal(poll(&watch, 1, 1000), 1);
		assert_int_equal(
		    writ_approvals_list(approvals, &json, NULL, &err), WRIT_OK);
		assert_non_null(strstr(json, id));
		free(json);
		assert_int_equal(poll(&watch, 1, 0), 0);
	}
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	assert_int_equal(poll(&watch, 1, 1000), 1);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_queue_that_does_not_exist_is_empty_and_is_not_made),
	    CASE(a_question_shows_exactly_what_was_asked),
	    CASE(the_oldest_question_comes_first),
	    CASE(a_beginning_of_an_id_is_enough_when_it_is_the_only_one),
	    CASE(an_answer_is_given_once_and_the_second_hears_of_the_first),
	    CASE(an_approval_for_once_is_used_once),
	    CASE(an_approval_counts_for_its_own_request_only),
	    CASE(a_denial_tells_its_note),
	    CASE(an_answer_says_what_brought_it),
	    CASE(what_nobody_asked_cannot_be_used),
	    CASE(a_question_is_withdrawn_or_answered),
	    CASE(who_lists_takes_away_what_is_over_and_old),
	    CASE(a_full_queue_takes_no_more),
	    CASE(the_descriptor_tells_of_a_new_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
