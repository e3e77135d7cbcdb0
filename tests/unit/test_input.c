/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>

#include "leftovers.h"
#include "os/file.h"
#include "run/streams/input.h"
#include "temp.h"

static struct temp temp;
static struct w_loop loop;
static int null_fd = -1;
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	assert_int_equal(w_loop_init(&loop, NULL), WRIT_OK);
	null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	assert_int_equal(w_fd_raise(&null_fd), 0);
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	int after = count_fds();
	(void)close(null_fd);
	w_loop_done(&loop);
	temp_close(&temp);
	return after == fds_before ? 0 : -1;
}

static writ_request
request_of(writ_stdin_kind kind)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.stdin_kind = kind;
	return request;
}

static bool is_confined;

static const struct w_input_scope *
scope(void)
{
	static struct w_input_scope now;

	now = (struct w_input_scope){
	    .cwd_fd = temp.fd,
	    .null_fd = null_fd,
	    .is_confined = is_confined,
	};
	return &now;
}

/* Opens the input and keeps the child's end for reading. */
static int
open_input(struct w_input *input, const writ_request *request)
{
	assert_int_equal(w_input_open(input, request, scope(), NULL), WRIT_OK);
	assert_true(input->child_fd >= W_FD_SAFE);
	int fd = fcntl(input->child_fd, F_DUPFD_CLOEXEC, W_FD_SAFE);
	assert_true(fd >= 0);
	assert_int_equal(w_input_started(input, &loop, NULL), WRIT_OK);
	assert_int_equal(input->child_fd, -1);
	return fd;
}

static size_t
read_some(int fd, char *buf, size_t size)
{
	ssize_t n = read(fd, buf, size);

	assert_true(n >= 0);
	return (size_t)n;
}

static void
dispatch(void)
{
	assert_int_equal(w_loop_dispatch(&loop, 0, NULL), WRIT_OK);
}

static void
nothing_is_an_end_of_file_at_once(void **state)
{
	writ_request request = request_of(WRIT_STDIN_NULL);
	struct w_input input;
	char byte;

	(void)state;
	int fd = open_input(&input, &request);
	assert_int_equal(read_some(fd, &byte, 1), 0);
	(void)close(fd);
	w_input_close(&input);
	assert_int_equal(fcntl(null_fd, F_GETFD), FD_CLOEXEC);
}

static void
short_data_is_there_before_the_command_starts(void **state)
{
	writ_request request = request_of(WRIT_STDIN_DATA);
	struct w_input input;
	char buf[16];

	(void)state;
	request.stdin_data = "a\0b";
	request.stdin_len = 3;
	int fd = open_input(&input, &request);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 3);
	assert_memory_equal(buf, "a\0b", 3);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 0);
	(void)close(fd);
	w_input_close(&input);
}

static void
no_data_is_an_end_of_file(void **state)
{
	writ_request request = request_of(WRIT_STDIN_DATA);
	struct w_input input;
	char byte;

	(void)state;
	int fd = open_input(&input, &request);
	assert_int_equal(read_some(fd, &byte, 1), 0);
	(void)close(fd);
	w_input_close(&input);
}

static void
long_data_arrives_whole_and_ends(void **state)
{
	enum {
		LONG = 3000001
	};
	static char sent[LONG], got[LONG + 1];
	writ_request request = request_of(WRIT_STDIN_DATA);
	struct w_input input;
	size_t len = 0, n;

	(void)state;
	for (size_t i = 0; i < LONG; i++)
		sent[i] = (char)random();
	request.stdin_data = sent;
	request.stdin_len = LONG;
	int fd = open_input(&input, &request);
	do {
		n = read_some(fd, got + len, sizeof(got) - len);
		len += n;
		dispatch();
	} while (n > 0);
	assert_int_equal(len, LONG);
	assert_memory_equal(sent, got, LONG);
	assert_int_equal(input.source.fd, -1);
	(void)close(fd);
	w_input_close(&input);
}

static void
data_that_nobody_reads_is_given_up_without_a_signal(void **state)
{
	enum {
		LONG = 1000000
	};
	static char data[LONG];
	writ_request request = request_of(WRIT_STDIN_DATA);
	struct w_input input;
	sigset_t pending;

	(void)state;
	request.stdin_data = data;
	request.stdin_len = LONG;
	int fd = open_input(&input, &request);
	dispatch();
	(void)close(fd);
	dispatch();
	assert_int_equal(input.source.fd, -1);
	assert_null(input.data);
	assert_int_equal(sigpending(&pending), 0);
	assert_false(sigismember(&pending, SIGPIPE));
	w_input_close(&input);
}

