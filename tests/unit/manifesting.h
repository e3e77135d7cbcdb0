/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TESTS_MANIFESTING_H
#define W_TESTS_MANIFESTING_H

/* Manifests from texts, with fixed facts and environment. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manifest/manifest.h"

static inline const struct w_value *
manifest_test_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	static const struct w_value_member os[] = {
	    {"name", 4, {.kind = W_VALUE_STRING, .as.string = {"debian", 6}}},
	};
	static const struct w_value_member facts[] = {
	    {"os", 2, {.kind = W_VALUE_MAP, .as.map = {os, 1}}},
	    {"odd", 3,
		{.kind = W_VALUE_STRING, .as.string = {"{{ 40 + 2 }}", 12}}},
	};
	static const struct w_value_member variables[] = {
	    {"HOME", 4, {.kind = W_VALUE_STRING, .as.string = {"/home/me", 8}}},
	    {"TOKEN", 5, {.kind = W_VALUE_STRING, .as.string = {"hunter2", 7}}},
	};
	static const struct w_value maps[W_ROOT_COUNT] = {
	    [W_ROOT_FACTS] = {.kind = W_VALUE_MAP, .as.map = {facts, 2}},
	    [W_ROOT_ENVIRON] = {.kind = W_VALUE_MAP, .as.map = {variables, 2}},
	};

	(void)ctx;
	(void)err;
	return &maps[root];
}

static const struct w_expr_scope manifest_test_scope = {
    .root = manifest_test_root};

static inline writ_status
manifest_test_read(const char *text, struct w_faults *faults,
    struct w_manifest **out_manifest, writ_error *err)
{
	const struct w_manifest_input input = {
	    .file = "m.yaml",
	    .dir = "/",
	    .text = text,
	    .len = strlen(text),
	    .scope = &manifest_test_scope,
	};

	return w_manifest_read(&input, faults, out_manifest, err);
}

/* Must be valid. */
static inline struct w_manifest *
manifest_of(const char *text)
{
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	if (manifest_test_read(text, &faults, &manifest, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	w_faults_done(&faults);
	return manifest;
}

/* All faults, one per line: "LINE:COLUMN: message (suggestion)". */
static inline const char *
faults_of(const char *text)
{
	static char said[8192];
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};
	size_t len = 0;

	said[0] = '\0';
	if (manifest_test_read(text, &faults, &manifest, &err) == WRIT_OK)
		fail_msg("this was read:\n%s", text);
	assert_null(manifest);
	for (size_t i = 0; i < faults.count && len < sizeof(said); i++) {
		const writ_manifest_fault *fault = &faults.items[i];

		len += (size_t)snprintf(said + len, sizeof(said) - len,
		    "%u:%u: %s%s%s%s\n", fault->line, fault->column,
		    fault->message, fault->suggestion != NULL ? " (" : "",
		    fault->suggestion != NULL ? fault->suggestion : "",
		    fault->suggestion != NULL ? ")" : "");
	}
	w_faults_done(&faults);
	return said;
}

#endif /* W_TESTS_MANIFESTING_H */
