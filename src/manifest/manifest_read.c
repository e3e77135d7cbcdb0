/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reading a manifest: text in, resources with their early properties filled in
 * out.
 *
 * Nothing is half read: all faults are gathered, and with one of them there is
 * no manifest. The keys of the document may stand in any order; data comes
 * first, because all others may ask for it, then what of it is secret.
 */

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/hex.h"
#include "base/place.h"
#include "base/sha256.h"
#include "data/json_words.h"
#include "manifest/intake.h"

#define STAGE "manifest"

const struct w_intake_key w_intake_ccm_keys[] = {
    {"pre_message", w_intake_early, offsetof(struct w_manifest, pre_message)},
    {"post_message", w_intake_early, offsetof(struct w_manifest, post_message)},
    {"fail_on_error", w_intake_truth,
	offsetof(struct w_manifest, is_fail_on_error)},
    {"sensitive", NULL, 0}, /* before all others */
    {"resources", NULL, 0}, /* behind them */
    {"resources_jet_file", w_intake_unsupported, 0},
    {NULL, NULL, 0},
};

const struct w_intake_key w_intake_root_keys[] = {
    {"data", NULL, 0},
    {"ccm", NULL, 0},
    {"writ", NULL, 0},
    {"hierarchy", w_intake_unsupported, 0},
    {"overrides", w_intake_unsupported, 0},
    {NULL, NULL, 0},
};

static void
read_body(struct w_intake *intake, yyjson_val *body, const char *what)
{
	yyjson_val *resources = yyjson_obj_get(body, "resources");

	w_intake_sensitive(intake, yyjson_obj_get(body, "sensitive"));
	if (!w_intake_map(
		intake, body, what, w_intake_ccm_keys, intake->manifest))
		return;
	if (resources == NULL || yyjson_is_null(resources))
		(void)w_intake_refuse(
		    intake, body, "manifest must contain resources");
	else
		w_intake_resources(intake, resources);
}

static void
read_root(struct w_intake *intake, yyjson_val *root)
{
	yyjson_val *ccm = yyjson_obj_get(root, "ccm");
	yyjson_val *writ = yyjson_obj_get(root, "writ");

	if (!w_intake_map(intake, root, "a manifest", w_intake_root_keys, NULL))
		return;
	w_intake_data(intake, yyjson_obj_get(root, "data"));
	if (ccm != NULL && writ != NULL)
		(void)w_intake_refuse(intake, writ,
		    "ccm and writ are two names of the same, and both are "
		    "there");
	if (ccm != NULL)
		read_body(intake, ccm, "ccm");
	else if (writ != NULL)
		read_body(intake, writ, "writ");
	else
		(void)w_intake_refuse(
		    intake, root, "manifest must contain resources");
}

/* A text that is no YAML has one fault: nobody knows what comes behind it. */
static bool
parse(struct w_intake *intake)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_MANIFEST_BYTES_MAX,
	    .depth_max = W_MANIFEST_DEPTH_MAX};
	const struct w_manifest_input *input = intake->input;
	writ_error err = {.status = WRIT_OK};

	if (w_yaml_read(input->text, input->len, &limits,
		&intake->manifest->yaml, &err) == WRIT_OK)
		return true;
	if (err.status == WRIT_E_NOMEM) {
		intake->is_out_of_memory = true;
		return false;
	}
	if (err.line == 0) {
		/* What is wrong with the whole stands where it begins. */
		const size_t bad =
		    input->len <= W_MANIFEST_BYTES_MAX
			? w_utf8_find_bad(input->text, input->len)
			: 0;

		w_locate_offset(&err, input->text, bad < input->len ? bad : 0);
	}
	intake->is_refused = true;
	w_faults_add(intake->faults, &err);
	return false;
}

static bool
name_it(struct w_intake *intake)
{
	struct w_manifest *manifest = intake->manifest;
	const struct w_manifest_input *input = intake->input;
	uint8_t sum[W_SHA256_SIZE];

	manifest->file =
	    w_intake_copy(intake, input->file, strlen(input->file));
	manifest->dir = w_intake_copy(intake, input->dir, strlen(input->dir));
	w_sha256(input->text, input->len, sum);
	w_hex_put(manifest->sha256, sum, sizeof(sum));
	return manifest->file != NULL && manifest->dir != NULL;
}

static void
read_all(struct w_intake *intake)
{
	struct w_manifest_scope scope;

	w_manifest_scope_init(&scope, intake->manifest, intake->input->scope);
	/* What is early is known before anything is done. */
	scope.scope.read_file = NULL;
	intake->early = &scope.scope;
	if (name_it(intake) && parse(intake))
		read_root(intake, w_yaml_root(intake->manifest->yaml));
	if (!intake->is_out_of_memory && intake->early != NULL &&
	    intake->manifest->count > 0)
		w_intake_link(intake);
	intake->early = NULL;
}

static writ_status
refuse(const struct w_intake *intake, writ_error *err)
{
	const struct w_manifest_fault *first = intake->faults->items;

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
	    intake->input->file, first->line, first->column, first->message);
	w_locate(err, first->line, first->column);
	if (first->suggestion != NULL)
		w_suggest(err, "%s", first->suggestion);
	return WRIT_E_INVALID;
}

writ_status
w_manifest_read(const struct w_manifest_input *input, struct w_faults *faults,
    struct w_manifest **out_manifest, writ_error *err)
{
	struct w_manifest *manifest = calloc(1, sizeof(*manifest));
	struct w_intake intake = {
	    .manifest = manifest, .input = input, .faults = faults};

	if (manifest == NULL)
		return w_fail_nomem(err, STAGE);
	read_all(&intake);
	if (!intake.is_out_of_memory && !faults->has_failed &&
	    !intake.is_refused) {
		*out_manifest = manifest;
		return WRIT_OK;
	}
	w_manifest_free(manifest);
	if (intake.is_out_of_memory || faults->has_failed)
		return w_fail_nomem(err, STAGE);
	w_faults_sort(faults);
	return refuse(&intake, err);
}
