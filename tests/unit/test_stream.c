/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/epoll.h>

#include "leftovers.h"
#include "run/streams/stream.h"
#include "temp.h"

static struct temp temp;
static struct w_loop loop;
static struct w_stream stream;
static char buf[W_STREAM_READ_MAX];
static int write_end;
static int calls;

static void
on_ready(struct w_source *source, uint32_t events)
{
	(void)source;
	(void)events;
	calls++;
}

static int
set_up(void **state)
{
	int ends[2];

	(void)state;
	temp_open(&temp);
	calls = 0;
	assert_int_equal(w_loop_init(&loop, NULL), WRIT_OK);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	write_end = ends[1];
	stream = (struct w_stream){
	    .source = {.fd = ends[0], .fn = on_ready},
	    .loop = &loop,
	    .spill = {.dir = temp.path,
		.run_id = "id",
		.suffix = "stdout",
		.limit = 1 << 30,
		.fd = -1},
	};
	w_capture_init(&stream.capture, 1000);
	assert_int_equal(w_loop_add(&loop, &stream.source, EPOLLIN), 0);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_stream_close(&stream);
	w_spill_discard(&stream.spill);
	w_capture_done(&stream.capture);
	w_loop_done(&loop);
	if (write_end >= 0)
		(void)close(write_end);
	temp_close(&temp);
	return 0;
}

static void
dispatch(void)
{
	assert_int_equal(w_loop_dispatch(&loop, 0, NULL), WRIT_OK);
}

static void
what_is_read_is_handed_out_and_kept(void **state)
{
	(void)state;
	assert_int_equal(write(write_end, "hello", 5), 5);
	struct w_chunk chunk = w_stream_read(&stream, buf);
	assert_int_equal(chunk.len, 5);
	assert_int_equal(chunk.error, 0);
	assert_false(chunk.is_full);
	assert_memory_equal(chunk.bytes, "hello", 5);
	assert_int_equal(stream.capture.bytes, 5);
}

static void
an_empty_pipe_is_not_its_end(void **state)
{
	(void)state;
	struct w_chunk chunk = w_stream_read(&stream, buf);
	assert_int_equal(chunk.len, 0);
	assert_int_equal(chunk.error, EAGAIN);
	(void)close(write_end);
	write_end = -1;
	chunk = w_stream_read(&stream, buf);
	assert_int_equal(chunk.len, 0);
	assert_int_equal(chunk.error, 0);
}

/* Fills the pipe, reads it empty, and compares the bytes. */
static void
pass_through(size_t bytes)
{
	static char sent[100000], got[100000];
	size_t in = 0, out = 0;

	for (size_t i = 0; i < bytes; i++)
		sent[i] = (char)random();
	while (out < bytes) {
		ssize_t n = write(write_end, sent + in, bytes - in);
		in += n > 0 ? (size_t)n : 0;
		struct w_chunk chunk = w_stream_read(&stream, buf);
		memcpy(got + out, chunk.bytes, chunk.len);
		out += chunk.len;
	}
	assert_memory_equal(sent, got, bytes);
}

static void
flood(size_t limit)
{
	writ_output out = {0};
	struct stat st;

	w_capture_done(&stream.capture);
	w_capture_init(&stream.capture, limit);
	for (int i = 0; i < 20; i++)
		pass_through((size_t)random() % 100000);
	assert_true(w_capture_take(&stream.capture, &out));
	assert_int_equal(out.head_len, limit / 4);
	assert_int_equal(out.tail_len, limit - limit / 4);
	w_spill_take(&stream.spill, &out);
	assert_int_equal(out.spill_bytes, out.bytes);
	assert_int_equal(stat(out.spill_path, &st), 0);
	assert_int_equal((uint64_t)st.st_size, out.bytes);
	union {
		const char *borrowed;
		char *owned;
	} head = {out.head}, tail = {out.tail}, path = {out.spill_path};
	free(head.owned);
	free(tail.owned);
	free(path.owned);
}

static void
a_flood_is_handed_out_whole_and_spilled_whole(void **state)
{
	(void)state;
	flood(1000);
}

static void
so_it_is_where_reads_go_straight_to_their_place(void **state)
{
	(void)state;
	flood(100000);
}

static void
little_memory_makes_no_small_reads(void **state)
{
	static const char sent[60000];

	(void)state;
	pass_through(5000);
	assert_int_equal(write(write_end, sent, sizeof(sent)), sizeof(sent));
	struct w_chunk chunk = w_stream_read(&stream, buf);
	assert_int_equal(chunk.len, sizeof(sent));
	assert_false(chunk.is_full);
}

static void
a_paused_stream_is_silent_until_it_goes_on(void **state)
{
	(void)state;
	w_stream_pause(&stream, true);
	assert_int_equal(write(write_end, "x", 1), 1);
	dispatch();
	assert_int_equal(calls, 0);
	w_stream_pause(&stream, false);
	dispatch();
	assert_int_equal(calls, 1);
}

static void
a_closed_stream_may_be_closed_and_paused_again(void **state)
{
	int before = count_fds();

	(void)state;
	w_stream_close(&stream);
	assert_int_equal(count_fds(), before - 1);
	assert_int_equal(stream.source.fd, -1);
	w_stream_pause(&stream, true);
	w_stream_pause(&stream, false);
	w_stream_close(&stream);
}

#define IN_LOOP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_LOOP(what_is_read_is_handed_out_and_kept),
	    IN_LOOP(an_empty_pipe_is_not_its_end),
	    IN_LOOP(a_flood_is_handed_out_whole_and_spilled_whole),
	    IN_LOOP(so_it_is_where_reads_go_straight_to_their_place),
	    IN_LOOP(little_memory_makes_no_small_reads),
	    IN_LOOP(a_paused_stream_is_silent_until_it_goes_on),
	    IN_LOOP(a_closed_stream_may_be_closed_and_paused_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
