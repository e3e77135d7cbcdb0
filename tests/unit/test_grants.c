/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "approving.h"
#include "engine/approval/approval_file.h"

static struct w_grant_cache cache;
static const struct w_grant *found;
static size_t count;
static const char *trouble;
static char id[WRIT_APPROVAL_ID_LEN + 1];

static size_t
find(const struct w_grant_query *query)
{
	assert_int_equal(w_grants_find(&cache, temp.path, query, &found, &count,
			     &trouble, &err),
	    WRIT_OK);
	return count;
}

static size_t
find_plain(void)
{
	const struct w_grant_query query = query_of(HASH_A);

	return find(&query);
}

static int
drop_store(void **state)
{
	w_grant_cache_done(&cache);
	return tear_down(state);
}

static size_t
listed(void)
{
	size_t n = 0;
	char *json;

	assert_int_equal(
	    writ_grants_list(approvals, &json, NULL, &err), WRIT_OK);
	for (const char *at = json; (at = strstr(at, "\"id\":")) != NULL; at++)
		n++;
	free(json);
	return n;
}

static void
without_a_directory_there_are_none(void **state)
{
	(void)state;
	assert_int_equal(find_plain(), 0);
	assert_null(trouble);
	assert_false(temp_has(&temp, "grants"));
}

static void
a_session_grant_counts_for_this_request_in_this_session(void **state)
{
	struct w_grant_query query;

	(void)state;
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SESSION), WRIT_OK);
	assert_int_equal(find_plain(), 1);
	assert_string_equal(found[0].id, id);
	assert_null(found[0].rule);
	query = query_of(HASH_B);
	assert_int_equal(find(&query), 0);
	query = query_of(HASH_A);
	query.session = "s2";
	assert_int_equal(find(&query), 0);
	query.session = NULL;
	assert_int_equal(find(&query), 0);
	assert_int_equal(listed(), 1);
	/* The approval itself stays valid, in that session. */
	assert_int_equal(use(id, HASH_A), WRIT_OK);
	assert_int_equal(use(id, HASH_A), WRIT_OK);
	query = query_of(HASH_A);
	query.session = "s2";
	assert_int_equal(
	    w_approval_use(temp.path, id, &query, &err), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "another session"));
}

static void
a_shape_grant_is_a_rule_for_this_agent(void **state)
{
	struct w_grant_query query;

	(void)state;
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SHAPE), WRIT_OK);
	query = query_of(HASH_B);
	query.session = "s2";
	assert_int_equal(find(&query), 1);
	assert_non_null(found[0].rule);
	assert_int_equal(found[0].rule->verdict, W_ALLOW);
	assert_int_equal(found[0].rule->shape_count, 1);
	assert_string_equal(found[0].rule->shapes[0].text, "git push ...");
	query.agent = "other";
	assert_int_equal(find(&query), 0);
	query.agent = NULL;
	assert_int_equal(find(&query), 0);
}

static void
a_grant_ends_with_its_time(void **state)
{
	struct w_grant_query query = query_of(HASH_A);
	writ_answer given = WRIT_ANSWER_INIT;

	(void)state;
	ask(id);
	given.is_approved = true;
	given.scope = WRIT_SCOPE_SHAPE;
	given.for_ms = 60000;
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &given, &err), WRIT_OK);
	assert_int_equal(find(&query), 1);
	query.now_ms += 59000;
	assert_int_equal(find(&query), 1);
	query.now_ms += 2000;
	assert_int_equal(find(&query), 0);
	assert_int_equal(
	    w_approval_use(temp.path, id, &query, &err), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "a time that is over"));
}

static void
what_is_taken_back_counts_no_more(void **state)
{
	(void)state;
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SESSION), WRIT_OK);
	assert_int_equal(find_plain(), 1);
	assert_int_equal(writ_grants_revoke(approvals, id, &err), WRIT_OK);
	assert_int_equal(find_plain(), 0);
	assert_int_equal(listed(), 0);
	/* The approval does not bring it back either. */
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "taken back"));
	assert_int_equal(find_plain(), 0);
	assert_int_equal(
	    writ_grants_revoke(approvals, id, &err), WRIT_E_NOTFOUND);
}

/* The process that answered was killed between the answer and the grant. */
static void
a_grant_that_is_missing_is_made_up_for_by_its_use(void **state)
{
	char name[64];

	(void)state;
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SESSION), WRIT_OK);
	(void)snprintf(name, sizeof(name), "grants/%s.json", id);
	assert_int_equal(unlinkat(temp.fd, name, 0), 0);
	assert_int_equal(find_plain(), 0);
	assert_int_equal(use(id, HASH_A), WRIT_OK);
	assert_int_equal(find_plain(), 1);
}

static writ_status
grant_rule(const char *rule)
{
	writ_answer given = WRIT_ANSWER_INIT;

	given.is_approved = true;
	given.scope = WRIT_SCOPE_SHAPE;
	given.rule = rule;
	return writ_approvals_answer(approvals, id, &given, &err);
}