static void
a_pending_sigpipe_of_the_host_is_not_eaten(void **state)
{
	writ_request request = request_of(WRIT_STDIN_PIPE);
	struct w_input input;
	sigset_t pipe_only, saved, pending;
	size_t n;
	int sig;

	(void)state;
	assert_int_equal(sigemptyset(&pipe_only), 0);
	assert_int_equal(sigaddset(&pipe_only, SIGPIPE), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, &pipe_only, &saved), 0);
	assert_int_equal(raise(SIGPIPE), 0);
	(void)close(open_input(&input, &request));
	assert_int_equal(w_input_write(&input, "x", 1, &n), EPIPE);
	assert_int_equal(sigpending(&pending), 0);
	assert_true(sigismember(&pending, SIGPIPE));
	assert_int_equal(sigwait(&pipe_only, &sig), 0);
	assert_int_equal(sigprocmask(SIG_SETMASK, &saved, NULL), 0);
	w_input_close(&input);
}

static void
a_pipe_takes_what_fits_and_never_blocks(void **state)
{
	static char block[1 << 17];
	writ_request request = request_of(WRIT_STDIN_PIPE);
	struct w_input input;
	size_t n = 99;
	char buf[8];

	(void)state;
	int fd = open_input(&input, &request);
	assert_int_equal(w_input_write(&input, "hello", 5, &n), 0);
	assert_int_equal(n, 5);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 5);
	assert_int_equal(w_input_write(&input, block, sizeof(block), &n), 0);
	assert_true(n > 0 && n < sizeof(block));
	assert_int_equal(w_input_write(&input, "x", 1, &n), EAGAIN);
	assert_int_equal(n, 0);
	(void)close(fd);
	assert_int_equal(w_input_write(&input, "x", 1, &n), EPIPE);
	assert_int_equal(n, 0);
	w_input_close(&input);
	assert_int_equal(w_input_write(&input, "x", 1, &n), EPIPE);
	w_input_close(&input);
}

static void
closing_a_pipe_is_an_end_of_file(void **state)
{
	writ_request request = request_of(WRIT_STDIN_PIPE);
	struct w_input input;
	char byte;

	(void)state;
	int fd = open_input(&input, &request);
	w_input_close(&input);
	assert_int_equal(read_some(fd, &byte, 1), 0);
	(void)close(fd);
}

static void
a_file_is_read_from_the_working_directory_on(void **state)
{
	writ_request request = request_of(WRIT_STDIN_FILE);
	struct w_input input;
	char buf[8];

	(void)state;
	temp_file(&temp, "f", 0600, "text");
	request.stdin_path = "f";
	int fd = open_input(&input, &request);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 4);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	(void)close(fd);
	w_input_close(&input);
}

static void
a_fifo_without_a_writer_does_not_stop_the_engine(void **state)
{
	writ_request request = request_of(WRIT_STDIN_FILE);
	struct w_input input;

	(void)state;
	assert_int_equal(mkfifoat(temp.fd, "fifo", 0600), 0);
	request.stdin_path = "fifo";
	(void)alarm(20);
	int fd = open_input(&input, &request);
	(void)alarm(0);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	(void)close(fd);
	w_input_close(&input);
}

static void
expect_refused(const char *path, const char *words)
{
	writ_request request = request_of(WRIT_STDIN_FILE);
	struct w_input input;
	writ_error err = {0};

	request.stdin_path = path;
	assert_int_equal(
	    w_input_open(&input, &request, scope(), &err), WRIT_E_INVALID);
	assert_string_equal(err.stage, "stdin");
	assert_non_null(strstr(err.message, path));
	assert_non_null(strstr(err.message, words));
}

static void
what_cannot_be_read_is_refused_by_name(void **state)
{
	(void)state;
	temp_dir(&temp, "dir");
	expect_refused("none", "No such file or directory");
	expect_refused("dir", "Is a directory");
}

static void
a_terminal_as_a_file_is_refused(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char name[64];

	(void)state;
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0) {
		(void)fprintf(stderr, "no terminal to be had\n");
		skip();
	}
	assert_int_equal(ptsname_r(master, name, sizeof(name)), 0);
	expect_refused(name, "is a terminal");
	(void)close(master);
}

static void
a_descriptor_is_copied_and_stays_the_caller_s(void **state)
{
	writ_request request = request_of(WRIT_STDIN_FD);
	struct w_input input;
	int ends[2];
	char buf[8];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], "abc", 3), 3);
	request.stdin_fd = ends[0];
	int fd = open_input(&input, &request);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 3);
	w_input_close(&input);
	assert_int_equal(fcntl(ends[0], F_GETFD), FD_CLOEXEC);
	(void)close(fd);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void
a_closed_descriptor_is_an_error(void **state)
{
	writ_request request = request_of(WRIT_STDIN_FD);
	struct w_input input;
	writ_error err = {0};

	(void)state;
	request.stdin_fd = -1;
	assert_int_not_equal(
	    w_input_open(&input, &request, scope(), &err), WRIT_OK);
	assert_int_equal(err.sys_errno, EBADF);
	assert_int_equal(input.child_fd, -1);
}

