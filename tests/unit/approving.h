/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_APPROVING_H
#define W_TEST_APPROVING_H

/* Questions and answers in a fresh state directory. */

#include <sys/wait.h>
#include <time.h>

#include <writ/approval.h>

#include "engine/approval/approvals.h"
#include "temp.h"

#define HASH_A \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B \
	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static struct temp temp;
static writ_approvals *approvals;
static writ_error err;

static inline writ_approvals *
approvals_open(void)
{
	writ_config *config;
	writ_approvals *opened;

	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "state_dir", temp.path, NULL), WRIT_OK);
	assert_int_equal(writ_approvals_open(config, &opened, NULL), WRIT_OK);
	writ_config_free(config);
	return opened;
}

static inline int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	approvals = approvals_open();
	err = (writ_error){0};
	return 0;
}

static inline int
tear_down(void **state)
{
	writ_approvals_free(approvals);
	return temp_tear_down(state);
}

static const struct w_question plain_question = {
    .request_json = "{\"argv\":[\"git\",\"push\"],\"cwd\":\"/srv\"}",
    .decision_json = "{\"decision\":\"ask\"}",
    .rule = "allow: git push ...",
    .request_hash = HASH_A,
    .agent = "local",
    .session = "s1",
    .door = "cli",
};

static inline void
ask_with(const struct w_question *question, char id[WRIT_APPROVAL_ID_LEN + 1])
{
	assert_int_equal(
	    w_approval_submit(temp.path, question, id, &err), WRIT_OK);
}

static inline void
ask(char id[WRIT_APPROVAL_ID_LEN + 1])
{
	ask_with(&plain_question, id);
}

static inline writ_status
answer(const char *id, bool is_approved, writ_scope scope)
{
	writ_answer given = WRIT_ANSWER_INIT;

	given.is_approved = is_approved;
	given.scope = scope;
	return writ_approvals_answer(approvals, id, &given, &err);
}

static inline uint64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static inline struct w_grant_query
query_of(const char *hash)
{
	return (struct w_grant_query){.agent = "local",
	    .session = "s1",
	    .request_hash = hash,
	    .now_ms = now_ms()};
}

static inline writ_status
use(const char *id, const char *hash)
{
	const struct w_grant_query query = query_of(hash);

	return w_approval_use(temp.path, id, &query, &err);
}

static inline writ_approval_state
state_of(const char *id)
{
	writ_approval_state state;

	assert_int_equal(
	    writ_approvals_wait(approvals, id, 0, &state, &err), WRIT_OK);
	return state;
}

/* Whether the JSON of one question holds a text. */
static inline int
shows(const char *id, const char *text)
{
	char *json;

	assert_int_equal(
	    writ_approvals_show(approvals, id, &json, NULL, &err), WRIT_OK);
	int is_there = strstr(json, text) != NULL;
	free(json);
	return is_there;
}

static inline const char *
file_of(const char *id, const char *suffix)
{
	static char names[4][64];
	static unsigned next;
	char *name = names[next++ % 4];

	(void)snprintf(name, 64, "approvals/%s%s", id, suffix);
	return name;
}

#endif /* W_TEST_APPROVING_H */
