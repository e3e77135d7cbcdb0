/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CALL_H
#define W_ENGINE_CALL_H

#include <writ/module.h>

#include "audit/record/redact.h"
#include "command/render/render.h"
#include "data/json.h"
#include "engine/modules/modules.h"

/*
 * A call of a module. It has either a draft, and can be run, or problems.
 */
struct writ_call {
	struct w_compiled_module *compiled; /* borrowed */
	struct w_json *input;
	writ_draft *draft; /* NULL: it has problems */
	struct w_words secrets;
	struct w_redactor redactor;    /* knows them */
	struct w_schema_report report; /* owns the texts of the problems */
	writ_problem *problems;
	size_t problem_count;
};

/* Nesting depth of an input. */
#define W_CALL_DEPTH_MAX 128

/* Checks the input; an invalid call gets its problems. */
writ_status w_call_check(
    writ_call *call, const char *text, size_t len, writ_error *err);

/* Checks the steps of sequences; the report has the problems of the first
 * invalid step. */
writ_status w_call_check_steps(
    writ_call *call, bool *out_valid, writ_error *err);

/* Whether the value of that key is secret, wherever the key names an
 * argument. */
bool w_call_is_secret(const writ_call *call, const char *key, size_t len);

/* Finds the secret texts of the input. */
writ_status w_call_find_secrets(writ_call *call, writ_error *err);

/* Makes the draft. text is the original input. */
writ_status w_call_make_draft(
    writ_call *call, const char *text, size_t len, writ_error *err);

#endif /* W_ENGINE_CALL_H */
