/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Random runs: undone, the project is what it was before; accepted, it is what
 * the same run makes of it without a layer; and a kill at any moment leaves
 * nothing between.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <time.h>

#include "dice.h"
#include "undoing.h"

enum {
	RUNS = 60,       /* WRIT_UNDO_RUNS: another number */
	KILLS = 60,      /* WRIT_UNDO_KILLS */
	ACTIONS_MAX = 25 /* of one run */
};

struct random_run {
	struct dice dice;
	bool has_links; /* hard links too */
};

static size_t
count_from(const char *name, size_t standard)
{
	const char *text = getenv(name);

	return text == NULL ? standard : strtoul(text, NULL, 10);
}

static void
pick_path(struct dice *dice, char out[64])
{
	static const char *const names[] = {"a", "b", "c", "d\n", "e f", "g"};
	size_t depth = 1 + pick(dice, 3);

	out[0] = '\0';
	while (depth-- > 0) {
		(void)strcat(out, PICK(dice, names));
		if (depth > 0)
			(void)strcat(out, "/");
	}
}

static void
put_text(struct dice *dice, const char *path, int flags)
{
	char text[64];
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | flags, 0644);
	const int len = snprintf(
	    text, sizeof(text), "%llx\n", (unsigned long long)throw_dice(dice));

	if (fd < 0)
		return;
	(void)!write(fd, text, (size_t)len);
	(void)close(fd);
}

static int
remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	(void)remove(path);
	return 0;
}

static void
change_settings(struct random_run *run, const char *path)
{
	/* The last two make a plain run of an ordinary user fail. */
	static const mode_t modes[] = {0700, 0755, 0711, 0770, 0500, 0};
	struct dice *dice = &run->dice;
	const mode_t mode = modes[pick(dice, run->has_links ? 6 : 4)];
	const struct timespec times[2] = {{.tv_sec = 1000000},
	    {.tv_sec = 1000000 + (time_t)pick(dice, 1000)}};
	struct stat st;
	char value[2] = {(char)('a' + (char)pick(dice, 26)), '\0'};

	if (lstat(path, &st) < 0 || S_ISLNK(st.st_mode))
		return;
	switch (pick(dice, 3)) {
	case 0:
		(void)chmod(path, mode);
		break;
	case 1:
		(void)utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
		break;
	default:
		(void)setxattr(path, "user.test", value, 1, 0);
	}
}

/* An existing directory cannot be renamed on a layer. */
static void
rename_file(const char *from, const char *to)
{
	struct stat st;

	if (lstat(from, &st) == 0 && !S_ISDIR(st.st_mode))
		(void)rename(from, to);
}

static void
act(struct random_run *run)
{
	struct dice *dice = &run->dice;
	char path[64], other[64];

	pick_path(dice, path);
	pick_path(dice, other);
	switch (pick(dice, 13)) {
	case 0:
	case 1:
		put_text(dice, path, O_CREAT | O_TRUNC);
		break;
	case 2:
		put_text(dice, path, O_APPEND);
		break;
	case 3:
	case 4:
		(void)mkdir(path, 0755);
		break;
	case 5:
		(void)unlink(path);
		break;
	case 6:
		(void)nftw(path, remove_entry, 8, FTW_PHYS | FTW_DEPTH);
		break;
	case 7:
		rename_file(path, other);
		break;
	case 8:
		(void)!symlink(other, path);
		break;
	case 9:
		if (run->has_links)
			(void)!link(path, other);
		break;
	case 10:
		(void)mkfifo(path, 0644);
		break;
	case 11:
		(void)truncate(path, (off_t)pick(dice, 100000));
		break;
	default:
		change_settings(run, path);
	}
}

static void
act_often(void *ctx)
{
	struct random_run run = *(struct random_run *)ctx;

	for (size_t left = 1 + pick(&run.dice, ACTIONS_MAX); left > 0; left--)
		act(&run);
}

/* The same run without a layer. */
static void
act_plainly(const char *dir, struct random_run *run)
{
	int status;
	const pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)umask(022);
		if (chdir(dir) < 0)
			_exit(1);
		act_often(run);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
run_randomly(struct undo_world *world, struct random_run *run, char out_id[32])
{
	struct w_undo_layer *layer = run_on_layer(world, act_often, run);

	(void)snprintf(out_id, 32, "%s", layer->id);
	w_undo_layer_free(layer);
}

static void
expect_tree(const struct undo_world *world, const char *expected, size_t seed)
{
	W_AUTO_FREE char *found = tree_text(world->project, 0);

	size_t at = 0;
	while (found[at] != '\0' && found[at] == expected[at])
		at++;
	while (at > 0 && found[at - 1] != '\n')
		at--;
	if (strcmp(found, expected) != 0)
		fail_msg("seed %zu: it is '%.99s', not '%.99s'", seed,
		    found + at, expected + at);
}

