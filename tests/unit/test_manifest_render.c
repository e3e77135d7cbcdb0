/* SPDX-License-Identifier: Apache-2.0 */

/* Manifests as they are shown, and resources in events. */

#include "manifesting.h"

static const char full[] =
    "data: { os: '{{ Facts.os.name }}', odd: '{{ Facts.odd }}', n: 1.5,\n"
    "  deep: [{ a: null, b: true }], secret: hunter2 }\n"
    "ccm:\n"
    "  pre_message: 'on {{ Data.os }}'\n"
    "  fail_on_error: true\n"
    "  sensitive: [secret]\n"
    "  resources:\n"
    "    - file: { name: /a, content: 'x {{ Data.os }}', mode: 644,\n"
    "        owner: 0, group: root }\n"
    "    - exec:\n"
    "        name: 'run {{ Data.odd }} ''a b'''\n"
    "        alias: 'x ${ \"y\" }'\n"
    "        cwd: '/{{ Data.os }}'\n"
    "        environment: ['A={{ Data.secret }}', 'B=$${x}']\n"
    "        path: /usr/bin\n"
    "        returns: [0, 2]\n"
    "        timeout: 1h30m\n"
    "        creates: /x\n"
    "        removes: [/y]\n"
    "        onlyif: [test -e x, [test, -e, 'a b']]\n"
    "        refresh_only: true\n"
    "        refresh: [kill, '{{ Data.n }}']\n"
    "        subscribe: ['file#{{ \"/a\" }}']\n"
    "        require: [file#/a]\n"
    "        logoutput: on_failure\n"
    "        user: 1000\n"
    "        umask: 27\n"
    "        stdin: in\n"
    "        tries: 2\n"
    "        try_sleep: 1s\n"
    "        limits: { memory: 1MiB, cpu: 1m, processes: 5 }\n"
    "        sandbox: workspace\n"
    "        control: { if: 'Data.n > 1' }\n"
    "        health_checks: [{ command: check_x, timeout: 3s }]\n"
    "    - exec: { name: 'echo {{ Data.os }}', provider: shell }\n"
    "    - exec: { name: s, command: login hunter3, sensitive: true,\n"
    "        environment: [P=hunter4], stdin: hunter5,\n"
    "        onlyif: hunter6, health_checks: [{ command: hunter7,\n"
    "        name: h }] }\n";

static char *
render(const struct w_manifest *manifest, bool is_json)
{
	struct w_buf buf;

	w_buf_init(&buf, 1U << 20);
	w_manifest_render(&buf, manifest, is_json);
	assert_false(buf.failed);
	return w_buf_take(&buf, NULL);
}

static void
what_is_shown_reads_back_to_the_same(void **state)
{
	struct w_manifest *manifest = manifest_of(full);

	(void)state;
	for (int i = 0; i < 2; i++) {
		char *first = render(manifest, i == 0);
		struct w_manifest *again = manifest_of(first);
		char *second = render(again, i == 0);

		assert_string_equal(first, second);
		assert_null(strstr(first, "hunter"));
		assert_int_equal(again->count, manifest->count);
		for (size_t j = 0; j < again->count; j++)
			assert_string_equal(
			    again->resources[j].id, manifest->resources[j].id);
		w_manifest_free(again);
		free(first);
		free(second);
	}
	w_manifest_free(manifest);
}

static void
what_is_early_is_filled_in_and_no_template_any_more(void **state)
{
	struct w_manifest *manifest = manifest_of(full);
	char *text = render(manifest, true);

	(void)state;
	assert_non_null(strstr(text, "\"os\":\"debian\""));
	assert_non_null(strstr(text, "\"odd\":\"{{{{ 40 + 2 }}\""));
	assert_non_null(strstr(text, "\"pre_message\":\"on debian\""));
	assert_non_null(strstr(text,
	    "\"name\":\"run {{{{ 40 + 2 }} 'a b'\",\"alias\":\"x y\","
	    "\"ensure\":\"present\",\"argv\":[\"run\",\"{{{{ 40 + 2 }}\","
	    "\"a b\"]"));
	assert_non_null(strstr(text, "\"cwd\":\"/{{ Data.os }}\""));
	assert_non_null(strstr(text, "\"mode\":\"0644\""));
	assert_non_null(strstr(text, "\"refreshonly\":true"));
	assert_non_null(strstr(text, "\"timeout\":\"1h30m\""));
	assert_non_null(strstr(text, "\"umask\":\"0027\""));
	assert_non_null(strstr(text, "\"command\":\"echo 'debian'\""));
	assert_non_null(strstr(text, "\"secret\":\"(sensitive)\""));
	free(text);
	w_manifest_free(manifest);
}