/* Opens a file as standard input of a sandbox. */
static int
open_confined(struct w_input *input, const char *path)
{
	writ_request request = request_of(WRIT_STDIN_FD);
	int given = openat(temp.fd, path, O_RDONLY | O_CLOEXEC);

	assert_true(given >= 0);
	request.stdin_fd = given;
	is_confined = true;
	int fd = open_input(input, &request);
	is_confined = false;
	(void)close(given);
	return fd;
}

static void
a_short_file_reaches_a_sandbox_through_a_pipe(void **state)
{
	struct w_input input;
	struct stat st;
	char buf[8];

	(void)state;
	temp_file(&temp, "file", 0600, "abc");
	int fd = open_confined(&input, "file");
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_null(input.data);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 3);
	assert_memory_equal(buf, "abc", 3);
	assert_int_equal(read_some(fd, buf, sizeof(buf)), 0);
	w_input_close(&input);
	(void)close(fd);
}

/* Reads everything that the pump sends. */
static size_t
drain(int fd)
{
	static char buf[65536];
	size_t total = 0;

	for (;;) {
		size_t n = read_some(fd, buf, sizeof(buf));

		if (n == 0)
			return total;
		for (size_t i = 0; i < n; i++)
			assert_int_equal(
			    (unsigned char)buf[i], (total + i) % 251);
		total += n;
		assert_int_equal(w_loop_dispatch(&loop, 0, NULL), WRIT_OK);
	}
}

static void
a_long_file_is_pumped_to_a_sandbox(void **state)
{
	enum {
		SIZE = 1000003
	};
	static char bytes[SIZE];
	struct w_input input;

	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)(i % 251);
	int file =
	    openat(temp.fd, "long", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(file, bytes, SIZE), SIZE);
	(void)close(file);
	int fd = open_confined(&input, "long");
	assert_non_null(input.data);
	assert_int_equal(drain(fd), SIZE);
	assert_int_equal(input.source.fd, -1);
	assert_int_equal(input.from_fd, -1);
	(void)close(fd);
}

static void
a_sandbox_that_does_not_read_ends_the_pump(void **state)
{
	struct w_input input;
	writ_request request = request_of(WRIT_STDIN_FILE);

	(void)state;
	request.stdin_path = "/dev/zero";
	is_confined = true;
	int fd = open_input(&input, &request);
	is_confined = false;
	assert_non_null(input.data);
	(void)close(fd);
	assert_int_equal(w_loop_dispatch(&loop, 0, NULL), WRIT_OK);
	assert_int_equal(input.source.fd, -1);
	assert_int_equal(input.from_fd, -1);
}

static void
a_sandbox_opens_its_own_null(void **state)
{
	struct w_input input;

	(void)state;
	int fd = open_confined(&input, "/dev/null");
	assert_true(input.is_null);
	w_input_close(&input);
	(void)close(fd);
}

static void
a_sandbox_takes_no_directory_and_no_terminal(void **state)
{
	writ_request request = request_of(WRIT_STDIN_FD);
	struct w_input input;
	writ_error err = {0};

	(void)state;
	request.stdin_fd = temp.fd;
	is_confined = true;
	assert_int_equal(
	    w_input_open(&input, &request, scope(), &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "directory"));
	request.stdin_fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (request.stdin_fd >= 0)
		assert_int_equal(w_input_open(&input, &request, scope(), &err),
		    WRIT_E_INVALID);
	is_confined = false;
	if (request.stdin_fd >= 0)
		(void)close(request.stdin_fd);
}

#define IN_LOOP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_LOOP(nothing_is_an_end_of_file_at_once),
	    IN_LOOP(short_data_is_there_before_the_command_starts),
	    IN_LOOP(no_data_is_an_end_of_file),
	    IN_LOOP(long_data_arrives_whole_and_ends),
	    IN_LOOP(data_that_nobody_reads_is_given_up_without_a_signal),
	    IN_LOOP(a_pending_sigpipe_of_the_host_is_not_eaten),
	    IN_LOOP(a_pipe_takes_what_fits_and_never_blocks),
	    IN_LOOP(closing_a_pipe_is_an_end_of_file),
	    IN_LOOP(a_file_is_read_from_the_working_directory_on),
	    IN_LOOP(a_fifo_without_a_writer_does_not_stop_the_engine),
	    IN_LOOP(what_cannot_be_read_is_refused_by_name),
	    IN_LOOP(a_terminal_as_a_file_is_refused),
	    IN_LOOP(a_descriptor_is_copied_and_stays_the_caller_s),
	    IN_LOOP(a_closed_descriptor_is_an_error),
	    IN_LOOP(a_short_file_reaches_a_sandbox_through_a_pipe),
	    IN_LOOP(a_long_file_is_pumped_to_a_sandbox),
	    IN_LOOP(a_sandbox_that_does_not_read_ends_the_pump),
	    IN_LOOP(a_sandbox_opens_its_own_null),
	    IN_LOOP(a_sandbox_takes_no_directory_and_no_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
