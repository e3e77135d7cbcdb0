/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/unix_sockets.h"
#include "temp.h"

#define HEAD     "Num       RefCount Protocol Flags    Type St Inode Path\n"
#define NUMBER   "0000000000000000: 00000002 00000000 "
#define LISTENS  NUMBER "00010000 0001 01 "
#define CONNECTS NUMBER "00000000 0001 03 "
#define DATAGRAM NUMBER "00000000 0002 01 "
#define PACKETS  NUMBER "00010000 0005 01 "

static void
expect(const char *text, const char *first, const char *second)
{
	const char *wanted[] = {first, second, NULL};
	const char *at = text;
	struct w_unix_socket_entry entry;

	for (size_t i = 0; wanted[i] != NULL; i++) {
		assert_true(
		    w_unix_sockets_next(&at, text + strlen(text), &entry));
		assert_int_equal(entry.len, strlen(wanted[i]));
		assert_memory_equal(entry.path, wanted[i], entry.len);
	}
	assert_false(w_unix_sockets_next(&at, text + strlen(text), &entry));
}

static void
what_can_be_sent_to_is_found(void **state)
{
	(void)state;
	expect(HEAD, NULL, NULL);
	expect("", NULL, NULL);
	expect(HEAD LISTENS "   12 /run/a\n" DATAGRAM "123456 /b\n", "/run/a",
	    "/b");
	expect(PACKETS "12345 /with a blank\n", "/with a blank", NULL);
	expect(
	    LISTENS "12345 /last without an end", "/last without an end", NULL);
	expect(LISTENS "12345  /two blanks\n", NULL, NULL);
}

static void
what_cannot_is_left_out(void **state)
{
	(void)state;
	expect(CONNECTS "12345 /run/a\n", NULL, NULL);
	expect(CONNECTS "12345\n" DATAGRAM "12345\n", NULL, NULL);
	expect(LISTENS "12345 @abstract\n", NULL, NULL);
	expect(LISTENS "12345 relative\n", NULL, NULL);
	expect(LISTENS "12345 \n", NULL, NULL);
}

static void
lines_of_another_kind_are_passed_over(void **state)
{
	static char line[PATH_MAX + 100] = LISTENS "12345 /";

	(void)state;
	expect("\n\n \n" LISTENS "1 /a\n", "/a", NULL);
	expect(NUMBER "0001000g 0001 01 12345 /a\n", NULL, NULL);
	expect(NUMBER "000010000 0001 01 12345 /a\n", NULL, NULL);
	expect(NUMBER "00010000 x 01 12345 /a\n", NULL, NULL);
	memset(line + strlen(line), 'x', PATH_MAX);
	expect(line, NULL, NULL);
}

static void
the_kernel_s_own_list_is_read(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct temp temp;
	struct w_unix_socket_entry entry;
	W_AUTO_BUF struct w_buf buf;
	bool is_there = false;

	(void)state;
	temp_open(&temp);
	int len = snprintf(
	    address.sun_path, sizeof(address.sun_path), "%s/s", temp.path);
	assert_in_range(len, 1, sizeof(address.sun_path) - 1);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(
	    bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	w_buf_init(&buf, 16 << 20);
	assert_int_equal(w_unix_sockets_read(&buf), 0);
	const char *at = buf.data;
	while (w_unix_sockets_next(&at, buf.data + buf.len, &entry))
		is_there |=
		    entry.len == strlen(address.sun_path) &&
		    memcmp(entry.path, address.sun_path, entry.len) == 0;
	assert_true(is_there);
	(void)close(fd);
	temp_close(&temp);
}

static void
a_list_that_is_too_long_is_an_error(void **state)
{
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 16);
	assert_int_equal(w_unix_sockets_read(&buf), E2BIG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_can_be_sent_to_is_found),
	    cmocka_unit_test(what_cannot_is_left_out),
	    cmocka_unit_test(lines_of_another_kind_are_passed_over),
	    cmocka_unit_test(the_kernel_s_own_list_is_read),
	    cmocka_unit_test(a_list_that_is_too_long_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
