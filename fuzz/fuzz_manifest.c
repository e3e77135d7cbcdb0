/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Manifests: what is read has the promised form, and is the same when it is
 * rendered and read again; what is refused says where and why, in harmless
 * lines, all of it in the order of the document.
 */

#include "manifest/manifest.h"

#include "check.h"

static const struct w_value *
find_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	static const struct w_value_member members[] = {
	    {"a", 1, {.kind = W_VALUE_STRING, .as.string = {"x y", 3}}},
	    {"b", 1,
		{.kind = W_VALUE_STRING, .as.string = {"{{ 1 }} ${ 2 }", 14}}},
	    {"c", 1, {.kind = W_VALUE_INT, .as.integer = 7}},
	};
	static const struct w_value map = {
	    .kind = W_VALUE_MAP, .as.map = {members, 3}};

	(void)ctx;
	(void)err;
	CHECK(root != W_ROOT_DATA);
	return &map;
}

static const struct w_expr_scope scope = {.root = find_root};

static writ_status
read_manifest(const char *text, size_t len, struct w_faults *faults,
    struct w_manifest **out_manifest, writ_error *err)
{
	const struct w_manifest_input input = {.file = "fuzz.yaml",
	    .dir = "/",
	    .text = text,
	    .len = len,
	    .scope = &scope};

	return w_manifest_read(&input, faults, out_manifest, err);
}

static void
check_faults(const struct w_faults *faults)
{
	CHECK(faults->count <= W_FAULTS_MAX && !faults->has_failed);
	for (size_t i = 0; i < faults->count; i++) {
		const writ_manifest_fault *fault = &faults->items[i];

		CHECK(fault->message[0] != '\0');
		check_line(fault->message, strlen(fault->message) + 1);
		if (fault->suggestion != NULL)
			check_line(
			    fault->suggestion, strlen(fault->suggestion) + 1);
		CHECK(fault->line > 0 && fault->column > 0);
		CHECK(i == 0 || fault->line > fault[-1].line ||
		      (fault->line == fault[-1].line &&
			  fault->column >= fault[-1].column));
	}
}

static void
check_references(const struct w_resource *resource,
    const struct w_manifest *manifest, const struct w_reference_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct w_reference *reference = &list->items[i];

		CHECK(reference->target < resource->index);
		const struct w_resource *target =
		    &manifest->resources[reference->target];
		CHECK(strcmp(w_resource_word(target->type), reference->type) ==
		      0);
		CHECK(strcmp(target->name.text, reference->name) == 0 ||
		      strcmp(target->extras->alias.text, reference->name) == 0);
		CHECK(
		    w_manifest_find(manifest, reference->type, reference->name,
			resource->index) == reference->target);
	}
}

static void
check_exec(const struct w_exec_resource *exec)
{
	CHECK(exec->settings->tries >= 1 &&
	      exec->settings->tries <= W_MANIFEST_TRIES_MAX);
	CHECK(exec->settings->umask <= 0777);
	CHECK(exec->command.line.template.parts == NULL ||
	      exec->command.words.count == 0);
	for (size_t i = 0; i < exec->settings->return_count; i++)
		CHECK(exec->settings->returns[i] >= 0 &&
		      exec->settings->returns[i] <= 255);
	for (size_t i = 0; i < exec->creates.count; i++)
		CHECK(exec->creates.items[i].template.parts != NULL);
	for (size_t i = 0; i < exec->guards->onlyif.count; i++)
		CHECK((exec->guards->onlyif.items[i].line.template.parts !=
			  NULL) !=
		      (exec->guards->onlyif.items[i].words.count > 0));
}

static void
check_manifest(const struct w_manifest *manifest)
{
	CHECK(manifest->count > 0);
	CHECK(manifest->data.kind == W_VALUE_MAP);
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];

		CHECK(resource->index == i && resource->at.line > 0);
		CHECK(resource->name.text[0] != '\0');
		CHECK(resource->ensure != NULL && resource->provider != NULL);
		check_references(resource, manifest, &resource->require);
		for (size_t j = 0; j < resource->extras->health_count; j++)
			CHECK(resource->extras->health_checks[j].name != NULL &&
			      resource->extras->health_checks[j].tries > 0);
		if (resource->type == W_RESOURCE_EXEC) {
			check_references(resource, manifest,
			    &resource->as.exec.guards->subscribe);
			check_exec(&resource->as.exec);
		} else if (resource->type == W_RESOURCE_FILE) {
			CHECK(resource->name.text[0] == '/');
			CHECK(resource->as.file->mode <= 07777);
		}
	}
}

static char *
render(const struct w_manifest *manifest, bool is_json, size_t *out_len)
{
	struct w_buf buf;

	w_buf_init(&buf, (size_t)1 << 28);
	w_manifest_render(&buf, manifest, is_json);
	CHECK(!buf.failed);
	return w_buf_take(&buf, out_len);
}

static void
check_properties(const struct w_manifest *manifest)
{
	for (size_t i = 0; i < manifest->count; i++) {
		struct w_buf buf;

		w_buf_init(&buf, (size_t)1 << 28);
		w_resource_add_properties(&buf, &manifest->resources[i], NULL);
		CHECK(!buf.failed);
		yyjson_doc *doc = yyjson_read(buf.data, buf.len, 0);
		CHECK(doc != NULL);
		yyjson_doc_free(doc);
		w_buf_done(&buf);
	}
}

static void
check_rendered(const struct w_manifest *manifest, bool is_json)
{
	struct w_faults faults = {.items = NULL};
	struct w_manifest *again = NULL;
	writ_error err = {.status = WRIT_OK};
	size_t len;
	size_t again_len;
	char *first = render(manifest, is_json, &len);

	if (read_manifest(first, len, &faults, &again, &err) != WRIT_OK) {
		(void)fprintf(stderr, "%s\n%s\n", err.message, first);
		abort();
	}
	char *second = render(again, is_json, &again_len);
	if (strcmp(first, second) != 0) {
		(void)fprintf(stderr, "%s\n---\n%s\n", first, second);
		abort();
	}
	free(first);
	free(second);
	w_manifest_free(again);
	w_faults_done(&faults);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    read_manifest(text, size, &faults, &manifest, &err);

	check_faults(&faults);
	if (status == WRIT_OK) {
		CHECK(faults.count == 0);
		check_manifest(manifest);
		check_properties(manifest);
		check_rendered(manifest, true);
		check_rendered(manifest, false);
		w_manifest_free(manifest);
	} else {
		CHECK(manifest == NULL);
		CHECK(faults.count > 0);
		check_error(&err, status);
	}
	w_faults_done(&faults);
	free(text);
	return 0;
}
