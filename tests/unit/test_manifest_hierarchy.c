/* SPDX-License-Identifier: Apache-2.0 */

/* Data by machine, and the conditions on it. */

#include <sys/stat.h>
#include <unistd.h>

#include "manifesting.h"

#define TAIL "ccm: { resources: [exec: { name: a }] }\n"

static char dir[] = "/tmp/writ-hierarchy.XXXXXX";

static void
put(const char *name, const char *text)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* The data as JSON, or the faults; warnings behind. */
static const char *
read_data(const char *text, const writ_manifest_text *hiera)
{
	static char out[4096];
	struct w_faults faults = {.items = NULL};
	struct w_faults warnings = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};
	W_AUTO_BUF struct w_buf said;
	const struct w_manifest_input input = {.file = "m.yaml",
	    .dir = dir,
	    .text = text,
	    .len = strlen(text),
	    .scope = &manifest_test_scope,
	    .reads_files = true,
	    .hiera = hiera,
	    .hiera_count = hiera != NULL,
	    .warnings = &warnings};

	w_buf_init(&said, sizeof(out));
	if (w_manifest_read(&input, &faults, &manifest, &err) == WRIT_OK)
		w_value_add_json(&said, &manifest->data, false);
	for (size_t i = 0; i < faults.count; i++)
		w_buf_add_fmt(&said, "%s%u:%u: %s", i > 0 ? "; " : "",
		    faults.items[i].line, faults.items[i].column,
		    faults.items[i].message);
	for (size_t i = 0; i < warnings.count; i++)
		w_buf_add_fmt(&said, "; warning %u:%u: %s",
		    warnings.items[i].line, warnings.items[i].column,
		    warnings.items[i].message);
	(void)snprintf(out, sizeof(out), "%s", said.data);
	w_manifest_free(manifest);
	w_faults_done(&faults);
	w_faults_done(&warnings);
	return out;
}

#define ORDER "hierarchy: {order: ['os:{{ Facts.os.name }}', all], merge: "
#define OVERRIDES                                              \
	"data: {level: INFO, list: [a], map: {x: 1, y: 2}}\n"  \
	"overrides:\n"                                         \
	"  os:debian: {level: WARN, list: [b], map: {y: 3}}\n" \
	"  all: {level: ALL, more: true}\n"

static void
first_takes_one_and_deep_takes_all(void **state)
{
	(void)state;
	assert_string_equal(read_data(ORDER "first}\n" OVERRIDES TAIL, NULL),
	    "{\"level\":\"WARN\",\"list\":[\"b\"],\"map\":{\"y\":3}}");
	assert_string_equal(read_data(ORDER "deep}\n" OVERRIDES TAIL, NULL),
	    "{\"level\":\"ALL\",\"list\":[\"a\",\"b\"],\"map\":{\"x\":1,"
	    "\"y\":3},\"more\":true}");
	/* Without an order it is [default]. */
	assert_string_equal(
	    read_data(
		"data: {a: 1}\noverrides: {default: {a: 2}}\n" TAIL, NULL),
	    "{\"a\":2}");
	/* What is there for no machine is passed over. */
	assert_string_equal(
	    read_data("hierarchy: {order: [\"{{ lookup('facts.no') }}\", "
		      "'x{{ lookup(\"facts.no\") }}', nope]}\n"
		      "overrides: {x: {a: 1}}\n" TAIL,
		NULL),
	    "{}");
}

static void
files_of_data_are_read(void **state)
{
	(void)state;
	put("os:debian.yaml", "level: FILE\nhome: '{{ Environ.HOME }}'\n");
	put("empty.yaml", "");
	assert_string_equal(
	    read_data("hierarchy: {order: [nope, empty, 'os:{{ Facts.os.name "
		      "}}'], merge: deep, files: .}\n"
		      "overrides: {os:debian: {level: HERE}}\n" TAIL,
		NULL),
	    "{\"level\":\"HERE\",\"home\":\"/home/me\"}");
	put("bad.yaml", "a: 1\nb: {{ 1 }\n");
	put("list.json", "[1]");
	put("texts.yaml", "a:\n  b: '{{ Facts.nope }}'\n");
	assert_string_equal(
	    read_data("hierarchy: {order: [bad], files: .}\n" TAIL, NULL),
	    "1:34: ./bad.yaml:2:5: a key must be a word");
	assert_string_equal(
	    read_data("hierarchy: {order: [list], files: .}\n" TAIL, NULL),
	    "1:35: ./list.json:1:1: data must be a map, not a list");
	assert_string_equal(
	    read_data("hierarchy: {order: [texts], files: .}\n" TAIL, NULL),
	    "1:36: ./texts.yaml:2:6: no member 'nope' in Facts");
	assert_string_equal(
	    read_data("hierarchy: {order: ['../x'], files: .}\n" TAIL, NULL),
	    "1:37: files: './../x.yaml' leads out of the directory of the "
	    "manifest");
}

