/* SPDX-License-Identifier: Apache-2.0 */

/* Files that reach the disk together. */

#include "filing.h"

enum {
	MANY = 20
};

static struct committed {
	size_t count;
	size_t failed[MANY];
	size_t failures;
} committed;

static void
on_done(void *ctx, size_t index, const writ_error *failure)
{
	assert_ptr_equal(ctx, &committed);
	assert_int_equal(index, committed.count);
	committed.count++;
	if (failure != NULL)
		committed.failed[committed.failures++] = index;
}

static writ_file_batch *
new_batch(struct filing *filing)
{
	writ_file_batch *batch = NULL;

	committed = (struct committed){.count = 0};
	assert_int_equal(
	    writ_file_batch_new(filing->engine, &batch, NULL), WRIT_OK);
	return batch;
}

static void
put(struct filing *filing, writ_file_batch *batch, const char *name,
    const char *text)
{
	about(filing, name)->batch = batch;
	with_content(filing, text);
	done(filing);
}

static void
files_have_their_names_after_the_commit(void **state)
{
	struct filing *filing = *state;
	writ_file_batch *batch = new_batch(filing);
	char name[16];

	temp_file(&filing->temp, "d/f3", 0604, "old\n");
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "f%d", i);
		put(filing, batch, name, "hello\n");
		assert_true(filing->result->pending);
		assert_true(filing->result->changed);
		assert_non_null(filing->result->run_id);
		assert_string_equal(filing->result->after.ensure, "present");
		assert_int_equal(filing->result->after.size, 6);
		assert_true(filing->result->after.mtime > 0);
	}
	assert_int_equal(entries(filing, "d"), 1);
	assert_text(filing, "d/f3", "old\n");
	writ_file_batch_commit(batch, false, on_done, &committed);
	assert_int_equal(committed.count, MANY);
	assert_int_equal(committed.failures, 0);
	assert_int_equal(entries(filing, "d"), MANY);
	assert_text(filing, "d/f3", "hello\n");
	assert_int_equal(mode_of(filing, "d/f3"), 0604);
	assert_text(filing, "d/f19", "hello\n");
	/* It can be used again. */
	committed.count = 0;
	put(filing, batch, "again", "x");
	writ_file_batch_commit(batch, false, on_done, &committed);
	assert_int_equal(committed.count, 1);
	assert_text(filing, "d/again", "x");
	writ_file_batch_free(batch);
}

static void
what_has_no_new_content_or_has_secrets_is_done_at_once(void **state)
{
	static const char *const secrets[] = {"hush", NULL};
	struct filing *filing = *state;
	writ_file_batch *batch = new_batch(filing);

	temp_file(&filing->temp, "d/mode", 0600, "x");
	about(filing, "mode")->mode = WRIT_FILE_MODE(0644);
	filing->request.batch = batch;
	did(filing, "updated attributes");
	assert_false(filing->result->pending);
	about(filing, "secret")->secrets = secrets;
	filing->request.batch = batch;
	with_content(filing, "x");
	done(filing);
	assert_false(filing->result->pending);
	about(filing, "hidden")->hide_content = true;
	filing->request.batch = batch;
	with_content(filing, "x");
	done(filing);
	assert_false(filing->result->pending);
	about(filing, "dir")->ensure = WRIT_FILE_DIRECTORY;
	filing->request.batch = batch;
	done(filing);
	assert_false(filing->result->pending);
	assert_int_equal(entries(filing, "d"), 4);
	writ_file_batch_commit(batch, false, on_done, &committed);
	assert_int_equal(committed.count, 0);
	writ_file_batch_free(batch);
}

static void
a_file_that_somebody_made_meanwhile_is_not_replaced(void **state)
{
	struct filing *filing = *state;
	writ_file_batch *batch = new_batch(filing);

	put(filing, batch, "a", "1");
	put(filing, batch, "b", "1");
	put(filing, batch, "c", "1");
	temp_file(&filing->temp, "d/b", 0600, "theirs");
	writ_file_batch_commit(batch, false, on_done, &committed);
	assert_int_equal(committed.count, 3);
	assert_int_equal(committed.failures, 1);
	assert_int_equal(committed.failed[0], 1);
	assert_text(filing, "d/b", "theirs");
	assert_text(filing, "d/c", "1");
	writ_file_batch_free(batch);
}

static void
with_stop_those_behind_a_failure_are_dropped(void **state)
{
	struct filing *filing = *state;
	writ_file_batch *batch = new_batch(filing);

	put(filing, batch, "a", "1");
	put(filing, batch, "b", "1");
	put(filing, batch, "c", "1");
	temp_file(&filing->temp, "d/b", 0600, "theirs");
	writ_file_batch_commit(batch, true, on_done, &committed);
	assert_int_equal(committed.count, 2);
	assert_int_equal(committed.failures, 1);
	assert_int_equal(entries(filing, "d"), 2);
	assert_text(filing, "d/a", "1");
	writ_file_batch_free(batch);
}

static void
what_is_not_committed_leaves_nothing(void **state)
{
	struct filing *filing = *state;
	writ_file_batch *batch = new_batch(filing);

	/* The engine opens its trail with the first. */
	put(filing, NULL, "first", "1");
	const int fds = count_fds();
	put(filing, batch, "a", "1");
	put(filing, batch, "b", "1");
	assert_true(count_fds() > fds);
	writ_file_batch_free(batch);
	assert_int_equal(entries(filing, "d"), 1);
	assert_int_equal(count_fds(), fds);
	writ_file_batch_free(NULL);
}

static void
a_full_batch_does_the_next_at_once(void **state)
{
	struct filing *filing = *state;
	writ_file_batch *batch = new_batch(filing);
	char name[16];
	int pending = 0;

	for (int i = 0; i < 300; i++) {
		(void)snprintf(name, sizeof(name), "f%d", i);
		put(filing, batch, name, "x");
		pending += filing->result->pending;
	}
	assert_in_range(pending, 1, 256);
	assert_int_equal(entries(filing, "d"), 300 - pending);
	writ_file_batch_commit(batch, false, NULL, NULL);
	assert_int_equal(entries(filing, "d"), 300);
	writ_file_batch_free(batch);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    FILING(files_have_their_names_after_the_commit),
	    FILING(what_has_no_new_content_or_has_secrets_is_done_at_once),
	    FILING(a_file_that_somebody_made_meanwhile_is_not_replaced),
	    FILING(with_stop_those_behind_a_failure_are_dropped),
	    FILING(what_is_not_committed_leaves_nothing),
	    FILING(a_full_batch_does_the_next_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
