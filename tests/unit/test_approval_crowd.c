/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Many ask, several answer, and all of them are killed at any moment. Each
 * says what it was told has happened; afterwards that must be true.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>

#include <writ/audit.h>

#include "approving.h"
#include "base/buf.h"

enum {
	ASKERS = 8,
	ANSWERERS = 4,
	ALL = ASKERS + ANSWERERS,
	USERS = 3,
	ROUNDS = 150,
	SAID_MAX = 1 << 20
};

/* One line at a time, which no kill tears. */
static void
say(const char *what, const char *id)
{
	char line[64];
	int fd = openat(
	    temp.fd, "said", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int len = snprintf(line, sizeof(line), "%s %s\n", what, id);

	if (fd < 0 || write(fd, line, (size_t)len) != len)
		_exit(9);
	(void)close(fd);
}

/* Several want to use it at the same moment. */
static void
use_together(const char *id)
{
	pid_t pids[USERS];

	for (int i = 0; i < USERS; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		writ_status status = use(id, HASH_A);
		if (status == WRIT_OK)
			say("used", id);
		else if (status != WRIT_E_REFUSED)
			say("failed-use", id);
		_exit(0);
	}
	for (int i = 0; i < USERS; i++)
		(void)waitpid(pids[i], NULL, 0);
}

static void
ask_on(void)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_approval_state state;

	for (;;) {
		if (w_approval_submit(temp.path, &plain_question, id, &err) !=
		    WRIT_OK) {
			say("failed-ask", "-");
			continue;
		}
		say("asked", id);
		if (writ_approvals_wait(approvals, id, 3000, &state, &err) !=
		    WRIT_OK) {
			say("failed-wait", id);
			continue;
		}
		if (state == WRIT_APPROVAL_APPROVED)
			use_together(id);
	}
}

static void
answer_first(const char *json, unsigned *seed)
{
	const char *pending = strstr(json, "\",\"state\":\"pending\"");
	const bool is_yes = rand_r(seed) % 4 != 0;
	char id[WRIT_APPROVAL_ID_LEN + 1] = {0};

	if (pending == NULL)
		return;
	memcpy(id, pending - WRIT_APPROVAL_ID_LEN, WRIT_APPROVAL_ID_LEN);
	writ_status status = answer(id, is_yes, WRIT_SCOPE_ONCE);
	if (status == WRIT_OK)
		say(is_yes ? "approved" : "denied", id);
	else if (status != WRIT_E_INVALID)
		say("failed-answer", id);
}

static void
answer_on(void)
{
	unsigned seed = (unsigned)getpid();
	char *json;

	for (;;) {
		if (writ_approvals_list(approvals, &json, NULL, &err) !=
		    WRIT_OK) {
			say("failed-list", "-");
			continue;
		}
		if (writ_approvals_note(approvals) != NULL)
			say("failed-note", "-");
		answer_first(json, &seed);
		free(json);
	}
}

static pid_t
start(int which)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid != 0)
		return pid;
	/* What was opened before the fork would be shared. */
	approvals = approvals_open();
	if (which < ASKERS)
		ask_on();
	answer_on();
	_exit(0);
}

static char *
take_said(void)
{
	char *text = calloc(1, SAID_MAX);
	int fd = openat(temp.fd, "said", O_RDONLY | O_CLOEXEC);

	assert_non_null(text);
	assert_true(fd >= 0);
	assert_true(read(fd, text, SAID_MAX - 1) > 0);
	(void)close(fd);
	return text;
}

static unsigned
count_said(const char *text, const char *what, const char *id)
{
	char line[64];
	unsigned count = 0;

	(void)snprintf(line, sizeof(line), "%s %s\n", what, id);
	for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
		count++;
	return count;
}

static void
check_one(const char *said, const char *id)
{
	const unsigned yes = count_said(said, "approved", id);
	const unsigned no = count_said(said, "denied", id);
	const unsigned used = count_said(said, "used", id);

	assert_true(yes + no <= 1);
	assert_true(used <= 1);
	if (yes == 1)
		assert_true(shows(id, "\"answer\":{\"approved\":true"));
	if (no == 1)
		assert_true(shows(id, "\"answer\":{\"approved\":false"));
	if (used == 1) {
		assert_true(shows(id, "\"state\":\"used\""));
		assert_true(shows(id, "\"answer\":{\"approved\":true"));
	}
}

static bool
note_record(void *ctx, const writ_record *record)
{
	const char *at = strstr(record->json, "\"approval\":\"");

	assert_non_null(at);
	w_buf_add_str(ctx, "recorded ");
	w_buf_add(ctx, at + strlen("\"approval\":\""), WRIT_APPROVAL_ID_LEN);
	w_buf_add_char(ctx, '\n');
	return true;
}

/* Everybody who was told that his answer counts is in the trail. (Who was
 * killed before that may be there too.) */
static void
check_answers(const char *said, const char *word, const char *recorded)
{
	for (const char *at = said; (at = strstr(at, word)) != NULL; at++) {
		char id[WRIT_APPROVAL_ID_LEN + 1] = {0};

		memcpy(id, at + strlen(word), WRIT_APPROVAL_ID_LEN);
		assert_true(count_said(recorded, "recorded", id) >= 1);
	}
}

static void
check_trail(const char *said)
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_audit_proof proof;
	writ_audit *audit;
	struct w_buf recorded;

	w_buf_init(&recorded, SAID_MAX);
	options.state_dir = temp.path;
	options.no_index = true;
	assert_int_equal(writ_audit_open(&options, &audit, &err), WRIT_OK);
	assert_int_equal(
	    writ_audit_verify(audit, NULL, NULL, NULL, &proof, &err), WRIT_OK);
	assert_int_equal(proof.bad, 0);
	filter.kind = "answer";
	assert_int_equal(
	    writ_audit_records(audit, &filter, note_record, &recorded, &err),
	    WRIT_OK);
	writ_audit_free(audit);
	check_answers(said, "approved ", recorded.data);
	check_answers(said, "denied ", recorded.data);
	w_buf_done(&recorded);
}

static void
nothing_is_lost_used_twice_or_answered_twice(void **state)
{
	const struct timespec step = {.tv_nsec = 15000000};
	unsigned seed = 7;
	pid_t pids[ALL];
	unsigned used = 0;

	(void)state;
	/* Whose parent is killed comes to us. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	for (int i = 0; i < ALL; i++)
		pids[i] = start(i);
	for (int i = 0; i < ROUNDS; i++) {
		const int which = rand_r(&seed) % ALL;

		(void)nanosleep(&step, NULL);
		assert_int_equal(kill(pids[which], SIGKILL), 0);
		assert_int_equal(waitpid(pids[which], NULL, 0), pids[which]);
		pids[which] = start(which);
	}
	for (int i = 0; i < ALL; i++)
		assert_int_equal(kill(pids[i], SIGKILL), 0);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		continue;

	char *said = take_said();
	assert_null(strstr(said, "failed-"));
	for (const char *at = said; (at = strstr(at, "asked ")) != NULL; at++) {
		char id[WRIT_APPROVAL_ID_LEN + 1] = {0};

		memcpy(id, at + strlen("asked "), WRIT_APPROVAL_ID_LEN);
		check_one(said, id);
		used += count_said(said, "used", id);
	}
	print_message("# %u approvals were used\n", used);
	assert_true(used > 0);
	check_trail(said);
	free(said);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		nothing_is_lost_used_twice_or_answered_twice, set_up,
		tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
