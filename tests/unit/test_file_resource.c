/* SPDX-License-Identifier: Apache-2.0 */
#include "filing.h"

#include "base/auto.h"
#include "manifest/file/file_resource.h"

/* The file resource of manifests, with real manifests and files. */

static struct w_manifest *manifest;
static struct w_arena arena;
static struct w_file_resource_outcome outcome;

static const struct w_value *
no_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	static const struct w_value empty = {.kind = W_VALUE_MAP};

	(void)ctx;
	(void)root;
	(void)err;
	return &empty;
}

static const struct w_expr_scope outer = {.root = no_root};

static void
read_manifest(const struct filing *filing, const char *text)
{
	const struct w_manifest_input input = {
	    .file = "m.yaml",
	    .dir = filing->temp.path,
	    .text = text,
	    .len = strlen(text),
	    .scope = &outer,
	};
	struct w_faults faults = {.count = 0};
	writ_error err = {.message = ""};

	w_manifest_free(manifest);
	manifest = NULL;
	if (w_manifest_read(&input, &faults, &manifest, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	w_faults_done(&faults);
}

/* Applies the one resource of a manifest; %s in the text is the directory. */
static void
apply(struct filing *filing, const char *format, bool noop)
{
	char text[2048];
	struct w_manifest_scope scope;
	writ_error err = {.message = ""};

	const char *mark = strstr(format, "@");
	assert_non_null(mark);
	(void)snprintf(text, sizeof(text), "%.*s%s%s", (int)(mark - format),
	    format, filing->temp.path, mark + 1);
	read_manifest(filing, text);
	w_manifest_scope_init(&scope, manifest, &outer);
	const struct w_file_resource_job job = {
	    .engine = filing->engine,
	    .manifest = manifest,
	    .resource = &manifest->resources[0],
	    .scope = &scope.scope,
	    .noop = noop,
	    .agent = "manifest",
	    .trace_id = "t",
	    .arena = &arena,
	};
	outcome = (struct w_file_resource_outcome){.changed = false};
	if (w_resource_apply_file(&job, &outcome, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_non_null(outcome.status);
	assert_non_null(strstr(outcome.status,
	    "\"protocol\":\"io.choria.ccm.v1.resource.file.state\""));
}

static int
tear_down(void **state)
{
	w_manifest_free(manifest);
	manifest = NULL;
	w_arena_done(&arena);
	return filing_tear_down(state);
}

#define FILE_OF(properties) \
	"ccm:\n"            \
	"  resources:\n"    \
	"    - file:\n"     \
	"        name: @/d/f\n" properties
#define OWNED                            \
	"        owner: \"" OWNER "\"\n" \
	"        group: \"" GROUP "\"\n" \
	"        mode: \"0644\"\n"

/* Filled in before the tests run: the owner of the files. */
#define OWNER "%u"
#define GROUP "%u"

static const char *
owned(const char *format)
{
	static char text[2048];
	const char *at = format;
	size_t len = 0;
	bool is_group = false;

	for (; *at != '\0' && len < sizeof(text) - 16; at++) {
		if (strncmp(at, "%u", 2) != 0) {
			text[len++] = *at;
			continue;
		}
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%u",
		    is_group ? getegid() : geteuid());
		is_group = !is_group;
		at++;
	}
	text[len] = '\0';
	return text;
}

static void
a_file_is_made_and_then_stable(void **state)
{
	struct filing *filing = *state;
	const char *text =
	    owned(FILE_OF("        content: \"hello\\n\"\n" OWNED));

	apply(filing, text, true);
	assert_true(outcome.changed);
	assert_string_equal(
	    outcome.noop_message, "Would have created the file");
	assert_string_equal(outcome.final_ensure, "absent");
	assert_non_null(strstr(outcome.diff, "+hello\n"));
	assert_int_equal(entries(filing, "d"), 0);
	apply(filing, text, false);
	assert_true(outcome.changed);
	assert_false(outcome.failed);
	assert_null(outcome.noop_message);
	assert_string_equal(outcome.final_ensure, "present");
	assert_non_null(outcome.run_id);
	assert_non_null(strstr(outcome.status, "\"mode\":\"0644\""));
	assert_non_null(strstr(outcome.status, "\"checksum\":\"5891b5b5"));
	assert_string_equal(outcome.filled.content, "hello\n");
	assert_text(filing, "d/f", "hello\n");
	apply(filing, text, false);
	assert_false(outcome.changed);
	assert_non_null(strstr(outcome.status, "\"stable\":true"));
	assert_null(outcome.run_id);
}

/* D15: 644, "0644" and 0o644 are one mode. */
static void
modes_converge_however_they_are_spelled(void **state)
{
	static const char *const modes[] = {"\"644\"", "\"0644\"", "\"0o644\""};
	struct filing *filing = *state;

	temp_file(&filing->temp, "d/f", 0644, "");
	for (size_t i = 0; i < 3; i++) {
		char text[512];

		(void)snprintf(text, sizeof(text),
		    FILE_OF("        owner: \"%u\"\n        group: \"%u\"\n"
			    "        mode: %s\n"),
		    geteuid(), getegid(), modes[i]);
		apply(filing, text, false);
		assert_false(outcome.failed);
		assert_false(outcome.changed);
	}
}

static void
noop_says_what_would_be_done(void **state)
{
	struct filing *filing = *state;

	apply(filing, owned(FILE_OF(OWNED)), true);
	assert_string_equal(outcome.noop_message,
	    "Would have created an empty file with requested attributes");
	temp_file(&filing->temp, "d/f", 0600, "x");
	apply(filing, owned(FILE_OF(OWNED)), true);
	assert_string_equal(
	    outcome.noop_message, "Would have updated attributes");
	apply(filing, owned(FILE_OF("        content: y\n" OWNED)), true);
	assert_string_equal(
	    outcome.noop_message, "Would have changed the file");
	apply(filing, FILE_OF("        ensure: absent\n"), true);
	assert_string_equal(
	    outcome.noop_message, "Would have removed the file");
	assert_int_equal(unlinkat(filing->temp.fd, "d/f", 0), 0);
	apply(
	    filing, owned(FILE_OF("        ensure: directory\n" OWNED)), true);
	assert_string_equal(
	    outcome.noop_message, "Would have created directory");
	temp_dir(&filing->temp, "d/f");
	apply(filing, FILE_OF("        ensure: absent\n"), true);
	assert_string_equal(
	    outcome.noop_message, "Would have removed the directory");
	apply(filing, FILE_OF("        ensure: absent\n        force: true\n"),
	    true);
	assert_string_equal(outcome.noop_message,
	    "Would have recursively removed the directory");
	assert_true(temp_has(&filing->temp, "d/f"));
}

static void
failures_have_their_words_and_a_state(void **state)
{
	struct filing *filing = *state;

	temp_dir(&filing->temp, "d/f");
	apply(filing, owned(FILE_OF("        content: x\n" OWNED)), false);
	assert_true(outcome.failed);
	assert_non_null(strstr(outcome.error,
	    "/d/f exists as a directory; cannot manage it as a file"));
	assert_string_equal(outcome.final_ensure, "");
	filing_policy(filing, "version: 1\n"
			      "default: allow\n"
			      "sandbox: none\n"
			      "agents: { '*': {} }\n"
			      "rules:\n"
			      "  - deny: { delete: ['**/d/f'] }\n");
	apply(filing, FILE_OF("        ensure: absent\n"), false);
	assert_true(outcome.failed);
	assert_non_null(strstr(outcome.error, "does not allow"));
	assert_non_null(strstr(outcome.error, "(rule "));
	assert_non_null(strstr(outcome.error, "policy.yaml:6:"));
}

static void
a_source_lies_beside_the_manifest(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "src.txt", 0600, "from here\n");
	apply(
	    filing, owned(FILE_OF("        source: ./src.txt\n" OWNED)), false);
	assert_null(outcome.error);
	assert_true(outcome.changed);
	assert_text(filing, "d/f", "from here\n");
	assert_string_equal(outcome.filled.source, "./src.txt");
}

static void
a_template_that_fails_fails_the_resource(void **state)
{
	struct filing *filing = *state;

	apply(filing,
	    owned(FILE_OF(
		"        content: \"{{ lookup('environ.none') }}\"\n" OWNED)),
	    false);
	assert_true(outcome.failed);
	assert_non_null(strstr(outcome.error, "m.yaml:5:"));
	assert_false(temp_has(&filing->temp, "d/f"));
}

static void
a_secret_is_shown_nowhere(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "d/f", 0644, "old\n");
	apply(filing,
	    owned(FILE_OF(
		"        content: \"{{ sensitive('hush') }}\"\n" OWNED)),
	    false);
	assert_null(outcome.error);
	assert_true(outcome.changed);
	assert_text(filing, "d/f", "hush");
	assert_null(outcome.diff);
	assert_null(strstr(outcome.status, "checksum"));
	assert_string_equal(outcome.filled.content, "(sensitive)");
	assert_string_equal(outcome.decided_by, "content checksum mismatch");
}

#define RESOURCE(test) \
	cmocka_unit_test_setup_teardown(test, filing_set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RESOURCE(a_file_is_made_and_then_stable),
	    RESOURCE(modes_converge_however_they_are_spelled),
	    RESOURCE(noop_says_what_would_be_done),
	    RESOURCE(failures_have_their_words_and_a_state),
	    RESOURCE(a_source_lies_beside_the_manifest),
	    RESOURCE(a_template_that_fails_fails_the_resource),
	    RESOURCE(a_secret_is_shown_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