static void
a_source_of_data_goes_over_that_of_the_manifest(void **state)
{
	static const char text[] =
	    "data: {port: 9, list: [b]}\n"
	    "hierarchy: {order: ['{{ Facts.os.name }}']}\n"
	    "overrides: {debian: {port: 10}}\n";
	static const char bad[] = "data: {}\ndatta: {}\n";
	const writ_manifest_text hiera = {"h.yaml", text, strlen(text)};
	const writ_manifest_text wrong = {"h.yaml", bad, strlen(bad)};

	(void)state;
	assert_string_equal(
	    read_data("data: {port: 1, list: [a], own: 1}\n" TAIL, &hiera),
	    "{\"port\":10,\"list\":[\"a\",\"b\"],\"own\":1}");
	assert_string_equal(read_data(TAIL, &wrong),
	    "1:1: h.yaml:2:1: a source of data has no key 'datta'");
}

static void
faults_of_a_hierarchy_are_told(void **state)
{
	(void)state;
	assert_string_equal(read_data("hierarchy: {merge: x}\n" TAIL, NULL),
	    "1:20: unsupported merge mode: x");
	assert_string_equal(
	    read_data("hierarchy: {order: a, mrge: deep}\n" TAIL, NULL),
	    "1:23: hierarchy has no key 'mrge'");
	assert_string_equal(read_data("hierarchy: {order: a}\n" TAIL, NULL),
	    "1:20: hierarchy.order must be a list");
	assert_string_equal(
	    read_data("hierarchy: {order: [1, '{{']}\n" TAIL, NULL),
	    "1:21: hierarchy.order must contain only strings; 1:24: "
	    "hierarchy.order: this '{{' is never closed");
	assert_string_equal(read_data("overrides: 1\n" TAIL, NULL),
	    "1:12: overrides must be a map, not a number");
	/* Also in an override for another machine. */
	assert_string_equal(
	    read_data("overrides: {other: {a: ['{{']}}\n" TAIL, NULL),
	    "1:26: data: this '{{' is never closed");
}

static void
annotations_are_conditions(void **state)
{
	(void)state;
	assert_string_equal(
	    read_data("data:\n"
		      "  # Who it runs as\n"
		      "  # @require\n"
		      "  user: bob\n"
		      "  # @require\n"
		      "  # @validate isIPv4(value)\n"
		      "  address: 10.0.0.1\n"
		      "  # @required\n"
		      "  off: false\n"
		      "  deep:\n"
		      "    # @validate value matches '^[a-z]+$'\n"
		      "    name: abc\n"
		      "  text: |\n"
		      "    a\n"
		      "    # @require\n"
		      "  none: ''\n" TAIL,
		NULL),
	    "{\"user\":\"bob\",\"address\":\"10.0.0.1\",\"off\":false,"
	    "\"deep\":{\"name\":\"abc\"},\"text\":\"a\\n# "
	    "@require\\n\",\"none\":\"\"}");
	assert_string_equal(read_data("data:\n"
				      "  # @require\n"
				      "  user: ''\n"
				      "  # @validate isIPv4(value)\n"
				      "  address: hunter2\n"
				      "  # @validate int(value) > 1\n"
				      "  port: hunter2\n"
				      "  deep:\n"
				      "    # @validate isInt(\n"
				      "    # @requier\n"
				      "    n: 1\n" TAIL,
				NULL),
	    "2:5: data: key 'user' is required but has no value; 4:15: data: "
	    "key 'address' failed validation 'isIPv4(value)'; 6:15: data: key "
	    "'port' validation 'int(value) > 1' failed: the secret is not a "
	    "whole number that fits; 9:17: data: key 'deep.n' validation "
	    "'isInt(' failed: the expression ends where a value should be; "
	    "warning 10:8: '@requier' in a comment of data is no annotation");
	/* An override may bring what is required. */
	assert_string_equal(
	    read_data("data:\n  # @require\n  user:\n"
		      "overrides: {default: {user: ann}}\n" TAIL,
		NULL),
	    "{\"user\":\"ann\"}");
}

static int
make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) == NULL ? -1 : 0;
}

static int
remove_dir(void **state)
{
	static const char *const names[] = {"os:debian.yaml", "empty.yaml",
	    "bad.yaml", "list.json", "texts.yaml"};
	char path[256];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		(void)unlink(path);
	}
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(first_takes_one_and_deep_takes_all),
	    cmocka_unit_test(files_of_data_are_read),
	    cmocka_unit_test(a_source_of_data_goes_over_that_of_the_manifest),
	    cmocka_unit_test(faults_of_a_hierarchy_are_told),
	    cmocka_unit_test(annotations_are_conditions),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
