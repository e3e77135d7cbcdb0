/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "undo/change_owner.h"
#include "undoing.h"

#define WEEK_MS (UINT64_C(7) * 24 * 3600 * 1000)

/* "made a", "deleted b", ...: all but the settings of directories that did not
 * change. */
static char *
changes_text(struct undo_world *world, const char *id)
{
	static const char *const words[] = {[W_UNDO_MADE] = "made",
	    [W_UNDO_REPLACED] = "replaced",
	    [W_UNDO_DELETED] = "deleted",
	    [W_UNDO_SETTINGS] = "settings",
	    [W_UNDO_MEMBER] = "member"};
	W_AUTO_CHANGE_SET struct w_change_set set = {.dir_fd = -1};
	struct w_buf out;

	open_changes(world, id, &set);
	w_buf_init(&out, 1 << 20);
	for (size_t i = 0; i < set.list.count; i++) {
		const struct w_undo_change *change = &set.list.items[i];

		if (change->kind == W_UNDO_SETTINGS &&
		    !w_undo_settings_differ(change))
			continue;
		w_buf_add_fmt(&out, "%s %s%s%s\n", words[change->kind],
		    change->path,
		    change->trouble == W_UNDO_CONFLICT ? " conflict" : "",
		    change->trouble == W_UNDO_FAILED ? " failed" : "");
	}
	return w_buf_take(&out, NULL);
}

#define assert_changes(world, id, expected)                             \
	do {                                                            \
		W_AUTO_FREE char *found_ = changes_text((world), (id)); \
		assert_string_equal(found_, (expected));                \
	} while (0)

/* Accepted, undone, redone, undone: each time the tree is what it was. */
static void
check_there_and_back(struct undo_world *world, const char *text)
{
	W_AUTO_FREE char *before = tree_text(world->project, 0);
	char id[32];

	run_and_accept(world, text, id);
	W_AUTO_FREE char *after = tree_text(world->project, 0);
	move_changes(world, id, W_UNDO_BEFORE);
	assert_tree(world, before);
	move_changes(world, id, W_UNDO_AFTER);
	assert_tree(world, after);
	move_changes(world, id, W_UNDO_BEFORE);
	assert_tree(world, before);
}

static void
a_list_names_what_changed(void **state)
{
	struct undo_world *world = *state;
	char id[32];

	in_project(world, "mkdir -p d/e gone; echo 1 >d/a; echo 2 >gone/x; "
			  "echo 3 >keep; echo 4 >d/e/deep");
	run_and_accept(world,
	    "echo new >fresh; echo more >>d/a; rm -r gone; "
	    "chmod 700 d/e; mkdir -p n/m; : >n/m/f",
	    id);
	assert_changes(world, id,
	    "replaced d/a\nsettings d/e\nmade fresh\ndeleted gone\n"
	    "member gone/x\nmade n\nmember n/m\nmember n/m/f\n");
}

static void
all_kinds_of_changes_go_there_and_back(void **state)
{
	struct undo_world *world = *state;

	in_project(world,
	    "mkdir -p d/e/f; echo a >d/a; echo b >d/b; ln d/a d/hard; "
	    "ln -s a d/link; mkfifo d/fifo; echo x >'d/new\nline'; "
	    "truncate -s 10M d/sparse; chmod 555 d/e/f; mkdir empty; "
	    "touch -d 2001-01-01 d/b d/e .");
	check_there_and_back(world, "rm -rf d empty");
	check_there_and_back(world, "rm -rf d; mkdir d; echo z >d/a");
	check_there_and_back(world, "echo more >>d/a; chmod 600 d/b");
	check_there_and_back(world, "rm d/link; mkdir d/link; : >d/link/x");
	check_there_and_back(world, "rm -r d/e; echo file >d/e");
	check_there_and_back(world, "mv d/a a; ln d/b c; mkfifo p; rm d/fifo");
	check_there_and_back(world, "chmod 711 .; chmod 700 d; touch d/e");
	/* What cannot be looked into is held back. */
	if (geteuid() == 0)
		check_there_and_back(world,
		    "mkdir -p n/m; : >n/m/f; chmod 0 n/m/f; "
		    "chmod 500 n/m; chmod 0 n");
	check_there_and_back(world, "rm 'd/new\nline'; echo >'o\n\\ther'");
	check_there_and_back(world, "echo end >>d/sparse");
	check_there_and_back(world, "true");
}

static void
what_is_accepted_carries_no_mark_of_the_layer(void **state)
{
	struct undo_world *world = *state;
	char id[32];

	in_project(world, "mkdir d; echo 1 >d/a; chmod 444 d/a; mkdir o");
	run_and_accept(
	    world, "mv d/a d/b; rm -r o; mkdir -p o/p/q; chmod 555 o/p", id);
	W_AUTO_FREE char *text = tree_text(world->project, 0);
	assert_null(strstr(text, "overlay"));
	in_project(world, "chmod 755 o/p");
}

