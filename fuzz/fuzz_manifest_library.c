/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Manifests by <writ/manifest.h>, as a host reads them: a document, or the
 * properties of one resource. What is refused has an error and a fault with a
 * place in what the host gave; what is read can be looked at and rendered, and
 * a noop apply that allows nothing has an event in JSON for each resource.
 *
 * The first byte chooses: how it is read, and what belongs to it.
 */

#include <yyjson.h>

#include <writ/manifest.h>

#include "check.h"

enum {
	IS_RESOURCE = 1,
	IS_FILE = 2,
	HAS_FACTS = 4,
	HAS_DATA = 8,
	RESOURCES_MAX = 50
};

static const char policy[] = "version: 1\ndefault: deny\nsandbox: none\n"
			     "agents: {manifest: {}}\n";

static writ_engine *
engine_of_all(void)
{
	static writ_engine *engine;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	options.policy = policy;
	options.policy_len = sizeof(policy) - 1;
	options.no_audit = true;
	if (engine == NULL)
		CHECK(writ_engine_new(&options, &engine, NULL) == WRIT_OK);
	return engine;
}

/* How many lines the input has, for the places of faults. The end of a text
 * without a line break is on a line of its own. */
static unsigned
lines_of(const char *text, size_t len)
{
	unsigned lines = 2;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n' || text[i] == '\r' ||
			 (unsigned char)text[i] >= 0x80;
	return lines;
}

struct faulty {
	size_t count;
	unsigned lines;
};

static void
on_faults(void *ctx, const writ_manifest_faults *faults)
{
	struct faulty *faulty = ctx;

	CHECK(faults->size == sizeof(*faults));
	CHECK(faults->count + faults->warning_count > 0);
	for (size_t i = 0; i < faults->count; i++) {
		CHECK(faults->items[i].message[0] != '\0');
		CHECK(faults->items[i].line <= faulty->lines);
	}
	faulty->count = faults->count;
}

static void
on_event(void *ctx, const writ_event *event)
{
	size_t *count = ctx;
	yyjson_doc *doc = yyjson_read(event->json, event->json_len, 0);

	CHECK(yyjson_is_obj(yyjson_doc_get_root(doc)));
	yyjson_doc_free(doc);
	CHECK(event->noop && writ_event_verdict(event) <= WRIT_VERDICT_STABLE);
	(*count)++;
}

/* Nothing is waited for. */
static bool
stop(void *ctx)
{
	(void)ctx;
	return true;
}

static void
apply(writ_manifest *manifest)
{
	writ_apply_options options = WRIT_APPLY_OPTIONS_INIT;
	writ_apply_watch watch = WRIT_APPLY_WATCH_INIT;
	writ_apply_result result = {.size = sizeof(result)};
	writ_error err = {.status = WRIT_OK};
	size_t count = 0;

	options.noop = true;
	options.in_memory = true;
	watch.on_event = on_event;
	watch.on_wake = stop;
	watch.tick_ms = 1;
	watch.ctx = &count;
	writ_status status = writ_manifest_apply(
	    engine_of_all(), manifest, &options, &watch, &result, &err);
	if (status == WRIT_OK)
		CHECK(result.events == count);
	else
		CHECK(err.message[0] != '\0');
}

static void
check_read(writ_manifest *manifest)
{
	writ_manifest_resource resource = {.size = sizeof(resource)};
	const size_t count = writ_manifest_count(manifest);
	char *text = NULL;
	size_t len;

	for (size_t i = 0; i < count; i++) {
		CHECK(writ_manifest_look(manifest, i, &resource, NULL) ==
		      WRIT_OK);
		CHECK(resource.id != NULL && resource.name[0] != '\0');
	}
	CHECK(writ_manifest_look(manifest, count, &resource, NULL) ==
	      WRIT_E_INVALID);
	CHECK(
	    writ_manifest_render(manifest, true, &text, &len, NULL) == WRIT_OK);
	yyjson_doc *doc = yyjson_read(text, len, 0);
	CHECK(doc != NULL);
	yyjson_doc_free(doc);
	free(text);
	if (count <= RESOURCES_MAX)
		apply(manifest);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const facts[] = {"role=web", "a.b=1", NULL};
	static const writ_manifest_text more[] = {
	    {"more", "data: {x: 1}\n", 13}};
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;
	writ_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	if (size == 0 || size > 65536)
		return 0;
	const unsigned how = data[0];
	char *text = copy_exact(data + 1, size - 1);
	struct faulty faulty = {.lines = lines_of(text, size - 1)};

	options.dir = "/proc/self/fdinfo";
	options.facts = (how & HAS_FACTS) != 0 ? facts : NULL;
	options.data = more;
	options.data_count = (how & HAS_DATA) != 0;
	options.on_faults = on_faults;
	options.faults_ctx = &faulty;
	const writ_status status =
	    (how & IS_RESOURCE) != 0
		? writ_manifest_read_resource(
		      (how & IS_FILE) != 0 ? "file" : "exec", text, size - 1,
		      &options, &manifest, &err)
		: writ_manifest_read(text, size - 1, &options, &manifest, &err);
	CHECK((status == WRIT_OK) == (manifest != NULL));
	if (status == WRIT_OK)
		check_read(manifest);
	else
		CHECK(err.status == status && err.message[0] != '\0' &&
		      err.line <= faulty.lines);
	writ_manifest_free(manifest);
	free(text);
	return 0;
}
