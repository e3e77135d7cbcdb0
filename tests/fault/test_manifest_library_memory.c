/* SPDX-License-Identifier: Apache-2.0 */

/* Reading a manifest by the library, opening an apply and asking it, while
 * every allocation fails once: it works, or is an error with words that leaves
 * nothing behind. */

#include "../unit/manifest_host.h"
#include "inject.h"

static const char text[] =
    "data: {x: 1}\nccm:\n  resources:\n"
    "  - exec: {name: 'a-{{ Facts.role }}', command: /bin/true}\n"
    "  - exec: {name: b, command: /bin/true, refreshonly: true,\n"
    "      subscribe: ['exec#a-web']}\n";

static writ_status
read_all(writ_error *err)
{
	static const char *const facts[] = {"role=web", NULL};
	static const writ_manifest_text more[] = {{"d", "data: {y: 2}\n", 13}};
	static const char *const tags[] = {"none", NULL};
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;
	writ_apply_options how = standard();
	writ_manifest *manifest = NULL;
	writ_apply *apply = NULL;
	char *json = NULL;
	size_t len;

	options.file = "site.yaml";
	options.dir = temp.path;
	options.facts = facts;
	options.data = more;
	options.data_count = 1;
	how.skip_tags = tags;
	writ_status status = writ_manifest_read(
	    text, sizeof(text) - 1, &options, &manifest, err);
	if (status == WRIT_OK)
		status = writ_manifest_render(manifest, true, &json, &len, err);
	free(json);
	json = NULL;
	if (status == WRIT_OK)
		status = writ_apply_open(manifest, &how, &apply, err);
	if (status == WRIT_OK)
		status = writ_apply_json(apply, &json, &len, err);
	free(json);
	writ_apply_free(apply);
	writ_manifest_free(manifest);
	return status;
}

static writ_status
read_one(writ_error *err)
{
	static const char json[] = "{\"name\": \"/bin/true\"}";
	writ_manifest *manifest = NULL;
	const writ_status status = writ_manifest_read_resource(
	    "exec", json, sizeof(json) - 1, NULL, &manifest, err);

	writ_manifest_free(manifest);
	return status;
}

static void
sweep(writ_status (*try)(writ_error *))
{
	const int fds = count_fds();
	bool was_refused = true;
	unsigned nth = 1;

	for (; was_refused; nth++) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		const writ_status status = try(&err);
		was_refused = inject_disarm();
		if (status != WRIT_OK)
			assert_true(err.message[0] != '\0');
		if (!was_refused)
			assert_int_equal(status, WRIT_OK);
	}
	assert_true(nth > 10);
	assert_int_equal(count_fds(), fds);
}

static void
each_allocation_of_a_document_may_fail(void **state)
{
	(void)state;
	sweep(read_all);
}

static void
each_allocation_of_a_resource_may_fail(void **state)
{
	(void)state;
	sweep(read_one);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    LIBRARY(each_allocation_of_a_document_may_fail),
	    LIBRARY(each_allocation_of_a_resource_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
