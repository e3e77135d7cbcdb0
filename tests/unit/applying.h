/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_APPLYING_H
#define W_TEST_APPLYING_H

/* Applying manifests in tests: text in, events out, with real processes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#include <writ/writ.h>

#include "base/buf.h"
#include "leftovers.h"
#include "manifest/apply/apply.h"
#include "manifest/facts/facts.h"
#include "own_state.h"
#include "temp.h"

enum {
	EVENTS_MAX = 64
};

/* What an apply reported. Set options and watch before it. */
static struct applying {
	struct temp temp;
	writ_engine *engine;
	struct w_manifest_session *session;
	struct w_apply_options options;
	struct w_apply_watch watch;
	struct w_apply_result result;
	yyjson_doc *events[EVENTS_MAX];
	size_t count;
	struct w_buf output[2];
	struct w_buf trace; /* "o" and "e": order of the streams */
	bool knows_all; /* references of all kinds are found in the session */
	int fds;
} applying;

static inline void
applying_on_event(void *ctx, const writ_event *event)
{
	(void)ctx;
	assert_true(applying.count < EVENTS_MAX);
	yyjson_doc *doc = yyjson_read(event->json, event->json_len, 0);
	assert_non_null(doc);
	applying.events[applying.count++] = doc;
}

static inline void
applying_on_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	(void)ctx;
	w_buf_add(&applying.output[stream], bytes, len);
	w_buf_add_char(&applying.trace, stream == WRIT_STDOUT ? 'o' : 'e');
}

static inline int
applying_set_up(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	(void)setenv("WRIT_POLICY", "manifest", 1);
	applying = (struct applying){.options.watch = &applying.watch};
	temp_open(&applying.temp);
	applying.fds = count_fds();
	applying.watch = (struct w_apply_watch){
	    .on_output = applying_on_output,
	    .on_event = applying_on_event,
	    .wake_fd = -1,
	    .tick_ms = -1,
	};
	for (int i = 0; i < 2; i++)
		w_buf_init(&applying.output[i], SIZE_MAX / 2);
	w_buf_init(&applying.trace, SIZE_MAX / 2);
	options.door = "manifest";
	assert_int_equal(
	    writ_engine_new(&options, &applying.engine, NULL), WRIT_OK);
	assert_int_equal(
	    w_manifest_session_new_in_memory(&applying.session, NULL), WRIT_OK);
	return 0;
}

static inline void
applying_forget(void)
{
	for (size_t i = 0; i < applying.count; i++)
		yyjson_doc_free(applying.events[i]);
	applying.count = 0;
	for (int i = 0; i < 2; i++)
		w_buf_done(&applying.output[i]);
	w_buf_done(&applying.trace);
}

static inline int
applying_tear_down(void **state)
{
	(void)state;
	applying_forget();
	w_manifest_session_free(applying.session);
	writ_engine_free(applying.engine);
	const bool is_clean = !has_child() && count_fds() == applying.fds;
	temp_close(&applying.temp);
	return is_clean ? 0 : -1;
}

/* A session as for a new apply: without events. */
static inline void
applying_again(void)
{
	applying_forget();
	w_manifest_session_free(applying.session);
	assert_int_equal(
	    w_manifest_session_new_in_memory(&applying.session, NULL), WRIT_OK);
}

/* The text of a manifest, with the directory of the test for every '@'. */
static inline char *
applying_text(const char *text)
{
	W_AUTO_BUF struct w_buf made;

	w_buf_init(&made, SIZE_MAX / 2);
	for (; *text != '\0'; text++) {
		if (*text == '@')
			w_buf_add_str(&made, applying.temp.path);
		else
			w_buf_add_char(&made, *text);
	}
	return w_buf_take(&made, NULL);
}

static inline bool
applying_knows(void *ctx, const char *type, const char *name)
{
	(void)ctx;
	(void)type;
	(void)name;
	return true;
}

static inline struct w_manifest *
applying_read(const char *text, const struct w_expr_scope *scope)
{
	const struct w_manifest_input input = {
	    .file = "m.yaml",
	    .dir = applying.temp.path,
	    .text = text,
	    .len = strlen(text),
	    .scope = scope,
	    .knows = applying.knows_all ? applying_knows : NULL,
	};
	struct w_faults faults = {.count = 0};
	struct w_manifest *manifest = NULL;
	writ_error err = {0};

	if (w_manifest_read(&input, &faults, &manifest, &err) != WRIT_OK)
		fail_msg("%u:%u: %s", err.line, err.column, err.message);
	w_faults_done(&faults);
	return manifest;
}