static void
an_edit_by_somebody_is_kept(void **state)
{
	struct undo_world *world = *state;
	char id[32];

	in_project(world, "echo 1 >a; echo 1 >b; mkdir d; echo 1 >d/x");
	run_and_accept(world, "echo 2 >a; echo 2 >b; rm -r d", id);
	in_project(world, "echo mine >a; mkdir d; echo mine >d/y");
	move_changes(world, id, W_UNDO_BEFORE);
	in_project(world, "test \"$(cat a b d/y)\" = 'mine\n1\nmine'");
	assert_changes(world, id,
	    "replaced a conflict\nreplaced b\ndeleted d conflict\n"
	    "member d/x\n");
}

static void
an_edit_during_the_run_is_kept(void **state)
{
	struct undo_world *world = *state;
	char edit[512];

	in_project(world, "echo 1 >a; echo 1 >b; mkdir d; echo 1 >d/x");
	(void)snprintf(edit, sizeof(edit), "echo 2 >a; echo 2 >b; rm -r d");
	struct w_undo_layer *layer = run_on_layer(world, shell, edit);
	in_project(world, "echo mine >a; echo mine >d/x; echo mine >c");
	char *id = strdup(layer->id);
	w_undo_layer_free(layer);
	move_changes(world, id, W_UNDO_AFTER);
	in_project(world, "test \"$(cat a b d/x)\" = 'mine\n2\nmine'");
	assert_changes(world, id,
	    "replaced a conflict\nreplaced b\ndeleted d conflict\n"
	    "member d/x\n");
	free(id);
}

static void
an_edit_that_hides_its_time_is_kept(void **state)
{
	struct undo_world *world = *state;
	char id[32];

	in_project(world, "echo 1 >a");
	run_and_accept(world, "echo 2 >a", id);
	in_project(world, "touch -r a ../t; echo 3 >a; touch -r ../t a");
	move_changes(world, id, W_UNDO_BEFORE);
	in_project(world, "test \"$(cat a)\" = 3");
	assert_changes(world, id, "replaced a conflict\n");
}

static void
runs_are_a_stack(void **state)
{
	struct undo_world *world = *state;
	char one[32], two[32], three[32];

	in_project(world, "echo 0 >a; mkdir d; echo 0 >d/x");
	W_AUTO_FREE char *before = tree_text(world->project, 0);
	run_and_accept(world, "echo 1 >a; echo 1 >d/x", one);
	run_and_accept(world, "echo 2 >a; rm -r d", two);
	run_and_accept(world, "rm a; mkdir d; echo 3 >d/x", three);
	/* The newest is in the way. */
	move_changes(world, one, W_UNDO_BEFORE);
	in_project(world, "test \"$(cat d/x)\" = 3 && test ! -e a");
	move_changes(world, three, W_UNDO_BEFORE);
	move_changes(world, two, W_UNDO_BEFORE);
	move_changes(world, one, W_UNDO_BEFORE);
	assert_tree(world, before);
	move_changes(world, one, W_UNDO_AFTER);
	move_changes(world, two, W_UNDO_AFTER);
	move_changes(world, three, W_UNDO_AFTER);
	in_project(world, "test \"$(cat d/x)\" = 3 && test ! -e a");
	move_changes(world, three, W_UNDO_BEFORE);
	move_changes(world, two, W_UNDO_BEFORE);
	move_changes(world, one, W_UNDO_BEFORE);
	assert_tree(world, before);
}

static void
extended_attributes_go_there_and_back(void **state)
{
	struct undo_world *world = *state;
	char path[512];

	in_project(world, "mkdir d; echo 1 >a");
	(void)snprintf(path, sizeof(path), "%s/d", world->project);
	if (setxattr(path, "user.one", "1", 1, 0) < 0)
		skip();
	(void)snprintf(path, sizeof(path), "%s/a", world->project);
	assert_int_equal(setxattr(path, "user.one", "1", 1, 0), 0);
	check_there_and_back(world,
	    "python3 -c 'import os\n"
	    "os.setxattr(\"d\", \"user.two\", b\"2\")\n"
	    "os.removexattr(\"d\", \"user.one\")\n"
	    "os.setxattr(\"a\", \"user.one\", b\"x\")'");
}

static void
what_is_above_the_limits_is_removed(void **state)
{
	struct undo_world *world = *state;
	char one[32], two[32], waiting[32], edit[64];
	struct w_words ids = {0};

	in_project(world, "echo 0 >a");
	run_and_accept(world, "echo 1 >a", one);
	(void)snprintf(edit, sizeof(edit), "echo 9 >z");
	struct w_undo_layer *layer = run_on_layer(world, shell, edit);
	(void)snprintf(waiting, sizeof(waiting), "%s", layer->id);
	run_and_accept(world, "head -c 100000 /dev/zero >a", two);
	run_and_accept(world, "echo 3 >a", two);
	w_change_store_prune(world->store,
	    &(struct w_change_limits){.bytes_max = 120000, .age_ms = WEEK_MS});
	w_undo_layer_free(layer);
	assert_int_equal(
	    w_change_store_list(world->store, &ids, NULL), WRIT_OK);
	assert_int_equal(ids.count, 4);
	w_words_done(&ids);
	w_change_store_prune(world->store,
	    &(struct w_change_limits){.bytes_max = 5000, .age_ms = WEEK_MS});
	assert_int_equal(
	    w_change_store_list(world->store, &ids, NULL), WRIT_OK);
	assert_int_equal(ids.count, 1);
	assert_string_equal(ids.items[0], waiting);
	w_words_done(&ids);
}

