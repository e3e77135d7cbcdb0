/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/wait.h>

#include "module_dir.h"

static struct temp temp;

static int
set_up(void **state)
{
	return module_begin(&temp, state);
}

static const char *
description_of(const struct w_registry *registry, const char *id)
{
	size_t place = w_registry_find(registry, id);

	assert_int_not_equal(place, SIZE_MAX);
	return w_registry_at(registry, place)->description;
}

static void
unchanged_files_are_not_opened_again(void **state)
{
	const struct w_module *module = NULL;

	(void)state;
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(module_read_count(registry), 0);
	assert_int_equal(w_registry_count(registry), 2);
	assert_string_equal(description_of(registry, "cli.b"), "Says its name");
	assert_string_equal(w_registry_at(registry, 1)->tags[1], "sample");
	assert_int_equal(w_registry_at(registry, 1)->line, 3);
	assert_int_equal(
	    w_registry_module(registry, 1, &module, NULL), WRIT_OK);
	assert_string_equal(module->words.items[1], "cli.b");
	w_registry_free(registry);
}

static void
only_what_has_changed_is_read(void **state)
{
	(void)state;
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	module_put_text(
	    &temp, "mods/b.binding.yaml", module_text("cli.b", "New"));
	module_put(&temp, "mods/c.binding.yaml", "cli.c");
	module_settle();
	struct w_registry *registry = module_load(&temp, "mods");
	assert_int_equal(module_read_count(registry), 2);
	assert_int_equal(w_registry_count(registry), 3);
	assert_string_equal(description_of(registry, "cli.b"), "New");
	assert_string_equal(description_of(registry, "cli.a"), "Says its name");
	w_registry_free(registry);
	assert_int_equal(module_load_count(&temp, "mods"), 0);
}

static void
a_file_that_is_gone_is_gone(void **state)
{
	(void)state;
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(unlinkat(temp.fd, "mods/a.binding.yaml", 0), 0);
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(module_read_count(registry), 0);
	assert_int_equal(w_registry_count(registry), 1);
	assert_int_equal(w_registry_find(registry, "cli.a"), SIZE_MAX);
	w_registry_free(registry);
}

/* Changes a letter in place, and restores the times. */
static void
change_unseen(const char *name, const struct stat *before, char letter)
{
	const struct timespec times[] = {before->st_atim, before->st_mtim};
	int fd = openat(temp.fd, name, O_WRONLY | O_CLOEXEC);
	off_t at =
	    (off_t)(strstr(module_text("cli.a", "Says its name"), "Says") -
		    module_text("cli.a", "Says its name"));

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &letter, 1, at), 1);
	assert_int_equal(futimens(fd, times), 0);
	(void)close(fd);
}

/*
 * Written, read and written again as fast as possible, so that some of it falls
 * into one tick: the next load must see what was written last.
 */
static void
what_is_written_twice_within_a_tick_is_not_missed(void **state)
{
	size_t same_count = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct stat before;
		struct stat after;
		char letter = (char)('A' + i % 26);

		module_put(&temp, "mods/a.binding.yaml", "cli.a");
		assert_int_equal(
		    fstatat(temp.fd, "mods/a.binding.yaml", &before, 0), 0);
		(void)module_load_count(&temp, "mods");
		change_unseen("mods/a.binding.yaml", &before, letter);
		assert_int_equal(
		    fstatat(temp.fd, "mods/a.binding.yaml", &after, 0), 0);
		same_count += before.st_ctim.tv_nsec == after.st_ctim.tv_nsec;

		struct w_registry *registry = module_load(&temp, "mods");
		assert_int_equal(description_of(registry, "cli.a")[0], letter);
		w_registry_free(registry);
	}
	print_message("# %zu of 200 within one tick\n", same_count);
}

static void
a_fresh_file_is_read_again_until_it_has_settled(void **state)
{
	(void)state;
	module_settle();
	module_put(&temp, "mods/b.binding.yaml", "cli.b");
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(module_load_count(&temp, "mods"), 1);
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 1);
	assert_int_equal(module_load_count(&temp, "mods"), 0);
}

static void
a_time_in_the_future_is_never_trusted(void **state)
{
	const struct timespec future[] = {
	    {.tv_sec = time(NULL) + 3600}, {.tv_sec = time(NULL) + 3600}};

	(void)state;
	assert_int_equal(
	    utimensat(temp.fd, "mods/a.binding.yaml", future, 0), 0);
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	/* One with a time in the future can change without being noticed. */
	assert_int_equal(module_load_count(&temp, "mods"), 1);
}

