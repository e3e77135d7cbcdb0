/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "run/denials/target.h"

enum {
	PAGE_BYTES = 4096
};

/* Two pages, the second one unmapped. */
static char *
map_edge(void)
{
	char *pages = mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(munmap(pages + PAGE_BYTES, PAGE_BYTES), 0);
	return pages;
}

static uint64_t
address(const void *at)
{
	return (uint64_t)(uintptr_t)at;
}

static void
a_text_may_end_where_memory_does(void **state)
{
	char text[PATH_MAX];
	char *page = map_edge();

	(void)state;
	memcpy(page + PAGE_BYTES - 5, "edge", 5);
	assert_true(
	    w_target_text(getpid(), address(page + PAGE_BYTES - 5), text));
	assert_string_equal(text, "edge");
	page[PAGE_BYTES - 1] = 'x';
	assert_false(
	    w_target_text(getpid(), address(page + PAGE_BYTES - 5), text));
	assert_false(w_target_text(getpid(), address(page + PAGE_BYTES), text));
	assert_false(w_target_text(getpid(), 0, text));
	assert_false(w_target_text(getpid(), UINT64_MAX - 2, text));
	assert_int_equal(munmap(page, PAGE_BYTES), 0);
}

static void
a_text_crosses_pages_but_has_an_end(void **state)
{
	static char long_text[3 * PAGE_BYTES];
	char text[PATH_MAX];

	(void)state;
	memset(long_text, 'a', sizeof(long_text) - 1);
	assert_false(w_target_text(getpid(), address(long_text), text));
	const char *tail = long_text + sizeof(long_text) - PATH_MAX;
	assert_true(w_target_text(getpid(), address(tail), text));
	assert_string_equal(text, tail);
}

static void
bytes_come_whole_or_not_at_all(void **state)
{
	char *page = map_edge();
	char bytes[16];

	(void)state;
	memset(page, 7, PAGE_BYTES);
	assert_true(w_target_bytes(
	    getpid(), address(page + PAGE_BYTES - 16), bytes, 16));
	assert_int_equal(bytes[15], 7);
	assert_false(w_target_bytes(
	    getpid(), address(page + PAGE_BYTES - 15), bytes, 16));
	assert_false(w_target_bytes(getpid(), address(page), bytes, 0));
	assert_int_equal(munmap(page, PAGE_BYTES), 0);
}

static void
paths_are_taken_from_where_the_process_is(void **state)
{
	static char path[PATH_MAX], cwd[PATH_MAX], wanted[2 * PATH_MAX];
	W_AUTO_FD int usr = open("/usr", O_PATH | O_CLOEXEC);
	int ends[2];

	(void)state;
	assert_true(usr >= 0);
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_true(w_target_resolve(getpid(), AT_FDCWD, "a/b", path));
	(void)snprintf(wanted, sizeof(wanted), "%s/a/b", cwd);
	assert_string_equal(path, wanted);
	assert_true(w_target_resolve(getpid(), usr, "lib", path));
	assert_string_equal(path, "/usr/lib");
	assert_true(w_target_resolve(getpid(), usr, "", path));
	assert_string_equal(path, "/usr");
	assert_true(w_target_resolve(getpid(), -1, "/x", path));
	assert_string_equal(path, "/x");
	assert_int_equal(pipe(ends), 0);
	assert_false(w_target_resolve(getpid(), ends[0], "", path));
	assert_false(w_target_resolve(getpid(), -1, "x", path));
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void
a_process_that_is_gone_tells_nothing(void **state)
{
	const pid_t nobody = 0x3fffffff;
	char path[PATH_MAX] = "";

	(void)state;
	assert_false(w_target_text(nobody, address(path), path));
	assert_false(w_target_resolve(nobody, AT_FDCWD, "x", path));
	assert_int_equal(w_target_root(nobody), -1);
	W_AUTO_FD int root = w_target_root(getpid());
	assert_true(root >= 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_may_end_where_memory_does),
	    cmocka_unit_test(a_text_crosses_pages_but_has_an_end),
	    cmocka_unit_test(bytes_come_whole_or_not_at_all),
	    cmocka_unit_test(paths_are_taken_from_where_the_process_is),
	    cmocka_unit_test(a_process_that_is_gone_tells_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
