/* SPDX-License-Identifier: Apache-2.0 */

/* Reads one policy with its includes, and caches that its expectations were
 * checked. */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <writ/writ.h>

#include "base/auto.h"
#include "base/hex.h"
#include "base/match.h"
#include "engine/policies/policies.h"
#include "os/file.h"
#include "os/resolve.h"

#define STAGE       "policy"
#define CHECKED_DIR "policies"
#define PRESET_WORD "preset:"

/* State while a policy is read. */
struct policies_read_reading {
	struct w_fingerprints marks;
	struct w_sha256 sum;
	const char *within; /* of a project: the file whose directory
			       contains all that it may include; NULL:
			       anything */
	bool can_vouch;     /* the outer process has read the same */
	bool is_vouched;    /* and that was needed */
};

void
w_policies_free_one(struct w_loaded_policy *one)
{
	free(one->file);
	w_policy_free(one->read);
	w_fingerprints_done(&one->marks);
	w_policy_faults_done(&one->faults);
	free(one);
}

/* ---- texts ---- */

static writ_status
fail_preset(const char *name, writ_error *err)
{
	const char *names[16] = {NULL};
	size_t count = 0;
	const struct w_preset *all = w_preset_all(&count);

	for (size_t i = 0; i < count && i + 1 < 16; i++)
		names[i] = all[i].name;
	(void)w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "there is no preset '%.64s'", name);
	const char *nearest = w_match_nearest(name, names);
	if (nearest != NULL)
		w_match_suggest(nearest, err);
	else
		w_suggest(err, "a file has a '/' or .yaml in its name");
	return WRIT_E_INVALID;
}

static writ_status
take_preset(const char *name, struct w_buf *text, writ_error *err)
{
	const struct w_preset *preset = w_preset_find(name);

	if (preset == NULL)
		return fail_preset(name, err);
	w_buf_add(text, preset->text, preset->len);
	return text->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* The fingerprint is taken before reading: a change meanwhile is seen the
 * next time. */
static writ_status
take_file(struct policies_read_reading *reading, const char *path,
    struct w_buf *text, writ_error *err)
{
	if (!w_fingerprints_add(&reading->marks, path))
		return w_fail_nomem(err, STAGE);
	writ_status status = w_policies_file_read(path, false, text, err);
	if (status == WRIT_E_INVALID && reading->can_vouch) {
		reading->is_vouched = true;
		status = w_policies_file_read(path, true, text, err);
	}
	if (status == WRIT_E_NOTFOUND && err != NULL)
		err->status = WRIT_E_INVALID;
	return status == WRIT_E_NOTFOUND ? WRIT_E_INVALID : status;
}

static bool
is_file_name(const char *name)
{
	static const char suffix[] = ".yaml";
	const size_t len = strlen(name);
	const size_t tail = sizeof(suffix) - 1;

	return strchr(name, '/') != NULL ||
	       (len >= tail && strcmp(name + len - tail, suffix) == 0);
}

/* It may be as long as a file. */
static writ_status
take_memory(
    const struct w_policies *policies, struct w_buf *text, writ_error *err)
{
	if (policies->text_len > W_POLICY_TEXT_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the policy in memory is larger than %zu MiB",
		    W_POLICY_TEXT_MAX >> 20);
	w_buf_add(text, policies->text, policies->text_len);
	return text->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Relative to the including file. */
static char *
join_file(const char *from, const char *name)
{
	const char *slash = strrchr(from, '/');

	/* A file needs one name, or an include cycle would not be
	 * recognized. */
	while (strncmp(name, "./", 2) == 0)
		name += 2 + strspn(name + 2, "/");
	char *path = NULL;

	if (name[0] == '/' || slash == NULL)
		return strdup(name);
	return asprintf(&path, "%.*s/%s", (int)(slash - from), from, name) < 0
		   ? NULL
		   : path;
}

static char *
name_preset(const char *name)
{
	char *shown = NULL;

	return asprintf(&shown, PRESET_WORD "%s", name) < 0 ? NULL : shown;
}

/* The author of a project must not have files read that he could not read
 * himself: messages quote what they find. */
static bool
is_within(const char *within, const char *file)
{
	W_AUTO_FREE char *real = w_resolve_real(file);
	W_AUTO_FREE char *own = w_resolve_real(within);

	if (real == NULL || own == NULL)
		return errno == ENOENT;
	const size_t len = (size_t)(strrchr(own, '/') - own) + 1;
	return strncmp(real, own, len) == 0;
}

static writ_status
include(void *ctx, const char *name, const char *from, char **out_text,
    size_t *out_len, char **out_file, writ_error *err)
{
	struct policies_read_reading *reading = ctx;
	const bool is_file = is_file_name(name);
	W_AUTO_FREE char *file =
	    is_file ? join_file(from, name) : name_preset(name);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_POLICY_TEXT_MAX);
	if (file == NULL)
		return w_fail_nomem(err, STAGE);
	if (is_file && file[0] != '/' && strcmp(from, W_POLICY_MEMORY) == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a policy in memory includes presets, and files by their "
		    "absolute paths");
	if (is_file && strncmp(from, PRESET_WORD, strlen(PRESET_WORD)) == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a preset cannot include a file");
	if (is_file && reading->within != NULL &&
	    !is_within(reading->within, file))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a project's policy includes presets, and files of its own "
		    "directory");
	writ_status status = is_file ? take_file(reading, file, &text, err)
				     : take_preset(name, &text, err);
	if (status != WRIT_OK)
		return status;
	w_sha256_add(&reading->sum, text.data, text.len);
	char *taken = w_buf_take(&text, out_len);
	if (taken == NULL)
		return w_fail_nomem(err, STAGE);
	*out_text = taken;
	*out_file = w_take_ptr(&file);
	return WRIT_OK;
}

/* ---- what the outer process has read ---- */

static writ_status
check_vouched(
    const struct w_loaded_policy *one, const char *vouched, writ_error *err)
{
	char sum[W_SHA256_HEX + 1];

	assert(vouched != NULL);
	w_hex_put(sum, one->sum, sizeof(one->sum));
	sum[W_SHA256_HEX] = '\0';
	return strstr(vouched, sum) != NULL
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_INVALID, STAGE, 0,
			 "the policy '%s' has changed since the call was "
			 "decided",
			 one->file);
}

