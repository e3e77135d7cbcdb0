/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a manifest: text in, resources with their early properties filled in
 * out.
 *
 * All or nothing: all faults are collected, and with any fault there is no
 * manifest. The keys of the document may be in any order; data is read first,
 * because all others may use it, then which of it is sensitive.
 */

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/hex.h"
#include "base/position.h"
#include "base/sha256.h"
#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

#define STAGE "manifest"

const struct w_parse_key w_parse_ccm_keys[] = {
    {"pre_message", w_parse_early, offsetof(struct w_manifest, pre_message)},
    {"post_message", w_parse_early, offsetof(struct w_manifest, post_message)},
    {"fail_on_error", w_parse_truth,
	offsetof(struct w_manifest, is_fail_on_error)},
    {"sensitive", NULL, 0},          /* read before all others */
    {"resources", NULL, 0},          /* read last */
    {"resources_jet_file", NULL, 0}, /* likewise */
    {NULL, NULL, 0},
};

const struct w_parse_key w_parse_root_keys[] = {
    {"data", NULL, 0},
    {"ccm", NULL, 0},
    {"writ", NULL, 0},
    {"hierarchy", NULL, 0},
    {"overrides", NULL, 0},
    {NULL, NULL, 0},
};

static void
read_body(struct w_parser *parser, yyjson_val *body, const char *what)
{
	yyjson_val *resources = yyjson_obj_get(body, "resources");
	yyjson_val *made = yyjson_obj_get(body, "resources_jet_file");

	w_parse_sensitive(parser, yyjson_obj_get(body, "sensitive"));
	if (!w_parse_map(
		parser, body, what, w_parse_ccm_keys, parser->manifest))
		return;
	if (made != NULL && resources != NULL)
		(void)w_parse_refuse(parser, made,
		    "resources and resources_jet_file cannot be used "
		    "together");
	else if (made != NULL)
		w_parse_resources_file(parser, made);
	else if (resources == NULL || yyjson_is_null(resources))
		(void)w_parse_refuse(
		    parser, body, "manifest must contain resources");
	else
		w_parse_resources(parser, resources);
}

static void
manifest_read_root(struct w_parser *parser, yyjson_val *root)
{
	yyjson_val *ccm = yyjson_obj_get(root, "ccm");
	yyjson_val *writ = yyjson_obj_get(root, "writ");

	if (!w_parse_map(parser, root, "a manifest", w_parse_root_keys, NULL))
		return;
	w_parse_data(parser, root);
	if (ccm != NULL && writ != NULL)
		(void)w_parse_refuse(parser, writ,
		    "ccm and writ are two names of the same, and both are "
		    "there");
	if (ccm != NULL)
		read_body(parser, ccm, "ccm");
	else if (writ != NULL)
		read_body(parser, writ, "writ");
	else
		(void)w_parse_refuse(
		    parser, root, "manifest must contain resources");
}

/* Invalid YAML is one fault: what follows cannot be parsed. */
bool
w_parse_yaml(struct w_parser *parser)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_MANIFEST_BYTES_MAX,
	    .depth_max = W_MANIFEST_DEPTH_MAX};
	const struct w_manifest_input *input = parser->input;
	writ_error err = {.status = WRIT_OK};

	if (w_yaml_read(input->text, input->len, &limits,
		&parser->manifest->yaml, &err) == WRIT_OK)
		return true;
	if (err.status == WRIT_E_NOMEM) {
		parser->is_out_of_memory = true;
		return false;
	}
	if (err.line == 0) {
		/* Faults of the whole text are located at its start. */
		const size_t bad =
		    input->len <= W_MANIFEST_BYTES_MAX
			? w_utf8_find_bad(input->text, input->len)
			: 0;

		w_locate_offset(&err, input->text, bad < input->len ? bad : 0);
	}
	const struct w_manifest_location at = {
	    .line = err.line, .column = err.column};
	return w_parse_refuse_whole(parser, &at, &err);
}

void
w_parse_digest(struct w_parser *parser, const char *text, size_t len)
{
	char *const digest = parser->manifest->sha256;
	char both[2 * W_SHA256_SIZE * 2];
	uint8_t sum[W_SHA256_SIZE];

	w_sha256(text, len, sum);
	memcpy(both, digest, sizeof(both) / 2);
	char hex[2 * W_SHA256_SIZE + 1];
	w_hex_put(hex, sum, sizeof(sum));
	memcpy(both + sizeof(both) / 2, hex, sizeof(both) / 2);
	w_sha256(both, sizeof(both), sum);
	w_hex_put(digest, sum, sizeof(sum));
}

