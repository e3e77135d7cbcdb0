/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_CONFINING_H
#define W_TEST_CONFINING_H

/* A home with a project in it, and profiles made definite there. */

#include "sandbox/profile/resolved_profile.h"
#include "temp.h"

static struct temp temp;
static char cwd[300], home[300], state_dir[300];

/* home/project is the working directory; the state directory does not exist
 * until a test makes it. */
static inline int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	temp_dir(&temp, "home");
	temp_dir(&temp, "home/project");
	temp_dir(&temp, "home/project/sub");
	temp_dir(&temp, "other");
	temp_file(&temp, "other/file", 0600, "text");
	(void)snprintf(cwd, sizeof(cwd), "%s/home/project", temp.path);
	(void)snprintf(home, sizeof(home), "%s/home", temp.path);
	(void)snprintf(
	    state_dir, sizeof(state_dir), "%s/home/state/writ", temp.path);
	return 0;
}

static inline struct w_profile_context
context_here(void)
{
	return (struct w_profile_context){
	    .cwd = cwd, .home = home, .state_dir = state_dir};
}

static inline struct w_profile
builtin(enum w_walls walls)
{
	struct w_profile profile;
	writ_error err;

	assert_int_equal(w_profile_builtin(walls, &profile, &err), WRIT_OK);
	return profile;
}

static inline void
add(struct w_words *words, const char *text)
{
	assert_true(w_words_add(words, text, strlen(text)));
}

static inline void
resolve_with(const struct w_profile *profile,
    const struct w_profile_context *context, struct w_resolved_profile *out)
{
	writ_error err = {.message = ""};
	writ_status status = w_profile_resolve(profile, context, out, &err);

	assert_string_equal(err.message, "");
	assert_int_equal(status, WRIT_OK);
}

static inline void
resolve(enum w_walls walls, struct w_resolved_profile *out)
{
	struct w_profile_context context = context_here();
	struct w_profile profile = builtin(walls);

	resolve_with(&profile, &context, out);
	w_profile_done(&profile);
}

static inline void
expect_refused(const struct w_profile *profile,
    const struct w_profile_context *context, const char *part)
{
	struct w_resolved_profile resolved = {.profile = NULL};
	writ_error err = {.message = ""};

	assert_int_equal(w_profile_resolve(profile, context, &resolved, &err),
	    WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' does not have '%s'", err.message, part);
	assert_null(resolved.profile);
}

/* Refused with these walls when the request adds path to one list. */
static inline void
expect_bad_request(
    enum w_walls walls, const char *list, const char *path, const char *part)
{
	struct w_profile profile = builtin(walls);
	struct w_profile_context context = context_here();
	const char *paths[] = {path, NULL};

	if (strcmp(list, "read") == 0)
		context.read = paths;
	else if (strcmp(list, "write") == 0)
		context.write = paths;
	else
		context.hide = paths;
	expect_refused(&profile, &context, part);
	w_profile_done(&profile);
}

static inline const struct w_real_path *
find(const struct w_real_paths *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++) {
		if (strcmp(places->items[i].path, path) == 0)
			return &places->items[i];
	}
	return NULL;
}

static inline bool
has_word(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

#endif /* W_TEST_CONFINING_H */