/* ---- expect ---- */

static bool
name_checked(const struct w_loaded_policy *one, const char *state_dir,
    char out_path[PATH_MAX])
{
	char sum[W_SHA256_HEX + 1];

	w_hex_put(sum, one->sum, sizeof(one->sum));
	sum[W_SHA256_HEX] = '\0';
	int len = snprintf(
	    out_path, PATH_MAX, "%s/" CHECKED_DIR "/%s", state_dir, sum);
	return len > 0 && len < PATH_MAX;
}

/* Best effort: without it the next process checks again. */
static void
note_checked(const char *path, const char *state_dir)
{
	W_AUTO_FREE char *dir = w_config_join(state_dir, CHECKED_DIR);

	if (dir == NULL || w_file_make_dirs(dir, 0700, NULL) != WRIT_OK)
		return;
	W_AUTO_FD int fd = open(
	    path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600);
	(void)fd;
}

static writ_status
check_expects(const struct w_loaded_policy *one, const struct w_policy *policy,
    const struct w_policies *policies, const char *state_dir,
    struct w_policy_faults *faults, writ_error *err)
{
	char path[PATH_MAX];
	const bool has_name =
	    state_dir != NULL && name_checked(one, state_dir, path);

	if (policy->expect_count == 0 || policies->expect == NULL)
		return WRIT_OK;
	if (has_name && access(path, F_OK) == 0)
		return WRIT_OK;
	writ_status status =
	    policies->expect(policies->ctx, policy, faults, err);
	if (status == WRIT_OK && faults->count == 0 && has_name)
		note_checked(path, state_dir);
	return status;
}

/* ---- one policy ---- */