static void
assert_kept(const struct undo_world *world, size_t count)
{
	W_AUTO_WORDS struct w_words ids = {0};

	assert_int_equal(
	    w_change_store_list(world->store, &ids, NULL), WRIT_OK);
	assert_int_equal(ids.count, count);
}

/* Neither too much nor too old; and what would not fit beside it is told. */
static void
what_a_live_session_replaced_stays(void **state)
{
	const struct w_change_limits little = {.bytes_max = 5000};
	const struct w_change_limits much = {
	    .bytes_max = 200000, .age_ms = WEEK_MS};
	struct undo_world *world = *state;
	struct w_undo_owner owner = W_UNDO_OWNER_INIT;
	char id[32];

	assert_int_equal(
	    w_undo_owner_open(&owner, world->state, NULL), WRIT_OK);
	assert_true(w_undo_owner_lives(world->store, owner.id));
	in_project(world, "head -c 100000 /dev/zero >a");
	run_and_accept(world, "echo 0 >z", id);
	world->owner = owner.id;
	run_and_accept(world, "rm a", id);
	w_change_store_prune(world->store, &little);
	assert_kept(world, 1);
	assert_true(w_change_store_fits(world->store, &much, 50000));
	assert_false(w_change_store_fits(world->store, &much, 150000));
	assert_false(w_change_store_fits(world->store, &little, 1));
	assert_true(w_change_store_fits(world->store, &little, 0));
	w_undo_owner_close(&owner);
	assert_true(w_change_store_fits(world->store, &much, 150000));
	w_change_store_prune(world->store, &little);
	assert_kept(world, 0);
}

/* A name in place of an owner; whether it lives is somebody else's word. */
static bool
is_named(void *ctx, const char *session)
{
	return strcmp(session, ctx) == 0;
}

static void
what_a_held_session_replaced_stays(void **state)
{
	struct undo_world *world = *state;
	char name[] = "work.2";
	const struct w_change_limits limits = {
	    .bytes_max = 1, .lives = is_named, .ctx = name};
	char id[32];

	in_project(world, "echo 1 >a");
	world->session = name;
	run_and_accept(world, "rm a", id);
	w_change_store_prune(world->store, &limits);
	assert_kept(world, 1);
	name[0] = 'x';
	w_change_store_prune(world->store, &limits);
	assert_kept(world, 0);
}

static void
the_file_of_a_killed_owner_is_removed(void **state)
{
	const struct w_change_limits limits = {.bytes_max = 1};
	struct undo_world *world = *state;
	struct w_undo_owner owner = W_UNDO_OWNER_INIT;

	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		const writ_status status =
		    w_undo_owner_open(&owner, world->state, NULL);

		_exit(status == WRIT_OK ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	in_project(world, "test -e ../state/undo/live.*");
	w_change_store_prune(world->store, &limits);
	in_project(world, "test -z \"$(ls -A ../state/undo)\"");
}

static void
places_outside_are_not_reached_by_links(void **state)
{
	struct undo_world *world = *state;
	char id[32];

	temp_dir(&world->temp, "outside");
	temp_file(&world->temp, "outside/f", 0600, "1");
	in_project(world, "mkdir d; echo 1 >d/f");
	run_and_accept(world, "echo 2 >d/f; echo 2 >d/g", id);
	in_project(world, "mv d e; ln -s ../outside d");
	move_changes(world, id, W_UNDO_BEFORE);
	in_project(world, "test \"$(ls ../outside)\" = f && test -e e/g");
	assert_changes(world, id, "replaced d/f conflict\nmade d/g conflict\n");
}

int
main(void)
{
#define CASE(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, undo_world_set_up, undo_world_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_list_names_what_changed),
	    CASE(all_kinds_of_changes_go_there_and_back),
	    CASE(what_is_accepted_carries_no_mark_of_the_layer),
	    CASE(an_edit_by_somebody_is_kept),
	    CASE(an_edit_during_the_run_is_kept),
	    CASE(an_edit_that_hides_its_time_is_kept),
	    CASE(runs_are_a_stack),
	    CASE(extended_attributes_go_there_and_back),
	    CASE(what_is_above_the_limits_is_removed),
	    CASE(what_a_live_session_replaced_stays),
	    CASE(what_a_held_session_replaced_stays),
	    CASE(the_file_of_a_killed_owner_is_removed),
	    CASE(places_outside_are_not_reached_by_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
