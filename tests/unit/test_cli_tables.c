/* SPDX-License-Identifier: Apache-2.0 */

/* The tables of all commands. Their words are arrays: a compiler lets a word
 * fill one to its last byte, and then it has no end. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/cli_command.h"
#include "cli/options/options.h"

#define assert_ends(array) assert_int_equal((array)[sizeof(array) - 1], '\0')

typedef void (*check_fn)(const struct w_cli_command *command);

static void
check_row(const struct w_cli_command *command, const struct w_option *row)
{
	assert_ends(row->name);
	assert_ends(row->arg);
	assert_ends(row->range);
	assert_ends(row->key);
	assert_ends(row->help);
	assert_ends(row->standard);
	assert_ends(row->words);
	assert_ends(row->heading);
	assert_true(row->store <= W_STORES_MAX);
	if (row->store > 0 && command->stores[row->store - 1] == NULL)
		fail_msg(
		    "writ %s: --%s has no store", command->name, row->name);
}

static void
check_tables(const struct w_cli_command *command)
{
	size_t count = 0;

	for (const struct w_option *row = command->options;
	     row->name[0] != '\0'; row++) {
		check_row(command, row);
		if (row->help[0] == '\0')
			fail_msg("writ %s: --%s has no help", command->name,
			    row->name);
		count++;
	}
	assert_true(count <= W_OPTIONS_MAX);
	if (command->operand != NULL)
		check_row(command, command->operand);
	for (const struct w_example *row = command->examples;
	     row != NULL && row->line[0] != '\0'; row++) {
		assert_ends(row->line);
		assert_ends(row->says);
		assert_true(row->says[0] != '\0');
	}
	for (const struct w_exit_row *row = command->exits;
	     row->status[0] != '\0'; row++) {
		assert_ends(row->status);
		assert_ends(row->meaning);
		assert_true(row->meaning[0] != '\0');
	}
}

static size_t
check_all(const struct w_cli_command *const *commands, check_fn check)
{
	size_t count = 0;

	for (; commands != NULL && *commands != NULL; commands++) {
		check(*commands);
		count += 1 + check_all((*commands)->subs, check);
	}
	return count;
}

static void
every_word_of_a_table_ends_and_every_row_is_stored(void **state)
{
	(void)state;
	check_tables(&w_cmd_writ);
	assert_true(check_all(w_cli_commands, check_tables) > 50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		every_word_of_a_table_ends_and_every_row_is_stored),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