static void
what_is_undone_is_as_before(void **state)
{
	struct undo_world *world = *state;
	const size_t runs = count_from("WRIT_UNDO_RUNS", RUNS);
	char last[32] = "";

	for (size_t i = 0; i < runs; i++) {
		struct random_run run = {{i}, true};
		W_AUTO_FREE char *before = tree_text(world->project, 0);
		char id[32];

		run_randomly(world, &run, id);
		move_changes(world, id, W_UNDO_AFTER);
		W_AUTO_FREE char *after = tree_text(world->project, 0);
		move_changes(world, id, W_UNDO_BEFORE);
		expect_tree(world, before, i);
		move_changes(world, id, W_UNDO_AFTER);
		expect_tree(world, after, i);
		/* The one before it can still be undone after it. */
		if (last[0] != '\0' && i % 5 == 0) {
			move_changes(world, id, W_UNDO_BEFORE);
			move_changes(world, last, W_UNDO_BEFORE);
			move_changes(world, last, W_UNDO_AFTER);
			move_changes(world, id, W_UNDO_AFTER);
			expect_tree(world, after, i);
		}
		(void)strcpy(last, id);
	}
}

static void
what_is_accepted_is_what_a_plain_run_makes(void **state)
{
	struct undo_world *world = *state;
	const size_t runs = count_from("WRIT_UNDO_RUNS", RUNS);
	char plain[400];

	temp_dir(&world->temp, "plain");
	(void)snprintf(plain, sizeof(plain), "%s/plain", world->temp.path);
	for (size_t i = 0; i < runs; i++) {
		struct random_run run = {{1000000 + i}, false};
		char id[32];

		run_randomly(world, &run, id);
		move_changes(world, id, W_UNDO_AFTER);
		act_plainly(plain, &run);
		W_AUTO_FREE char *found =
		    tree_text(world->project, TREE_IS_TIMELESS);
		W_AUTO_FREE char *expected = tree_text(plain, TREE_IS_TIMELESS);
		if (strcmp(found, expected) != 0)
			fail_msg(
			    "run %zu: it is\n%s, not\n%s", i, found, expected);
	}
}

/* ---- kills ---- */

static void
move_forever(struct undo_world *world, const char *id)
{
	writ_error err;
	int store;

	if (w_change_store_open(world->state, false, &store, &err) != WRIT_OK)
		_exit(1);
	for (unsigned i = 0;; i++) {
		struct w_change_set set = {.dir_fd = -1};

		if (w_change_set_open(store, id, NULL, &set, &err) != WRIT_OK)
			_exit(2);
		if (w_change_set_move(&set,
			i % 2 == 0 ? W_UNDO_AFTER : W_UNDO_BEFORE, NULL,
			&err) != WRIT_OK)
			_exit(3);
		w_change_set_done(&set);
	}
}

/* A path is at one side or the other, never missing and never half. */
static void
a_kill_at_any_moment_loses_nothing(void **state)
{
	struct undo_world *world = *state;
	const size_t kills = count_from("WRIT_UNDO_KILLS", KILLS);
	struct dice dice = {7};
	struct random_run first = {{11}, true}, second = {{12}, true};
	char id[32];

	for (int i = 0; i < 8; i++)
		act_plainly(world->project, &first);
	W_AUTO_FREE char *before = tree_text(world->project, 0);
	run_randomly(world, &second, id);
	move_changes(world, id, W_UNDO_AFTER);
	W_AUTO_FREE char *after = tree_text(world->project, 0);
	move_changes(world, id, W_UNDO_BEFORE);
	expect_tree(world, before, 0);
	for (size_t i = 0; i < kills; i++) {
		const struct timespec pause = {
		    .tv_nsec = (long)pick(&dice, 4000000)};
		int status;
		const pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			move_forever(world, id);
		(void)nanosleep(&pause, NULL);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		/* Opening goes on where it was. */
		W_AUTO_CHANGE_SET struct w_change_set set = {.dir_fd = -1};
		open_changes(world, id, &set);
		const bool is_in =
		    w_change_set_state(&set) == W_CHANGE_ACCEPTED;
		w_change_set_done(&set);
		set = (struct w_change_set){.dir_fd = -1};
		expect_tree(world, is_in ? after : before, i);
		move_changes(world, id, is_in ? W_UNDO_BEFORE : W_UNDO_AFTER);
		expect_tree(world, is_in ? before : after, i);
	}
}

int
main(void)
{
#define CASE(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, undo_world_set_up, undo_world_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(what_is_undone_is_as_before),
	    CASE(what_is_accepted_is_what_a_plain_run_makes),
	    CASE(a_kill_at_any_moment_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