static writ_status
fail_first(const struct w_policy_faults *faults, writ_error *err)
{
	const struct w_policy_fault *first = &faults->items[0];

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
	    first->location.file, first->location.line, first->location.column,
	    first->message);
	if (faults->count > 1) {
		const size_t len = strlen(err->message);

		(void)snprintf(err->message + len, sizeof(err->message) - len,
		    " (and %zu more: writ policy lint)", faults->count - 1);
	}
	if (first->suggestion != NULL)
		w_suggest(err, "%s", first->suggestion);
	w_locate(err, first->location.line, first->location.column);
	return WRIT_E_INVALID;
}

static writ_status
read_policy(struct w_loaded_policy *one, const struct w_policies *policies,
    const char *state_dir, struct policies_read_reading *reading,
    struct w_policy **out_policy, writ_error *err)
{
	const struct w_policy_source source = {
	    .include = include, .ctx = reading};
	W_AUTO_BUF struct w_buf text;

	reading->within = one->tier == W_TIER_PROJECT ? one->file : NULL;
	reading->can_vouch = policies->vouched != NULL;
	w_buf_init(&text, W_POLICY_TEXT_MAX);
	writ_status status = one->is_memory
				 ? take_memory(policies, &text, err)
				 : take_file(reading, one->file, &text, err);
	w_sha256_add(&reading->sum, text.data, text.len);
	if (status == WRIT_OK)
		status = w_policy_read(text.data, text.len, one->file, &source,
		    out_policy, &one->faults, err);
	w_sha256_end(&reading->sum, one->sum);
	if (status == WRIT_OK && reading->is_vouched)
		status = check_vouched(one, policies->vouched, err);
	if (status == WRIT_OK)
		status = check_expects(
		    one, *out_policy, policies, state_dir, &one->faults, err);
	if (status == WRIT_E_NOMEM || one->faults.count == 0)
		return status;
	return fail_first(&one->faults, err);
}

static bool
has_time_rule(const struct w_rule *const *rules)
{
	for (; rules != NULL && *rules != NULL; rules++) {
		if ((*rules)->time != NULL)
			return true;
	}
	return false;
}

/* Getting the local time costs more than the evaluation. */
static bool
depends_on_time(const struct w_policy *policy)
{
	bool asks = has_time_rule(policy->rules);

	for (size_t i = 0; i < policy->agent_count && !asks; i++)
		asks = has_time_rule(policy->agents[i].rules);
	return asks;
}

/* A preset was compiled when writ was built, and its expectations were
 * tested then. */
static void
use_preset(struct w_loaded_policy *one)
{
	const char *name = one->file + strlen(PRESET_WORD);
	const struct w_preset *preset = w_preset_find(name);

	if (preset == NULL) {
		(void)fail_preset(name, &one->fault);
		return;
	}
	one->policy = preset->policy;
	one->has_time = depends_on_time(preset->policy);
}

writ_status
w_policies_refresh_one(struct w_loaded_policy *one,
    const struct w_policies *policies, const char *state_dir, writ_error *err)
{
	struct policies_read_reading reading = {.marks = {.items = NULL}};
	const char *version = writ_version();
	struct w_policy *policy = NULL;

	if (one->is_preset) {
		use_preset(one);
		return WRIT_OK;
	}
	if ((one->marks.count > 0 || (one->is_memory && one->policy != NULL)) &&
	    w_fingerprints_same(&one->marks))
		return WRIT_OK;
	w_policy_faults_done(&one->faults);
	one->faults = (struct w_policy_faults){.items = NULL};
	one->fault = (writ_error){.status = WRIT_OK};
	w_sha256_init(&reading.sum);
	w_sha256_add(&reading.sum, version, strlen(version) + 1);
	writ_status status = read_policy(
	    one, policies, state_dir, &reading, &policy, &one->fault);
	w_fingerprints_done(&one->marks);
	one->marks = reading.marks;
	if (status == WRIT_OK) {
		w_policy_free(one->read);
		one->read = policy;
		one->policy = policy;
		one->has_time = depends_on_time(policy);
		return WRIT_OK;
	}
	w_policy_free(policy);
	if (status != WRIT_E_NOMEM)
		return WRIT_OK;
	w_fingerprints_done(&one->marks);
	return w_fail_nomem(err, STAGE);
}
