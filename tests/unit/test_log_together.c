/* SPDX-License-Identifier: Apache-2.0 */

/* Lines that are written together. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "log_check.h"

static void
make_payloads(struct w_buf *buf, unsigned count)
{
	w_buf_init(buf, (size_t)1 << 20);
	for (unsigned i = 0; i < count; i++)
		w_buf_add_fmt(buf,
		    "%s\"kind\":\"line\",\"number\":%u,\"text\":\"%.*s\"",
		    i > 0 ? "\n" : "", i, (int)(i % 50),
		    "..................................................");
	assert_false(buf->failed);
}

/* The numbers of the lines, in order. */
static void
count_numbers(void *ctx, const char *line, size_t len)
{
	unsigned *next = ctx;
	char expected[32];

	(void)len;
	if (strstr(line, "\"kind\":\"line\"") == NULL)
		return;
	(void)snprintf(expected, sizeof(expected), "\"number\":%u,", (*next)++);
	assert_non_null(strstr(line, expected));
}

static void
several_lines_are_one_chain_with_the_others(void **state)
{
	W_AUTO_BUF struct w_buf payloads;
	struct w_log_mark mark = {.seq = 0};
	unsigned next = 0;
	struct log_seen seen = {.on_line = count_numbers, .ctx = &next};
	writ_error err = {0};
	size_t len;

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	make_payloads(&payloads, 70);
	assert_int_equal(w_log_append_all(log, payloads.data, payloads.len,
			     W_LOG_ENDS, &mark, &err),
	    WRIT_OK);
	assert_int_equal(mark.seq, 72);
	log_add(log, 1);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(next, 70);
	assert_int_equal(seen.lines, 73);
	assert_int_equal(seen.recoveries, 0);
	char *bytes = log_slurp(*state, "trail-000001.jsonl", &len);
	assert_memory_equal(bytes + mark.offset, "{\"seq\":72,", 10);
	assert_non_null(strstr(strstr(bytes, "\"number\":69"), mark.hash));
	free(bytes);
}

static void
they_go_on_in_the_next_file(void **state)
{
	static const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_BATCH, .segment_max = 4000};
	W_AUTO_BUF struct w_buf payloads;
	struct w_log_mark mark = {.seq = 0};
	unsigned next = 0;
	struct log_seen seen = {.on_line = count_numbers, .ctx = &next};
	writ_error err = {0};
	size_t len;

	struct w_log *log = log_open(*state, &options);
	make_payloads(&payloads, 100);
	assert_int_equal(w_log_append_all(log, payloads.data, payloads.len,
			     W_LOG_BEGINS, &mark, &err),
	    WRIT_OK);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(next, 100);
	assert_true(seen.files >= 5);
	assert_int_equal(mark.segment, seen.files);
	char *bytes = log_slurp(*state, "trail-000001.jsonl", &len);
	assert_true(len <= 4000 + 400);
	assert_non_null(strstr(bytes, "\"kind\":\"seal\""));
	free(bytes);
}

static void
one_that_is_no_record_refuses_all(void **state)
{
	static const char *const bad[] = {
	    "\"kind\":\"a\"\n\"run\":1",
	    "\"kind\":\"a\"\n",
	    "\n\"kind\":\"a\"",
	    "\"kind\":\"a\"\n\n\"kind\":\"a\"",
	};
	struct log_seen seen = {0};
	writ_error err = {0};

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(w_log_append_all(log, bad[i], strlen(bad[i]),
				     W_LOG_BEGINS, NULL, &err),
		    WRIT_E_INTERNAL);
	log_add(log, 1);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(seen.lines, 3);
}

/* What a limit cuts off is as if it had never been written. */
static int
write_within_limit(const struct temp *temp)
{
	struct rlimit limit;
	W_AUTO_BUF struct w_buf payloads;
	writ_error err = {0};

	(void)signal(SIGXFSZ, SIG_IGN);
	make_payloads(&payloads, 100);
	struct w_log *log = log_open(temp, NULL);
	log_add(log, 1);
	limit.rlim_cur = limit.rlim_max = 8000;
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return 1;
	if (w_log_append_all(log, payloads.data, payloads.len, W_LOG_ENDS, NULL,
		&err) != WRIT_E_SYSTEM ||
	    err.sys_errno != EFBIG)
		return 2;
	if (w_log_append(log, "\"kind\":\"x\"", 10, W_LOG_ENDS, NULL, &err) !=
	    WRIT_OK)
		return 3;
	w_log_close(log);
	return 0;
}

static void
no_line_is_left_of_those_that_do_not_fit(void **state)
{
	struct log_seen seen = {0};
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(write_within_limit(*state));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	log_check(*state, &seen);
	assert_int_equal(seen.lines, 3);
	assert_int_equal(seen.recoveries, 0);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(several_lines_are_one_chain_with_the_others),
	    CASE(they_go_on_in_the_next_file),
	    CASE(one_that_is_no_record_refuses_all),
	    CASE(no_line_is_left_of_those_that_do_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
