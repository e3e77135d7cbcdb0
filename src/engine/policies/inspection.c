/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inspects policies: which apply, what they say, what is wrong with them, and
 * whether they meet their own expectations.
 */

#include "engine/policies/inspection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"

#define STAGE        "policy"
#define JSON_MAX     ((size_t)256 << 20)
#define LINE_MAX_LEN ((size_t)16 << 20)

/* ---- presets ---- */

static void
add_presets(struct w_buf *buf)
{
	size_t count = 0;
	const struct w_preset *all = w_preset_all(&count);

	w_buf_add_str(buf, "{\"presets\":[");
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(buf, i > 0 ? ",{" : "{");
		w_json_add_text_member(buf, "name", all[i].name);
		w_json_add_text_member(buf, "about", all[i].about);
		w_buf_add_str(buf, ",\"text\":");
		w_json_add_string(buf, all[i].text, all[i].len);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_str(buf, "]}");
}

/* ---- set up ---- */

static writ_status
take_cwd(struct w_inspection *inspection, const char *cwd, writ_error *err)
{
	inspection->cwd = realpath(cwd == NULL ? "." : cwd, NULL);
	if (inspection->cwd == NULL && errno == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (inspection->cwd == NULL && cwd != NULL)
		return w_fail(err, WRIT_E_INVALID, "cwd", errno,
		    "cannot use the directory '%.256s'", cwd);
	return WRIT_OK;
}

static void
inspection_init(struct w_inspection *inspection)
{
	struct w_decider *decider = &inspection->decider;

	w_decider_init(decider);
	decider->config = inspection->config;
	decider->door = "library";
	decider->reader = &inspection->reader;
	decider->profile_dirs = inspection->dirs.paths;
	decider->cwd = inspection->cwd;
	decider->base = inspection->cwd;
	inspection->policies.is_lenient = true;
	inspection->policies.ctx = decider;
	w_buf_init(&inspection->line, LINE_MAX_LEN);
}

static writ_status
inspection_open(struct w_inspection *inspection, const writ_config *config,
    const writ_policy_options *opts, writ_error *err)
{
	writ_status status =
	    config == NULL ? w_config_new_lenient(&inspection->config, err)
			   : w_config_copy(config, &inspection->config, err);

	if (status == WRIT_OK)
		status = take_cwd(inspection, opts->cwd, err);
	if (status == WRIT_OK)
		status = w_config_profile_dirs_init(
		    &inspection->dirs, inspection->config, err);
	inspection_init(inspection);
	if (status == WRIT_OK)
		status = w_decider_find_home(&inspection->decider, err);
	inspection->policies.home = inspection->decider.home;
	return status;
}

static void
inspection_done(struct w_inspection *inspection)
{
	inspection->decider.cwd = NULL;
	w_decider_done(&inspection->decider);
	w_policies_done(&inspection->policies);
	w_request_reader_done(&inspection->reader);
	w_config_profile_dirs_done(&inspection->dirs);
	w_buf_done(&inspection->line);
	writ_config_free(inspection->config);
	free(inspection->cwd);
}

/* ---- the policies ---- */

/* Only the policy that the caller names. */
static writ_status
find_named(struct w_inspection *inspection, const char *name, writ_error *err)
{
	W_AUTO_FREE char *file = NULL;
	writ_status status = w_setting_normalize(
	    &w_setting_rules[W_SET_POLICY], "the policy", name, &file, err);

	if (status == WRIT_OK)
		status = w_policies_find_one(&inspection->policies, file, err);
	if (status != WRIT_OK)
		return status;
	const struct w_loaded_policy *one = inspection->policies.loaded[0];
	if (one->fault.status == WRIT_OK || one->faults.count > 0)
		return WRIT_OK;
	if (err != NULL)
		*err = one->fault;
	return one->fault.status;
}

static writ_status
inspection_find(struct w_inspection *inspection, writ_policy_task task,
    const writ_policy_options *opts, writ_error *err)
{
	if (task == WRIT_POLICY_CHECK)
		inspection->policies.expect = w_decider_expect;
	if (opts->file != NULL)
		return find_named(inspection, opts->file, err);
	inspection->policies.text = opts->text;
	inspection->policies.text_len = opts->text_len;
	if (opts->text != NULL)
		return w_policies_find_one(
		    &inspection->policies, W_POLICY_MEMORY, err);

	writ_status status = w_policies_find(
	    &inspection->policies, inspection->config, inspection->cwd, err);
	inspection->decider.policies.project = inspection->policies.project;
	return status;
}

static writ_status
inspection_add_policies(struct w_inspection *inspection, writ_policy_task task,
    struct w_buf *buf, writ_error *err)
{
	writ_status status = WRIT_OK;

	w_buf_add_str(buf, "{\"policies\":[");
	for (size_t i = 0; status == WRIT_OK && i < inspection->policies.count;
	     i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		status = w_inspection_add(
		    inspection, buf, inspection->policies.loaded[i], task, err);
	}
	w_buf_add_char(buf, ']');
	if (status == WRIT_OK && task == WRIT_POLICY_SHOW) {
		w_buf_add_str(buf, ",\"effective\":");
		status = w_inspection_add_effective(inspection, buf, err);
	}
	w_buf_add_char(buf, '}');
	return status;
}

static writ_status
inspect_policies(const writ_config *config, writ_policy_task task,
    const writ_policy_options *opts, struct w_buf *buf, writ_error *err)
{
	struct w_inspection inspection = {.config = NULL};
	writ_status status = inspection_open(&inspection, config, opts, err);

	if (status == WRIT_OK)
		status = inspection_find(&inspection, task, opts, err);
	if (status == WRIT_OK)
		status = inspection_add_policies(&inspection, task, buf, err);
	/* Borrowed from the policies. */
	inspection.decider.policies.project = NULL;
	inspection_done(&inspection);
	return status;
}

writ_status
writ_policy_look(const writ_config *config, writ_policy_task task,
    const writ_policy_options *opts, char **out_json, size_t *out_len,
    writ_error *err)
{
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	writ_status status = WRIT_OK;
	W_AUTO_BUF struct w_buf buf;

	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	w_buf_init(&buf, JSON_MAX);
	if (task == WRIT_POLICY_PRESETS)
		add_presets(&buf);
	else
		status = inspect_policies(config, task, &options, &buf, err);
	if (status != WRIT_OK)
		return status;

	size_t len = 0;
	char *json = w_buf_take(&buf, &len);
	if (json == NULL)
		return w_fail_nomem(err, STAGE);
	*out_json = json;
	if (out_len != NULL)
		*out_len = len;
	return WRIT_OK;
}

const char *
writ_policy_schema(size_t *out_len)
{
	return w_policy_schema(out_len);
}
