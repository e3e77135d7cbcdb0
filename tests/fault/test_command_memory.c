/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once while a description is read and its forms are
 * made. What leaks is found by the address sanitizer, in a build that has it.
 */

#include "../unit/description.h"
#include "surviving.h"

static const char text[] =
    "command: store\n"
    "sets: {all: [code], items: {about: x, cases: {'*': $all}}}\n"
    "also: [keeper]\n"
    "effects: [$all, 'write {C|.}']\n"
    "number: lines\n"
    "ordered: steps\n"
    "environment: {PAGER: code}\n"
    "helpers: [sh]\n"
    "groups: {output: {--json: }}\n"
    "when:\n"
    "  - {has: force, all: [C], lacks: lines, except: {C: x}, effects: net}\n"
    "options:\n"
    "  -f, --force: {conflicts: lines, effects: irreversible}\n"
    "  -n, --lines <integer:1..>: {requires: C}\n"
    "  -C <path:base>...: $items\n"
    "  --when <always|never>: \n"
    "operands:\n"
    "  set* <assignment>: {unless: force}\n"
    "  command? <command>: {placeholder: lines, inner: appended}\n"
    "commands:\n"
    "  list: {also: ls, use: output, json_flag: --json, effects: []}\n";

static writ_status
read_all(bool is_thorough, writ_error *err)
{
	struct w_command *command = NULL;
	const struct w_grammar *grammar = NULL;
	writ_status status = w_command_read_text(
	    text, sizeof(text) - 1, is_thorough, &command, err);

	if (status != WRIT_OK) {
		assert_null(command);
		return status;
	}
	status = w_command_grammar(w_command_root(command), &grammar, err);
	if (status == WRIT_OK)
		status = w_command_grammar(
		    &w_command_root(command)->children[0], &grammar, err);
	if (status == WRIT_OK)
		assert_non_null(grammar);
	w_command_free(command);
	return status;
}

static writ_status
read_thoroughly(writ_error *err)
{
	return read_all(true, err);
}

static writ_status
read_when_asked(writ_error *err)
{
	return read_all(false, err);
}

static void
reading_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(read_thoroughly, 20, 500);
}

static void
a_form_that_cannot_be_made_can_be_asked_for_again(void **state)
{
	(void)state;
	survive_each_allocation(read_when_asked, 20, 500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reading_survives_each_failed_allocation),
	    cmocka_unit_test(a_form_that_cannot_be_made_can_be_asked_for_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