static void
a_rule_can_be_edited_and_is_checked(void **state)
{
	static const char *const bad[] = {
	    "",
	    "allow",
	    "allow: {}",
	    "allow: { effect: nonsense }",
	    "allow: { progam: git }",
	    "deny: git push ...",
	    "ask: git push ...",
	    "allow: git push ...\n  - allow: {}",
	    "{ allow: {}, because: all }",
	    "allow: { sandbox: none }",
	    "allow: git fetch ...",
	    "allow: git push --force",
	    "allow: { program: curl }",
	};

	(void)state;
	ask(id);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(grant_rule(bad[i]), WRIT_E_INVALID);
		assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
	}
	assert_int_equal(listed(), 0);
	assert_int_equal(grant_rule("allow: git push"), WRIT_OK);
	assert_int_equal(find_plain(), 1);
	assert_string_equal(found[0].rule->shapes[0].text, "git push");
	assert_true(shows(id, "\"rule\":\"allow: git push\",\"by\""));
}

static void
a_rule_may_be_about_a_part_of_the_request(void **state)
{
	(void)state;
	ask(id);
	assert_int_equal(
	    grant_rule("allow: { program: git, effect: [net, publish] }"),
	    WRIT_OK);
	assert_int_equal(find_plain(), 1);
}

static void
a_grant_that_was_edited_is_left_out_and_named(void **state)
{
	char other[WRIT_APPROVAL_ID_LEN + 1];
	char name[64];

	(void)state;
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SHAPE), WRIT_OK);
	ask(other);
	assert_int_equal(answer(other, true, WRIT_SCOPE_SHAPE), WRIT_OK);
	(void)snprintf(name, sizeof(name), "grants/%s.json", id);
	assert_int_equal(unlinkat(temp.fd, name, 0), 0);
	temp_file(&temp, name, 0600, "{\"rule\":\"allow: {}\"}");
	assert_int_equal(find_plain(), 1);
	assert_string_equal(found[0].id, other);
	assert_non_null(trouble);
	assert_non_null(strstr(trouble, id));
	assert_int_equal(listed(), 1);
	assert_non_null(strstr(writ_approvals_note(approvals), id));
}

/* A grant that ended that long ago. */
static void
put_over(const char *old, const char *kind, const char *suffix, uint64_t ago_ms)
{
	struct w_approval_store store;
	struct w_buf body;
	char name[W_APPROVAL_NAME_SIZE];

	assert_int_equal(
	    w_approval_store_open(&store, temp.path, &err), WRIT_OK);
	assert_int_equal(w_approval_store_create(&store, &err), WRIT_OK);
	w_buf_init(&body, 4096);
	w_approval_file_begin(&body, kind, old);
	w_buf_add_fmt(&body,
	    ",\"scope\":\"session\",\"rule\":null,\"agent\":\"local\","
	    "\"session\":\"s1\",\"request_hash\":\"" HASH_A "\",\"at\":%llu,"
	    "\"until\":%llu,\"boot\":\"other\",\"boot_ms\":1,"
	    "\"by\":{\"uid\":0,\"pid\":1}",
	    (unsigned long long)(now_ms() - ago_ms - 60000),
	    (unsigned long long)(now_ms() - ago_ms));
	w_approval_file_name(old, suffix, name);
	assert_int_equal(
	    w_approval_file_write(&store, store.grants_fd, name, &body), 0);
	w_buf_done(&body);
	w_approval_store_close(&store);
}

static void
who_lists_takes_away_grants_that_are_long_over(void **state)
{
	const uint64_t day = 86400000;

	(void)state;
	put_over("0000000000000old", "grant", ".json", day + 60000);
	put_over("0000000000000new", "grant", ".json", day - 60000);
	put_over("000000000000gone", "revoked", ".revoked", day + 60000);
	put_over("000000000000back", "revoked", ".revoked", day - 60000);
	assert_int_equal(find_plain(), 0);
	assert_null(trouble);
	assert_int_equal(listed(), 0);
	assert_false(temp_has(&temp, "grants/0000000000000old.json"));
	assert_true(temp_has(&temp, "grants/0000000000000new.json"));
	assert_false(temp_has(&temp, "grants/000000000000gone.revoked"));
	assert_true(temp_has(&temp, "grants/000000000000back.revoked"));
}

static void
what_another_process_grants_is_noticed_at_once(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 20; i++) {
		ask(id);
		assert_int_equal(answer(id, true, WRIT_SCOPE_SHAPE), WRIT_OK);
		assert_int_equal(find_plain(), i);
	}
	for (size_t i = 20; i > 0; i--) {
		char last[WRIT_APPROVAL_ID_LEN + 1];

		memcpy(last, found[0].id, sizeof(last));
		assert_int_equal(
		    writ_grants_revoke(approvals, last, &err), WRIT_OK);
		assert_int_equal(find_plain(), i - 1);
	}
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, drop_store)
	const struct CMUnitTest tests[] = {
	    CASE(without_a_directory_there_are_none),
	    CASE(a_session_grant_counts_for_this_request_in_this_session),
	    CASE(a_shape_grant_is_a_rule_for_this_agent),
	    CASE(a_grant_ends_with_its_time),
	    CASE(what_is_taken_back_counts_no_more),
	    CASE(a_grant_that_is_missing_is_made_up_for_by_its_use),
	    CASE(a_rule_can_be_edited_and_is_checked),
	    CASE(a_rule_may_be_about_a_part_of_the_request),
	    CASE(a_grant_that_was_edited_is_left_out_and_named),
	    CASE(who_lists_takes_away_grants_that_are_long_over),
	    CASE(what_another_process_grants_is_noticed_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
