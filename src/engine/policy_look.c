/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What there is to see of policies: which count, what they say, what is wrong
 * with them, and whether they answer as they expect themselves.
 */

#include "engine/policy_look.h"

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

/* ---- the place ---- */

static writ_status
take_cwd(struct w_policy_look *look, const char *cwd, writ_error *err)
{
	look->cwd = realpath(cwd == NULL ? "." : cwd, NULL);
	if (look->cwd == NULL && errno == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (look->cwd == NULL && cwd != NULL)
		return w_fail(err, WRIT_E_INVALID, "cwd", errno,
		    "cannot use the directory '%.256s'", cwd);
	return WRIT_OK;
}

static void
look_init(struct w_policy_look *look)
{
	struct w_decider *decider = &look->decider;

	w_decider_init(decider);
	decider->config = look->config;
	decider->door = "library";
	decider->reader = &look->reader;
	decider->profile_dirs = look->dirs.paths;
	decider->cwd = look->cwd;
	decider->base = look->cwd;
	look->policies.is_lenient = true;
	look->policies.ctx = decider;
	w_buf_init(&look->line, LINE_MAX_LEN);
}

static writ_status
look_open(struct w_policy_look *look, const writ_config *config,
    const writ_policy_options *opts, writ_error *err)
{
	writ_status status = config == NULL
				 ? w_config_new_lenient(&look->config, err)
				 : w_config_copy(config, &look->config, err);

	if (status == WRIT_OK)
		status = take_cwd(look, opts->cwd, err);
	if (status == WRIT_OK)
		status = w_profile_dirs_init(&look->dirs, look->config, err);
	look_init(look);
	if (status == WRIT_OK)
		status = w_decider_find_home(&look->decider, err);
	look->policies.home = look->decider.home;
	return status;
}

static void
look_done(struct w_policy_look *look)
{
	look->decider.cwd = NULL;
	w_decider_done(&look->decider);
	w_policies_done(&look->policies);
	w_request_reader_done(&look->reader);
	w_profile_dirs_done(&look->dirs);
	w_buf_done(&look->line);
	writ_config_free(look->config);
	free(look->cwd);
}

/* ---- the policies ---- */

/* Who names a file wants that one. */
static writ_status
find_named(struct w_policy_look *look, const char *name, writ_error *err)
{
	W_AUTO_FREE char *file = NULL;
	writ_status status = w_setting_normal(
	    &w_setting_rules[W_SET_POLICY], "the policy", name, &file, err);

	if (status == WRIT_OK)
		status = w_policies_find_one(&look->policies, file, err);
	if (status != WRIT_OK)
		return status;
	const struct w_standing *one = look->policies.standing[0];
	if (one->fault.status == WRIT_OK || one->faults.count > 0)
		return WRIT_OK;
	if (err != NULL)
		*err = one->fault;
	return one->fault.status;
}

static writ_status
find(struct w_policy_look *look, writ_policy_task task,
    const writ_policy_options *opts, writ_error *err)
{
	if (task == WRIT_POLICY_CHECK)
		look->policies.expect = w_decider_expect;
	if (opts->file != NULL)
		return find_named(look, opts->file, err);

	writ_status status =
	    w_policies_find(&look->policies, look->config, look->cwd, err);
	look->decider.policies.project = look->policies.project;
	return status;
}

static writ_status
add_policies(struct w_policy_look *look, writ_policy_task task,
    struct w_buf *buf, writ_error *err)
{
	writ_status status = WRIT_OK;

	w_buf_add_str(buf, "{\"policies\":[");
	for (size_t i = 0; status == WRIT_OK && i < look->policies.count; i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		status = w_policy_look_add(
		    look, buf, look->policies.standing[i], task, err);
	}
	w_buf_add_char(buf, ']');
	if (status == WRIT_OK && task == WRIT_POLICY_SHOW) {
		w_buf_add_str(buf, ",\"effective\":");
		status = w_policy_look_add_effective(look, buf, err);
	}
	w_buf_add_char(buf, '}');
	return status;
}

static writ_status
look_at(const writ_config *config, writ_policy_task task,
    const writ_policy_options *opts, struct w_buf *buf, writ_error *err)
{
	struct w_policy_look look = {.config = NULL};
	writ_status status = look_open(&look, config, opts, err);

	if (status == WRIT_OK)
		status = find(&look, task, opts, err);
	if (status == WRIT_OK)
		status = add_policies(&look, task, buf, err);
	/* Borrowed from the policies. */
	look.decider.policies.project = NULL;
	look_done(&look);
	return status;
}

writ_status
writ_policy_look(const writ_config *config, writ_policy_task task,
    const writ_policy_options *opts, char **out_json, size_t *out_len,
    writ_error *err)
{
	const writ_policy_options standard = WRIT_POLICY_OPTIONS_INIT;
	writ_status status = WRIT_OK;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, JSON_MAX);
	if (task == WRIT_POLICY_PRESETS)
		add_presets(&buf);
	else
		status = look_at(
		    config, task, opts == NULL ? &standard : opts, &buf, err);
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
