/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mcp/transport/line_writer.h"

static void
make_pipe(int ends[2])
{
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
}

static void
make_sockets(int ends[2])
{
	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
}

/* Reads what is available and compares it with what was written: lines of 999
 * bytes. Returns its length. */
static size_t
read_row(int fd, size_t from)
{
	static char bytes[1 << 16];
	ssize_t len = read(fd, bytes, sizeof(bytes));

	assert_true(len >= 0);
	for (size_t i = 0; i < (size_t)len; i++) {
		const char wanted = (from + i) % 1000 == 999 ? '\n' : 'a';
		assert_int_equal(bytes[i], wanted);
	}
	return (size_t)len;
}

static void
fill(struct w_line_writer *out, size_t lines)
{
	char text[999];

	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < lines; i++)
		w_line_writer_add(out, text, sizeof(text));
}

static void
check_never_blocks(void (*make)(int ends[2]))
{
	enum {
		LINES = 9000 /* more than the capacity of any pipe */
	};
	struct w_line_writer out;
	int ends[2];
	size_t got = 0;

	make(ends);
	w_line_writer_open(&out, ends[1]);
	fill(&out, LINES);
	w_line_writer_flush(&out);
	assert_false(out.is_broken);
	assert_true(w_line_writer_waiting(&out) > 7000 * 1000);
	while (got < LINES * 1000) {
		got += read_row(ends[0], got);
		w_line_writer_flush(&out);
	}
	assert_int_equal(w_line_writer_waiting(&out), 0);
	assert_int_equal(out.cap, 0);
	assert_false(out.is_broken);
	w_line_writer_close(&out);
	assert_int_equal(read_row(ends[0], 0), 0);
	(void)close(ends[0]);
}

static void
a_pipe_that_nobody_reads_does_not_block(void **state)
{
	(void)state;
	check_never_blocks(make_pipe);
}

static void
a_socket_that_nobody_reads_does_not_block(void **state)
{
	(void)state;
	check_never_blocks(make_sockets);
}

static void
others_who_write_to_it_still_wait(void **state)
{
	(void)state;
	struct w_line_writer out;
	int ends[2];

	make_pipe(ends);
	int other = dup(ends[1]);
	w_line_writer_open(&out, ends[1]);
	assert_int_equal(fcntl(other, F_GETFL) & O_NONBLOCK, 0);
	w_line_writer_close(&out);
	(void)close(other);
	(void)close(ends[0]);
}

static void
a_file_takes_everything(void **state)
{
	(void)state;
	char name[] = "/tmp/writ-line-out-XXXXXX";
	struct w_line_writer out;
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	(void)unlink(name);
	int reader = dup(fd);
	w_line_writer_open(&out, fd);
	fill(&out, 100);
	w_line_writer_flush(&out);
	assert_int_equal(w_line_writer_waiting(&out), 0);
	assert_int_equal(lseek(reader, 0, SEEK_END), 100 * 1000);
	w_line_writer_close(&out);
	(void)close(reader);
}

static void
nobody_at_the_other_end_is_noticed(void **state)
{
	(void)state;
	void (*const kinds[])(int ends[2]) = {make_pipe, make_sockets};

	for (size_t i = 0; i < 2; i++) {
		struct w_line_writer out;
		int ends[2];

		kinds[i](ends);
		w_line_writer_open(&out, ends[1]);
		(void)close(ends[0]);
		w_line_writer_add(&out, "x", 1);
		w_line_writer_flush(&out);
		assert_true(out.is_broken);
		w_line_writer_add(&out, "y", 1);
		w_line_writer_flush(&out);
		w_line_writer_close(&out);
	}
}

static void
what_is_never_read_is_bounded(void **state)
{
	(void)state;
	enum {
		STEP = 16 * 1024 * 1024
	};
	struct w_line_writer out;
	int ends[2];
	char *text = calloc(1, STEP);

	assert_non_null(text);
	make_pipe(ends);
	w_line_writer_open(&out, ends[1]);
	for (size_t i = 0; i < W_LINE_WRITER_MAX / STEP - 1; i++)
		w_line_writer_add(&out, text, STEP);
	assert_false(out.is_broken);
	w_line_writer_add(&out, text, STEP);
	w_line_writer_add(&out, text, STEP);
	assert_true(out.is_broken);
	w_line_writer_close(&out);
	(void)close(ends[0]);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_pipe_that_nobody_reads_does_not_block),
	    cmocka_unit_test(a_socket_that_nobody_reads_does_not_block),
	    cmocka_unit_test(others_who_write_to_it_still_wait),
	    cmocka_unit_test(a_file_takes_everything),
	    cmocka_unit_test(nobody_at_the_other_end_is_noticed),
	    cmocka_unit_test(what_is_never_read_is_bounded),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
