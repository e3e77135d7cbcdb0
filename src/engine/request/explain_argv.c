/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a command would do, by the descriptions of the modules.
 *
 * Descriptions are looked up during the analysis, one program after the other,
 * so that only those of programs in the command are read.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/grow.h"
#include "base/words.h"
#include "command/analysis/analysis.h"
#include "data/json.h"
#include "engine/modules/modules.h"

#define STAGE    "explain"
#define JSON_MAX ((size_t)256 << 20)

/* A description, and where it was found. */
struct explain_argv_known {
	const struct w_command *command;
	const char *origin;
};

struct explain_argv_search {
	struct w_registry *registry;
	struct explain_argv_known *known;
	size_t count;
	size_t cap;
	struct w_words reasons; /* lent out until the end */
	bool has_failed;        /* out of memory */
};

static void
explain_argv_remember(struct explain_argv_search *search,
    const struct w_command *command, const char *origin)
{
	if (!w_grow(&search->known, search->count, &search->cap)) {
		search->has_failed = true;
		return;
	}
	search->known[search->count++] =
	    (struct explain_argv_known){command, origin};
}

static const char *
find_origin(void *ctx, const struct w_command *command)
{
	const struct explain_argv_search *search = ctx;

	for (size_t i = 0; i < search->count; i++) {
		if (search->known[i].command == command)
			return search->known[i].origin;
	}
	return NULL;
}

static const struct w_command *
explain_argv_find_command(void *ctx, const char *name, size_t len)
{
	struct explain_argv_search *search = ctx;
	const struct w_command *command = NULL;
	const char *origin = NULL;
	writ_status status = w_registry_command(
	    search->registry, name, len, &command, &origin, NULL);

	if (status == WRIT_E_NOMEM)
		search->has_failed = true;
	if (status != WRIT_OK)
		return NULL;
	if (find_origin(search, command) == NULL)
		explain_argv_remember(search, command, origin);
	return command;
}

/* Why a description that exists cannot be used. */
static const char *
find_reason(void *ctx, const char *name, size_t len)
{
	struct explain_argv_search *search = ctx;
	const struct w_command *command;
	const char *origin;
	writ_error why = {0};
	writ_status status = w_registry_command(
	    search->registry, name, len, &command, &origin, &why);

	if (status == WRIT_OK || status == WRIT_E_NOTFOUND)
		return NULL;
	if (status == WRIT_E_NOMEM ||
	    !w_words_add(&search->reasons, why.message, strlen(why.message))) {
		search->has_failed = true;
		return NULL;
	}
	return search->reasons.items[search->reasons.count - 1];
}

static bool
is_claim(void *ctx, const char *name, size_t len)
{
	const struct explain_argv_search *search = ctx;

	return w_registry_is_claim(search->registry, name, len);
}

/* Options of an older caller may be shorter than ours. */
static writ_status
take_input(const writ_explain_options *opts, struct w_analysis_input *out,
    writ_error *err)
{
	writ_explain_options all = WRIT_EXPLAIN_OPTIONS_INIT;
	size_t argc = 0;

	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&all, opts,
		    opts->size < sizeof(all) ? opts->size : sizeof(all));
	while (all.argv != NULL && all.argv[argc] != NULL)
		argc++;
	if ((argc > 0) == (all.shell != NULL))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "what is explained is an argv, or a text for a shell");
	*out = (struct w_analysis_input){.argv = argc > 0 ? all.argv : NULL,
	    .argc = argc,
	    .shell = all.shell,
	    .env = all.env};
	return WRIT_OK;
}

static writ_status
explain_argv_explain(struct explain_argv_search *search,
    const struct w_analysis_input *input, char **out_json, size_t *out_len,
    writ_error *err)
{
	const struct w_command_source source = {
	    .find = explain_argv_find_command,
	    .why_not = find_reason,
	    .origin = find_origin,
	    .is_claim = is_claim,
	    .ctx = search};
	W_AUTO_BUF struct w_buf buf;
	struct w_analysis *analysis = NULL;
	writ_status status = w_analysis_new(&source, input, &analysis, err);

	w_buf_init(&buf, JSON_MAX);
	if (status != WRIT_OK)
		return status;
	w_analysis_add_json(&buf, analysis);
	w_analysis_free(analysis);
	if (search->has_failed)
		return w_fail_nomem(err, STAGE);
	return w_json_take(&buf, STAGE, out_json, out_len, err);
}

writ_status
writ_explain(writ_modules *modules, const writ_explain_options *opts,
    char **out_json, size_t *out_len, writ_error *err)
{
	struct explain_argv_search search = {.registry = modules->registry};
	struct w_analysis_input input;
	writ_status status = take_input(opts, &input, err);

	if (status == WRIT_OK)
		status = explain_argv_explain(
		    &search, &input, out_json, out_len, err);
	free(search.known);
	w_words_done(&search.reasons);
	return status;
}