static const char *
properties(const struct w_resource *resource, const struct w_filled *filled)
{
	static char text[4096];
	struct w_buf buf;

	w_buf_init(&buf, sizeof(text) - 1);
	w_resource_add_properties(&buf, resource, filled);
	assert_false(buf.failed);
	memcpy(text, buf.data, buf.len + 1);
	w_buf_done(&buf);
	return text;
}

static void
events_have_what_was_filled_in(void **state)
{
	static const char *const argv[] = {"echo", "a b", "{{ x }}", NULL};
	static const char *const environment[] = {"A=(sensitive)", NULL};
	static const char *const creates[] = {"/made", NULL};
	const struct w_filled filled = {.argv = argv,
	    .cwd = "/debian",
	    .environment = environment,
	    .creates = creates};
	struct w_manifest *manifest = manifest_of(
	    "ccm:\n  resources:\n"
	    "    - exec: { name: n, command: 'echo {{ Environ.x }}',\n"
	    "        cwd: '/{{ 1 }}', environment: ['A={{ 1 }}'],\n"
	    "        creates: '/{{ 2 }}' }\n"
	    "    - exec: { name: /bin/true 1 }\n"
	    "    - exec: { name: w, argv: [a, 'b c'] }\n");

	(void)state;
	assert_string_equal(properties(&manifest->resources[0], &filled),
	    "{\"name\":\"n\",\"ensure\":\"present\","
	    "\"command\":\"echo 'a b' '{{ x }}'\",\"cwd\":\"/debian\","
	    "\"environment\":[\"A=(sensitive)\"],\"creates\":[\"/made\"]}");
	assert_string_equal(properties(&manifest->resources[0], NULL),
	    "{\"name\":\"n\",\"ensure\":\"present\","
	    "\"command\":\"echo {{ Environ.x }}\",\"cwd\":\"/{{ 1 }}\","
	    "\"environment\":[\"A={{ 1 }}\"],\"creates\":[\"/{{ 2 }}\"]}");
	assert_string_equal(properties(&manifest->resources[1], NULL),
	    "{\"name\":\"/bin/true 1\",\"ensure\":\"present\","
	    "\"command\":\"/bin/true 1\"}");
	assert_string_equal(properties(&manifest->resources[2], &filled),
	    "{\"name\":\"w\",\"ensure\":\"present\","
	    "\"command\":\"echo 'a b' '{{ x }}'\",\"argv\":[\"echo\",\"a b\","
	    "\"{{ x }}\"],\"cwd\":\"/debian\"}");
	w_manifest_free(manifest);
}

static void
events_do_not_tell_what_is_sensitive(void **state)
{
	static const char *const argv[] = {"login", "hunter3", NULL};
	const struct w_filled filled = {.argv = argv, .content = "hunter2"};
	struct w_manifest *manifest = manifest_of(full);
	const struct w_resource *resource = &manifest->resources[3];
	struct w_manifest *other = manifest_of(
	    "ccm:\n  resources:\n"
	    "    - file: { name: /a, content: hunter2, sensitive: true }\n");

	(void)state;
	assert_string_equal(properties(resource, &filled),
	    "{\"name\":\"s\",\"ensure\":\"present\","
	    "\"command\":\"(sensitive)\",\"environment\":[\"P=(sensitive)\"],"
	    "\"onlyif\":[\"(sensitive)\"],\"stdin\":\"(sensitive)\","
	    "\"health_checks\":[{\"name\":\"h\",\"command\":\"(sensitive)\","
	    "\"tries\":1,\"try_sleep\":\"1s\",\"format\":\"nagios\"}],"
	    "\"sensitive\":true}");
	assert_null(
	    strstr(properties(&other->resources[0], &filled), "hunter"));
	assert_null(strstr(properties(&other->resources[0], NULL), "hunter"));
	w_manifest_free(other);
	w_manifest_free(manifest);
}

static void
long_content_is_told_by_its_digest(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    "ccm:\n  resources:\n    - file: { name: /a, content: x }\n");
	char *content = calloc(1, (64 << 10) + 2);
	const struct w_filled filled = {.content = content};
	const char *text;

	(void)state;
	assert_non_null(content);
	memset(content, 'a', (64 << 10) + 1);
	text = properties(&manifest->resources[0], &filled);
	assert_non_null(strstr(text, "\"content_bytes\":65537"));
	assert_non_null(strstr(text, "\"content_sha256\":\""));
	assert_true(strlen(text) < 1000);
	free(content);
	w_manifest_free(manifest);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_shown_reads_back_to_the_same),
	    cmocka_unit_test(
		what_is_early_is_filled_in_and_no_template_any_more),
	    cmocka_unit_test(events_have_what_was_filled_in),
	    cmocka_unit_test(events_do_not_tell_what_is_sensitive),
	    cmocka_unit_test(long_content_is_told_by_its_digest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
