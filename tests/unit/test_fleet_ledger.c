/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "fleet/host/fleet_ledger.h"
#include "fleet/order/fleet_name.h"
#include "temp.h"

#define NOW   UINT64_C(1700000000000)
#define HOUR  UINT64_C(3600000)
#define ORDER "writ-order/1 x\n{\"a\":\"\xc3\xa4\"}"
#define DONE  "{\"state\":\"done\"}"

static const char first[] = "01K0000000000000000000000A";
static const char second[] = "01K0000000000000000000000B";

static struct w_fleet_ledger *
open_ledger(const struct temp *temp, uint64_t now_ms)
{
	struct w_fleet_ledger *ledger = NULL;
	writ_error err;

	if (w_fleet_ledger_open(
		temp_path(temp, "ledger"), now_ms, &ledger, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return ledger;
}

static void
receive(struct w_fleet_ledger *ledger, const char *id)
{
	const struct w_fleet_receipt receipt = {.id = id,
	    .expires = NOW + HOUR,
	    .order = ORDER,
	    .len = strlen(ORDER)};

	assert_int_equal(
	    w_fleet_ledger_receive(ledger, &receipt, NULL), WRIT_OK);
}

static void
finish(struct w_fleet_ledger *ledger, const char *id)
{
	assert_int_equal(
	    w_fleet_ledger_finish(ledger, id, DONE, strlen(DONE), NULL),
	    WRIT_OK);
}

/* As a crash leaves it: nothing is closed in order but the descriptors. */
static struct w_fleet_ledger *
open_again(
    const struct temp *temp, struct w_fleet_ledger *ledger, uint64_t now_ms)
{
	w_fleet_ledger_free(ledger);
	return open_ledger(temp, now_ms);
}

static void
each_step_is_there_after_a_new_start(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_ledger *ledger = open_ledger(temp, NOW);
	uint8_t sum[W_SHA256_SIZE];

	receive(ledger, first);
	ledger = open_again(temp, ledger, NOW);
	const struct w_fleet_entry *entry = w_fleet_ledger_find(ledger, first);
	assert_int_equal(entry->state, W_FLEET_RECEIVED);
	assert_string_equal(entry->order, ORDER);
	assert_false(entry->was_lost);
	w_fleet_ledger_sum(ORDER, strlen(ORDER), sum);
	assert_memory_equal(sum, entry->sum, sizeof(sum));

	assert_int_equal(w_fleet_ledger_start(ledger, first, NULL), WRIT_OK);
	ledger = open_again(temp, ledger, NOW);
	entry = w_fleet_ledger_find(ledger, first);
	assert_int_equal(entry->state, W_FLEET_STARTED);
	assert_true(entry->was_lost);
	assert_string_equal(entry->order, ORDER);

	finish(ledger, first);
	ledger = open_again(temp, ledger, NOW);
	entry = w_fleet_ledger_find(ledger, first);
	assert_int_equal(entry->state, W_FLEET_DONE);
	assert_string_equal(entry->result, DONE);
	assert_null(entry->order);

	assert_int_equal(w_fleet_ledger_publish(ledger, first, NULL), WRIT_OK);
	ledger = open_again(temp, ledger, NOW);
	entry = w_fleet_ledger_find(ledger, first);
	assert_int_equal(entry->state, W_FLEET_PUBLISHED);
	assert_null(entry->result);
	w_fleet_ledger_free(ledger);
}

static void
no_step_can_be_made_twice_or_out_of_order(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_ledger *ledger = open_ledger(temp, NOW);
	const struct w_fleet_receipt again = {
	    .id = first, .expires = NOW, .order = "", .len = 0};

	assert_int_equal(
	    w_fleet_ledger_start(ledger, first, NULL), WRIT_E_INVALID);
	receive(ledger, first);
	assert_int_equal(
	    w_fleet_ledger_receive(ledger, &again, NULL), WRIT_E_INVALID);
	assert_int_equal(
	    w_fleet_ledger_publish(ledger, first, NULL), WRIT_E_INVALID);
	assert_int_equal(w_fleet_ledger_start(ledger, first, NULL), WRIT_OK);
	assert_int_equal(
	    w_fleet_ledger_start(ledger, first, NULL), WRIT_E_INVALID);
	finish(ledger, first);
	assert_int_equal(
	    w_fleet_ledger_finish(ledger, first, DONE, strlen(DONE), NULL),
	    WRIT_E_INVALID);
	assert_int_equal(w_fleet_ledger_publish(ledger, first, NULL), WRIT_OK);
	assert_int_equal(
	    w_fleet_ledger_publish(ledger, first, NULL), WRIT_E_INVALID);
	w_fleet_ledger_free(ledger);
}

static void
one_that_was_lost_may_start_once_more(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_ledger *ledger = open_ledger(temp, NOW);

	receive(ledger, first);
	assert_int_equal(w_fleet_ledger_start(ledger, first, NULL), WRIT_OK);
	ledger = open_again(temp, ledger, NOW);
	assert_int_equal(w_fleet_ledger_start(ledger, first, NULL), WRIT_OK);
	assert_int_equal(
	    w_fleet_ledger_start(ledger, first, NULL), WRIT_E_INVALID);
	w_fleet_ledger_free(ledger);
}

static void
a_torn_line_is_one_that_never_was(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_ledger *ledger = open_ledger(temp, NOW);

	receive(ledger, first);
	w_fleet_ledger_free(ledger);
	int fd = open(temp_path(temp, "ledger/ledger-000001.jsonl"),
	    O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "{\"seq\":3,\"ti", 12), 12);
	(void)close(fd);
	ledger = open_ledger(temp, NOW);
	assert_int_equal(w_fleet_ledger_count(ledger), 1);
	receive(ledger, second);
	ledger = open_again(temp, ledger, NOW);
	assert_int_equal(w_fleet_ledger_count(ledger), 2);
	w_fleet_ledger_free(ledger);
}

static void
two_processes_cannot_have_it(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_ledger *ledger = open_ledger(temp, NOW);
	struct w_fleet_ledger *other = NULL;
	writ_error err;

	assert_int_equal(
	    w_fleet_ledger_open(temp_path(temp, "ledger"), NOW, &other, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, EWOULDBLOCK);
	assert_null(other);
	w_fleet_ledger_free(ledger);
}

static void
make_id(char id[W_ID_LEN + 1], unsigned number)
{
	(void)snprintf(id, W_ID_LEN + 1, "01K%023u", number);
}

/* More than what is kept as waste, so that it is written anew. */
static void
what_has_expired_for_a_day_is_forgotten_and_the_rest_is_not(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_ledger *ledger = open_ledger(temp, NOW);
	char id[W_ID_LEN + 1];

	for (unsigned i = 0; i < 1500; i++) {
		make_id(id, i);
		receive(ledger, id);
		finish(ledger, id);
		assert_int_equal(
		    w_fleet_ledger_publish(ledger, id, NULL), WRIT_OK);
	}
	receive(ledger, first);
	receive(ledger, second);
	finish(ledger, second);
	ledger = open_again(temp, ledger, NOW + 2 * HOUR);
	assert_int_equal(w_fleet_ledger_count(ledger), 1502);
	assert_int_equal(
	    w_fleet_ledger_tidy(ledger, NOW + 26 * HOUR, NULL), WRIT_OK);
	assert_int_equal(w_fleet_ledger_count(ledger), 2);
	assert_int_equal(w_fleet_ledger_start(ledger, first, NULL), WRIT_OK);
	ledger = open_again(temp, ledger, NOW + 26 * HOUR);
	assert_int_equal(w_fleet_ledger_count(ledger), 2);
	const struct w_fleet_entry *entry = w_fleet_ledger_find(ledger, first);
	assert_int_equal(entry->state, W_FLEET_STARTED);
	assert_string_equal(entry->order, ORDER);
	entry = w_fleet_ledger_find(ledger, second);
	assert_string_equal(entry->result, DONE);
	ledger = open_again(temp, ledger, NOW + 26 * HOUR);
	assert_int_equal(w_fleet_ledger_count(ledger), 2);
	w_fleet_ledger_free(ledger);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(each_step_is_there_after_a_new_start),
	    TEST(no_step_can_be_made_twice_or_out_of_order),
	    TEST(one_that_was_lost_may_start_once_more),
	    TEST(a_torn_line_is_one_that_never_was),
	    TEST(two_processes_cannot_have_it),
	    TEST(what_has_expired_for_a_day_is_forgotten_and_the_rest_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
