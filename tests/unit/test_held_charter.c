/* SPDX-License-Identifier: Apache-2.0 */

/* The charter of a session, read as hostile bytes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "run/held/held_charter.h"
#include "run/helper/protocol.h"

static struct w_held_charter
whole(void)
{
	return (struct w_held_charter){.magic = W_HELD_MAGIC,
	    .version = W_HELD_VERSION,
	    .size = sizeof(struct w_held_charter),
	    .places = 1U << W_SESSION_FD_MOUNT | 1U << W_SESSION_FD_TMP,
	    .idle_ms = 1,
	    .lifetime_ms = 1,
	    .name = "dev",
	    .agent = "bot",
	    .dir = "/srv"};
}

static bool
is_valid(const struct w_held_charter *charter)
{
	return w_held_charter_is_valid(charter, sizeof(*charter), "dev");
}

static void
a_whole_one_is_valid(void **state)
{
	struct w_held_charter charter = whole();

	(void)state;
	assert_true(is_valid(&charter));
	assert_true(w_held_charter_is_valid(&charter, sizeof(charter), NULL));
	assert_false(
	    w_held_charter_is_valid(&charter, sizeof(charter), "other"));
	assert_false(
	    w_held_charter_is_valid(&charter, sizeof(charter) - 1, "dev"));
	charter.has_disk = 1;
	assert_false(is_valid(&charter));
	strcpy(charter.disk_path, "/var/x");
	assert_true(is_valid(&charter));
	charter.has_disk = 0;
	assert_false(is_valid(&charter));
}

#define WITH(change)                               \
	do {                                       \
		struct w_held_charter c = whole(); \
		change;                            \
		assert_false(is_valid(&c));        \
	} while (0)

static void
anything_else_is_not(void **state)
{
	(void)state;
	WITH(c.magic++);
	WITH(c.version++);
	WITH(c.size--);
	WITH(c.places = 0);
	WITH(c.places |= 1U << W_SESSION_FDS);
	WITH(c.has_disk = 2);
	WITH(c.idle_ms = 0);
	WITH(c.lifetime_ms = 0);
	WITH(c.name[0] = '/');
	WITH(memset(c.name, 'a', sizeof(c.name)));
	WITH(memset(c.agent, 'a', sizeof(c.agent)));
	WITH(c.agent[0] = '\n');
	WITH(memset(c.dir, '/', sizeof(c.dir)));
	WITH(c.dir[0] = 's');
	WITH(memset(c.disk_path, '/', sizeof(c.disk_path)));
}

static void
a_name_is_a_file_name_of_one_word(void **state)
{
	static const char long_name[] =
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	    "a";
	static const char *const wrong[] = {
	    "", ".", "..", ".a", "-a", "a b", "a/b", "a\n", long_name};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(w_held_is_name(wrong[i]));
	assert_true(w_held_is_name("Dev-1.x_y"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_whole_one_is_valid),
	    cmocka_unit_test(anything_else_is_not),
	    cmocka_unit_test(a_name_is_a_file_name_of_one_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