static inline writ_status
try_apply(const char *template, writ_error *err)
{
	char *text = applying_text(template);
	const struct w_facts_options none = {.files = NULL};
	struct w_facts_scope *facts = NULL;
	struct w_manifest_scope scope;

	assert_int_equal(w_facts_scope_new(&none, &facts, NULL), WRIT_OK);
	struct w_manifest *manifest =
	    applying_read(text, w_facts_scope_get(facts));
	w_manifest_scope_init(&scope, manifest, w_facts_scope_get(facts));
	writ_status status =
	    w_apply(applying.engine, manifest, applying.session, &scope.scope,
		&applying.options, &applying.result, err);
	w_manifest_free(manifest);
	w_facts_scope_free(facts);
	free(text);
	return status;
}

/* Applies a manifest; '@' in it is the directory of the test. */
static inline void
apply(const char *template)
{
	writ_error err = {0};

	if (try_apply(template, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

/* The resources of a manifest; each line is indented here. */
#define RESOURCES(text) "ccm:\n  resources:\n" text

/* ---- outcome ---- */

static inline yyjson_val *
event_at(size_t index)
{
	assert_true(index < applying.count);
	return yyjson_doc_get_root(applying.events[index]);
}

/* A value of an event by JSON pointer; NULL: none. */
static inline yyjson_val *
said(size_t index, const char *pointer)
{
	return yyjson_ptr_get(event_at(index), pointer);
}

static inline bool
is_set(size_t index, const char *pointer)
{
	yyjson_val *val = said(index, pointer);

	return yyjson_get_bool(val);
}

static inline const char *
text_of(size_t index, const char *pointer)
{
	const char *text = yyjson_get_str(said(index, pointer));

	return text == NULL ? "" : text;
}

static inline int64_t
number_of(size_t index, const char *pointer)
{
	yyjson_val *val = said(index, pointer);

	assert_non_null(val);
	return yyjson_get_sint(val);
}

/* Verdict of an event, in one word. */
static inline const char *
verdict_of(size_t index)
{
	if (is_set(index, "/failed"))
		return "failed";
	if (yyjson_arr_size(said(index, "/unmet_requirements")) > 0)
		return "unmet";
	if (is_set(index, "/skipped"))
		return "skipped";
	if (is_set(index, "/refreshed"))
		return "refreshed";
	return is_set(index, "/changed") ? "changed" : "stable";
}

static inline const char *
error_of(size_t index)
{
	return text_of(index, "/error/0");
}

/* Whether an event contains this text anywhere. */
static inline bool
event_shows(size_t index, const char *text)
{
	char *json = yyjson_write(applying.events[index], 0, NULL);
	bool is_there = json != NULL && strstr(json, text) != NULL;

	free(json);
	return is_there;
}

#define assert_verdicts(...)                                                   \
	do {                                                                   \
		const char *const words_[] = {__VA_ARGS__};                    \
		const size_t count_ = sizeof(words_) / sizeof(*words_);        \
		assert_int_equal(applying.count, count_);                      \
		for (size_t i_ = 0; i_ < count_; i_++) {                       \
			if (strcmp(verdict_of(i_), words_[i_]) != 0)           \
				fail_msg("event %zu: %s, not %s: %s", i_,      \
				    verdict_of(i_), words_[i_], error_of(i_)); \
		}                                                              \
	} while (0)

/* ---- files of the test ---- */

static inline bool
exists(const char *name)
{
	return access(temp_path(&applying.temp, name), F_OK) == 0;
}

static inline void
make_file(const char *name, const char *text)
{
	FILE *file = fopen(temp_path(&applying.temp, name), "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* The text of a file, at most 4095 bytes of it; "" if there is none. */
static inline const char *
file_text(const char *name)
{
	static char text[4096];
	FILE *file = fopen(temp_path(&applying.temp, name), "re");
	size_t len = 0;

	if (file != NULL) {
		len = fread(text, 1, sizeof(text) - 1, file);
		(void)fclose(file);
	}
	text[len] = '\0';
	return text;
}

#endif /* W_TEST_APPLYING_H */
