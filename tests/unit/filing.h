/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_FILING_H
#define W_TEST_FILING_H

/* An engine under a policy of the test's own, and files that it changes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>

#include <writ/writ.h>

#include "leftovers.h"
#include "own_state.h"
#include "temp.h"

struct filing {
	struct temp temp;
	writ_engine *engine;
	writ_file_request request;
	writ_file_result *result;
	writ_error err;
};

static inline void
filing_engine(struct filing *filing, const char *policy)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_config *config = NULL;

	writ_engine_free(filing->engine);
	assert_int_equal(setenv("WRIT_POLICY", policy, 1), 0);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	options.config = config;
	assert_int_equal(
	    writ_engine_new(&options, &filing->engine, NULL), WRIT_OK);
	writ_config_free(config);
}

/* The text of a policy in a file of its own. */
static inline void
filing_policy(struct filing *filing, const char *text)
{
	(void)unlinkat(filing->temp.fd, "policy.yaml", 0);
	temp_file(&filing->temp, "policy.yaml", 0600, text);
	filing_engine(filing, temp_path(&filing->temp, "policy.yaml"));
}

static inline int
filing_set_up(void **state)
{
	static struct filing filing;
	const writ_file_request standard = WRIT_FILE_REQUEST_INIT;

	filing = (struct filing){.request = standard};
	temp_open(&filing.temp);
	temp_dir(&filing.temp, "d");
	filing_engine(&filing, "manifest");
	*state = &filing;
	return 0;
}

static inline int
filing_tear_down(void **state)
{
	struct filing *filing = *state;

	writ_file_result_free(filing->result);
	writ_engine_free(filing->engine);
	temp_close(&filing->temp);
	return 0;
}

/* A fresh request about d/NAME. */
static inline writ_file_request *
about(struct filing *filing, const char *name)
{
	const writ_file_request standard = WRIT_FILE_REQUEST_INIT;
	static char path[512];

	(void)snprintf(path, sizeof(path), "%s/d/%s", filing->temp.path, name);
	filing->request = standard;
	filing->request.path = path;
	return &filing->request;
}

static inline void
with_content(struct filing *filing, const char *text)
{
	filing->request.content = text;
	filing->request.content_len = strlen(text);
}

static inline writ_status
do_file(struct filing *filing)
{
	writ_file_result_free(filing->result);
	filing->result = NULL;
	filing->err = (writ_error){.message = ""};
	return writ_file(
	    filing->engine, &filing->request, &filing->result, &filing->err);
}

static inline void
done(struct filing *filing)
{
	if (do_file(filing) != WRIT_OK)
		fail_msg("%s", filing->err.message);
}

/* Something was done, in these words. */
static inline void
did(struct filing *filing, const char *what)
{
	done(filing);
	assert_true(filing->result->changed);
	assert_string_equal(filing->result->what, what);
}

static inline void
did_nothing(struct filing *filing)
{
	done(filing);
	assert_false(filing->result->changed);
	assert_null(filing->result->what);
	assert_null(filing->result->run_id);
}

static inline void
refused(struct filing *filing, writ_status status, const char *words)
{
	assert_int_equal(do_file(filing), status);
	if (strstr(filing->err.message, words) == NULL)
		fail_msg("'%s' is not in '%s'", words, filing->err.message);
}

static inline void
assert_text(const struct filing *filing, const char *name, const char *text)
{
	char got[4096];
	int fd = openat(filing->temp.fd, name, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	ssize_t n = read(fd, got, sizeof(got) - 1);
	assert_true(n >= 0);
	(void)close(fd);
	got[n] = '\0';
	assert_string_equal(got, text);
}

static inline mode_t
mode_of(const struct filing *filing, const char *name)
{
	struct stat st;

	assert_int_equal(
	    fstatat(filing->temp.fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st.st_mode & 07777;
}

/* How many entries the directory has. */
static inline int
entries(const struct filing *filing, const char *name)
{
	int fd = openat(filing->temp.fd, name, O_RDONLY | O_DIRECTORY);
	DIR *dir = fdopendir(fd);
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count - 2;
}

#define FILING(test) \
	cmocka_unit_test_setup_teardown(test, filing_set_up, filing_tear_down)

#endif /* W_TEST_FILING_H */