static void
a_file_put_in_the_place_of_another_is_seen(void **state)
{
	struct stat st;

	(void)state;
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(fstatat(temp.fd, "mods/a.binding.yaml", &st, 0), 0);
	module_put_text(
	    &temp, "mods/new", module_text("cli.a", "Other, as long"));
	const struct timespec times[] = {st.st_atim, st.st_mtim};
	assert_int_equal(utimensat(temp.fd, "mods/new", times, 0), 0);
	assert_int_equal(
	    renameat(temp.fd, "mods/new", temp.fd, "mods/a.binding.yaml"), 0);
	struct w_registry *registry = module_load(&temp, "mods");
	assert_int_equal(module_read_count(registry), 1);
	assert_string_equal(
	    description_of(registry, "cli.a"), "Other, as long");
	w_registry_free(registry);
}

/* The path of the one file in the cache. */
static const char *
cache_file(void)
{
	static char path[600];
	DIR *stream = opendir(temp_path(&temp, "cache"));
	const struct dirent *entry;

	assert_non_null(stream);
	while ((entry = readdir(stream)) != NULL) {
		if (entry->d_name[0] != '.')
			(void)snprintf(
			    path, sizeof(path), "cache/%s", entry->d_name);
	}
	(void)closedir(stream);
	return path;
}

/* Gives the first file of the cache its current stat data, as if nothing had
 * changed: the effect of a second change within a tick. */
static void
make_look_the_same(bool is_unsure)
{
	struct w_module_index_file file;
	struct w_module_index_head head;
	struct stat st;
	int fd = openat(temp.fd, cache_file(), O_RDWR | O_CLOEXEC);

	assert_int_equal(pread(fd, &head, sizeof(head), 0), sizeof(head));
	assert_int_equal(
	    pread(fd, &file, sizeof(file), sizeof(head)), sizeof(file));
	assert_int_equal(fstatat(temp.fd, "mods/a.binding.yaml", &st, 0), 0);
	w_stat_data_set(&st, &file.identity);
	file.is_unsure = is_unsure;
	assert_int_equal(
	    pwrite(fd, &file, sizeof(file), sizeof(head)), sizeof(file));
	assert_int_equal(fstat(fd, &st), 0);
	const size_t size = (size_t)st.st_size;
	char *index = malloc(size);
	assert_int_equal(pread(fd, index, size, 0), st.st_size);
	head.checksum =
	    w_module_index_checksum(index + W_MODULE_INDEX_CHECKED_FROM,
		size - W_MODULE_INDEX_CHECKED_FROM);
	assert_int_equal(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	free(index);
	(void)close(fd);
}

static void
what_looks_the_same_is_believed_unless_it_was_fresh(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		bool was_fresh = i == 1;

		module_put(&temp, "mods/a.binding.yaml", "cli.a");
		module_settle();
		(void)module_load_count(&temp, "mods");
		module_put_text(&temp, "mods/a.binding.yaml",
		    module_text("cli.a", "Other, as long"));
		make_look_the_same(was_fresh);
		struct w_registry *registry = module_load(&temp, "mods");
		assert_int_equal(module_read_count(registry), was_fresh);
		assert_string_equal(description_of(registry, "cli.a"),
		    was_fresh ? "Other, as long" : "Says its name");
		w_registry_free(registry);
	}
}

static void
damage_byte(off_t at)
{
	int fd = openat(temp.fd, cache_file(), O_RDWR | O_CLOEXEC);
	unsigned char byte;

	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 0x41;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

static void
check_modules(struct w_registry *registry)
{
	const struct w_module *module = NULL;

	assert_int_equal(w_registry_count(registry), 2);
	for (size_t i = 0; i < 2; i++) {
		const char *id = i == 0 ? "cli.a" : "cli.b";

		assert_int_equal(
		    w_registry_module(registry, i, &module, NULL), WRIT_OK);
		assert_string_equal(module->id, id);
		assert_string_equal(module->words.items[1], id);
		assert_string_equal(module->description, "Says its name");
	}
}

/* Where the texts are in the cache. */
static off_t
texts_at(const struct w_registry *registry)
{
	const struct w_module_index *index =
	    &registry->module_dirs[0].module_index;

	return (off_t)(index->texts - (const char *)index->bytes);
}

static void
a_cache_damaged_anywhere_is_made_anew(void **state)
{
	struct stat st;

	(void)state;
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(fstatat(temp.fd, cache_file(), &st, 0), 0);
	for (off_t at = 0; at < st.st_size; at++) {
		damage_byte(at);
		struct w_registry *registry = module_load(&temp, "mods");
		check_modules(registry);
		assert_int_equal(module_read_count(registry), 2);
		w_registry_free(registry);
	}
	assert_int_equal(module_load_count(&temp, "mods"), 0);
}

/* Unchanged files are copied from the old cache, unless it is damaged. */
static void
a_damaged_text_is_not_carried_over(void **state)
{
	(void)state;
	module_settle();
	struct w_registry *registry = module_load(&temp, "mods");
	damage_byte(texts_at(registry) + 2);
	w_registry_free(registry);
	module_put(&temp, "mods/c.binding.yaml", "cli.c");
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 3);
	assert_int_equal(module_load_count(&temp, "mods"), 0);
}

