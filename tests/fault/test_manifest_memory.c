/* SPDX-License-Identifier: Apache-2.0 */

/* Every allocation fails once while a manifest is read and shown: it is whole,
 * or there is none. */

#include "../unit/manifesting.h"
#include "surviving.h"

static const char good[] =
    "data: { os: '{{ Facts.os.name }}', list: [1, { a: b }], secret: x }\n"
    "ccm:\n"
    "  pre_message: 'on {{ Data.os }}'\n"
    "  sensitive: [secret, environ.TOKEN, list.1.a]\n"
    "  resources:\n"
    "    - file: { name: /a, content: 'x {{ Data.os }}', mode: 644 }\n"
    "    - exec:\n"
    "        - defaults: { require: [file#/a], subscribe: [file#/a] }\n"
    "        - 'run {{ Data.os }} \"a b\"':\n"
    "            alias: x\n"
    "            cwd: '/{{ Data.os }}'\n"
    "            environment: ['A={{ Data.secret }}']\n"
    "            onlyif: [test -e 'x', [test, -e, 'a b']]\n"
    "            returns: [0, 2]\n"
    "            control: { if: 'Data.list[0] > 1' }\n"
    "            health_checks: [{ command: check_x, timeout: 3s }]\n"
    "        - two: { provider: shell, command: 'echo {{ Data.os }}',\n"
    "            sensitive: true, environment: [A=b] }\n"
    "        - '{{ Data.os }} y': { provider: shell }\n";

static const char bad[] =
    "data: { os: '{{ Facts.os.name }}' }\n"
    "ccm:\n"
    "  sensitive: [nope]\n"
    "  resources:\n"
    "    - exec: { name: a, comand: b, timeout: 1x, require: [exec#z] }\n"
    "    - exec: { name: '{{ Data.nope }} x', onlyif: \"a 'b\" }\n"
    "    - exec: { name: 'a {{ 1 + }}', path: b, subscribe: [c] }\n";

static writ_status
read_good(writ_error *err)
{
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_status status = manifest_test_read(good, &faults, &manifest, err);

	if (status == WRIT_OK)
		assert_int_equal(manifest->count, 4);
	else
		assert_null(manifest);
	w_manifest_free(manifest);
	w_faults_done(&faults);
	return status;
}

/* All faults are told, or none is missed in silence. */
static writ_status
read_bad(writ_error *err)
{
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_status status = manifest_test_read(bad, &faults, &manifest, err);

	assert_null(manifest);
	if (status == WRIT_E_INVALID)
		assert_int_equal(faults.count, 9);
	w_faults_done(&faults);
	return status == WRIT_E_INVALID ? WRIT_OK : status;
}

static struct w_manifest *shown;

static writ_status
render(writ_error *err)
{
	writ_status status = WRIT_OK;

	for (int i = 0; i < 2 && status == WRIT_OK; i++) {
		struct w_buf buf;

		w_buf_init(&buf, 1U << 20);
		w_manifest_render(&buf, shown, i == 0);
		if (buf.failed)
			status = w_fail_nomem(err, "test");
		w_buf_done(&buf);
	}
	return status;
}

static void
reading_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(read_good, 20, 2000);
	survive_each_allocation(read_bad, 20, 2000);
}

static void
rendering_survives_each_failed_allocation(void **state)
{
	(void)state;
	shown = manifest_of(good);
	survive_each_allocation(render, 5, 2000);
	w_manifest_free(shown);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reading_survives_each_failed_allocation),
	    cmocka_unit_test(rendering_survives_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