bool
w_parse_names(struct w_parser *parser)
{
	struct w_manifest *manifest = parser->manifest;
	const struct w_manifest_input *input = parser->input;
	uint8_t sum[W_SHA256_SIZE];

	manifest->file = w_parse_copy(parser, input->file, strlen(input->file));
	manifest->dir = w_parse_copy(parser, input->dir, strlen(input->dir));
	w_sha256(input->text, input->len, sum);
	w_hex_put(manifest->sha256, sum, sizeof(sum));
	return manifest->file != NULL && manifest->dir != NULL;
}

void
w_parse_document(struct w_parser *parser)
{
	struct w_manifest_scope scope;

	w_manifest_scope_init(&scope, parser->manifest, parser->input->scope);
	/* Early values must not depend on files. */
	scope.scope.read_file = NULL;
	parser->early = &scope.scope;
	parser->scope = &scope;
	if (w_parse_names(parser) && w_parse_yaml(parser))
		manifest_read_root(parser, w_yaml_root(parser->manifest->yaml));
	parser->scope = NULL;
	if (parser->early != NULL)
		parser->early = parser->input->scope;
}

static void
manifest_read_all(struct w_parser *parser)
{
	struct w_manifest_scope scope;

	w_parse_document(parser);
	if (!parser->is_out_of_memory && parser->early != NULL &&
	    parser->manifest->count > 0)
		w_parse_link(parser);
	if (!parser->is_out_of_memory && parser->early != NULL &&
	    !parser->is_refused) {
		w_manifest_scope_init(
		    &scope, parser->manifest, parser->input->scope);
		scope.scope.read_file = NULL;
		parser->early = &scope.scope;
		parser->scope = &scope;
		w_parse_check_late(parser);
	}
	parser->early = NULL;
	parser->scope = NULL;
}

static writ_status
manifest_read_refuse(const struct w_parser *parser, writ_error *err)
{
	const writ_manifest_fault *first = parser->faults->items;

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
	    parser->input->file, first->line, first->column, first->message);
	w_locate(err, first->line, first->column);
	if (first->suggestion != NULL)
		w_suggest(err, "%s", first->suggestion);
	return WRIT_E_INVALID;
}

/* The absolute path of the file, to notice manifests that go in a circle. */
static const char *
find_path(struct w_parser *parser)
{
	const struct w_manifest_input *input = parser->input;
	const char *slash = strrchr(input->file, '/');
	const char *name = slash != NULL ? slash + 1 : input->file;
	const size_t len = strlen(input->dir) + strlen(name) + 2;
	char *path = w_parse_alloc(parser, len, 1);

	if (path != NULL)
		(void)stpcpy(stpcpy(stpcpy(path, input->dir),
				 strcmp(input->dir, "/") == 0 ? "" : "/"),
		    name);
	return path;
}

/* What was read says all, and borrows only the texts. */
static void
forget_documents(const struct w_manifest *manifest)
{
	w_yaml_forget_values(manifest->yaml);
	for (const struct w_manifest *child = manifest->children; child != NULL;
	     child = child->next)
		forget_documents(child);
}

writ_status
w_manifest_read(const struct w_manifest_input *input, struct w_faults *faults,
    struct w_manifest **out_manifest, writ_error *err)
{
	struct w_manifest *manifest = calloc(1, sizeof(*manifest));
	unsigned include_count = 0;
	struct w_parser parser = {.manifest = manifest,
	    .input = input,
	    .faults = faults,
	    .include_count = &include_count};

	if (manifest == NULL)
		return w_fail_nomem(err, STAGE);
	parser.path = find_path(&parser);
	manifest_read_all(&parser);
	if (!parser.is_out_of_memory && !faults->has_failed &&
	    !parser.is_refused) {
		forget_documents(manifest);
		*out_manifest = manifest;
		return WRIT_OK;
	}
	w_manifest_free(manifest);
	if (parser.is_out_of_memory || faults->has_failed)
		return w_fail_nomem(err, STAGE);
	w_faults_sort(faults);
	return manifest_read_refuse(&parser, err);
}
