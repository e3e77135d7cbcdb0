/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mcp/transport/id_table.h"

enum {
	MANY = 5000
};

static struct w_mcp_id_link all[MANY];

static bool
is_found(const struct w_mcp_id_table *table, const struct w_mcp_id_link *wanted)
{
	struct w_mcp_id_link *link = w_mcp_id_table_first(table, wanted->hash);

	while (link != NULL && link != wanted)
		link = w_mcp_id_table_next(link);
	return link != NULL;
}

static void
what_was_added_is_found_until_it_is_removed(void **state)
{
	(void)state;
	struct w_mcp_id_table table = {0};

	assert_null(w_mcp_id_table_first(&table, 0));
	assert_null(w_mcp_id_table_any(&table));
	w_mcp_id_table_remove(&table, &all[0]);

	/* Each hash twice. */
	for (uint64_t i = 0; i < MANY; i++) {
		const uint64_t key = i / 2;
		assert_true(w_mcp_id_table_add(
		    &table, &all[i], w_mcp_hash(&key, sizeof(key))));
	}
	assert_int_equal(table.count, MANY);
	for (size_t i = 0; i < MANY; i++)
		assert_true(is_found(&table, &all[i]));
	for (size_t i = 0; i < MANY; i += 2)
		w_mcp_id_table_remove(&table, &all[i]);
	assert_int_equal(table.count, MANY / 2);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(is_found(&table, &all[i]), i % 2);
	while (w_mcp_id_table_any(&table) != NULL)
		w_mcp_id_table_remove(&table, w_mcp_id_table_any(&table));
	assert_int_equal(table.count, 0);
	w_mcp_id_table_done(&table);
}

static void
the_same_hash_is_borne(void **state)
{
	(void)state;
	struct w_mcp_id_table table = {0};

	for (size_t i = 0; i < 100; i++)
		assert_true(w_mcp_id_table_add(&table, &all[i], 42));
	for (size_t i = 0; i < 100; i++) {
		assert_true(is_found(&table, &all[i]));
		w_mcp_id_table_remove(&table, &all[i]);
		assert_false(is_found(&table, &all[i]));
	}
	w_mcp_id_table_done(&table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_added_is_found_until_it_is_removed),
	    cmocka_unit_test(the_same_hash_is_borne),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