static void
a_module_whose_text_is_lost_with_its_file_is_an_error(void **state)
{
	const struct w_module *module = NULL;
	writ_error err = {0};

	(void)state;
	module_settle();
	(void)module_load_count(&temp, "mods");
	struct w_registry *registry = module_load(&temp, "mods");
	damage_byte(texts_at(registry) + 2);
	module_put(&temp, "mods/a.binding.yaml", "cli.other");
	/* This process has read it before. */
	assert_int_equal(
	    w_registry_module(registry, 0, &module, &err), WRIT_OK);
	w_registry_free(registry);
	registry = module_load(&temp, "mods");
	assert_int_equal(w_registry_find(registry, "cli.a"), SIZE_MAX);
	w_registry_free(registry);
}

static void
a_cache_that_cannot_be_written_is_no_harm(void **state)
{
	(void)state;
	module_settle();
	temp_file(&temp, "cache", 0600, "in the way");
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(module_load_count(&temp, "mods"), 2);
}

static void
a_cache_directory_that_may_not_be_written_is_no_harm(void **state)
{
	(void)state;
	if (geteuid() == 0)
		skip();
	module_settle();
	assert_int_equal(mkdirat(temp.fd, "cache", 0500), 0);
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(module_load_count(&temp, "mods"), 2);
}

static void
nothing_is_written_when_nothing_is_new(void **state)
{
	struct stat before;
	struct stat after;

	(void)state;
	module_settle();
	module_put(&temp, "mods/b.binding.yaml", "cli.b");
	(void)module_load_count(&temp, "mods");
	assert_int_equal(fstatat(temp.fd, cache_file(), &before, 0), 0);
	assert_int_equal(module_load_count(&temp, "mods"), 1);
	assert_int_equal(fstatat(temp.fd, cache_file(), &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void
an_empty_directory_is_remembered_as_well(void **state)
{
	(void)state;
	temp_dir(&temp, "none");
	struct w_registry *registry = module_load(&temp, "none");
	assert_int_equal(w_registry_count(registry), 0);
	w_registry_free(registry);
	assert_true(temp_has(&temp, cache_file()));
}

/* Some threads write files, others load: every load must see whole modules. */
static void
loads_side_by_side_do_not_disturb_each_other(void **state)
{
	pid_t pids[6];

	(void)state;
	for (int i = 0; i < 6; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] != 0)
			continue;
		for (int round = 0; round < 40; round++) {
			char name[40];

			(void)snprintf(
			    name, sizeof(name), "mods/p%d.binding.yaml", i);
			if (i < 2)
				module_put(
				    &temp, name, i == 0 ? "cli.p0" : "cli.p1");
			struct w_registry *registry =
			    module_load(&temp, "mods");
			size_t place = w_registry_find(registry, "cli.b");
			const struct w_module *module = NULL;

			if (place == SIZE_MAX ||
			    w_registry_module(registry, place, &module, NULL) !=
				WRIT_OK ||
			    strcmp(module->id, "cli.b") != 0)
				_exit(1);
			w_registry_free(registry);
		}
		_exit(0);
	}
	for (int i = 0; i < 6; i++) {
		int status = -1;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	module_settle();
	struct w_registry *registry = module_load(&temp, "mods");
	assert_int_equal(w_registry_count(registry), 4);
	w_registry_free(registry);
	assert_int_equal(module_load_count(&temp, "mods"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(unchanged_files_are_not_opened_again),
	    TEST(only_what_has_changed_is_read),
	    TEST(a_file_that_is_gone_is_gone),
	    TEST(what_is_written_twice_within_a_tick_is_not_missed),
	    TEST(a_fresh_file_is_read_again_until_it_has_settled),
	    TEST(what_looks_the_same_is_believed_unless_it_was_fresh),
	    TEST(a_time_in_the_future_is_never_trusted),
	    TEST(a_file_put_in_the_place_of_another_is_seen),
	    TEST(a_cache_damaged_anywhere_is_made_anew),
	    TEST(a_damaged_text_is_not_carried_over),
	    TEST(a_module_whose_text_is_lost_with_its_file_is_an_error),
	    TEST(a_cache_that_cannot_be_written_is_no_harm),
	    TEST(a_cache_directory_that_may_not_be_written_is_no_harm),
	    TEST(nothing_is_written_when_nothing_is_new),
	    TEST(an_empty_directory_is_remembered_as_well),
	    TEST(loads_side_by_side_do_not_disturb_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
