/* SPDX-License-Identifier: Apache-2.0 */
#include "filing.h"

/* Changes of files are judged and recorded like runs. */

/* ---- the record ---- */

struct lines {
	char text[65536];
	size_t count;
};

static bool
take_line(void *ctx, const writ_record *record)
{
	struct lines *lines = ctx;
	const size_t len = strlen(lines->text);

	(void)snprintf(
	    lines->text + len, sizeof(lines->text) - len, "%s\n", record->json);
	lines->count += record->run_id != NULL;
	return true;
}

/* All records since the program began, the newest last. */
static const char *
records(size_t *out_count)
{
	static struct lines lines;
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_audit *audit;

	lines = (struct lines){.count = 0};
	options.no_index = true;
	filter.oldest_first = true;
	assert_int_equal(writ_audit_open(&options, &audit, NULL), WRIT_OK);
	assert_int_equal(
	    writ_audit_records(audit, &filter, take_line, &lines, NULL),
	    WRIT_OK);
	writ_audit_free(audit);
	*out_count = lines.count;
	return lines.text;
}

static size_t
count_records(void)
{
	size_t count;

	(void)records(&count);
	return count;
}

static void
assert_recorded(const char *words)
{
	size_t count;

	if (strstr(records(&count), words) == NULL)
		fail_msg(
		    "'%s' is not in the record:\n%s", words, records(&count));
}

static void
assert_not_recorded(const char *words)
{
	size_t count;

	assert_null(strstr(records(&count), words));
}

static void
a_change_begins_and_ends_in_the_record(void **state)
{
	struct filing *filing = *state;
	char words[512];
	const size_t before = count_records();

	about(filing, "recorded")->agent = "robot";
	filing->request.mode = WRIT_FILE_MODE(0644);
	filing->request.trace_id = "trace-7";
	with_content(filing, "hello\n");
	did(filing, "created the file");
	assert_int_equal(count_records(), before + 2);
	(void)snprintf(words, sizeof(words),
	    "\"argv\":[\"writ-file\",\"present\",\"%s\",\"--mode\",\"0644\","
	    "\"--sha256\",\"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d0828"
	    "6a2e846f6be03\"]",
	    filing->request.path);
	assert_recorded(words);
	assert_recorded("\"agent\":\"robot\"");
	assert_recorded("\"trace\":\"trace-7\"");
	assert_recorded("\"outcome\":\"exited\",\"exit_code\":0");
	(void)snprintf(
	    words, sizeof(words), "\"run\":\"%s\"", filing->result->run_id);
	assert_recorded(words);
	assert_not_recorded("hello");
	/* Nothing is recorded for a file in the wanted state. */
	did_nothing(filing);
	filing->request.mode = WRIT_FILE_MODE(0600);
	filing->request.dry_run = true;
	did(filing, "updated attributes");
	assert_int_equal(count_records(), before + 2);
}

static void
a_secret_leaves_no_sum_in_the_record(void **state)
{
	struct filing *filing = *state;

	about(filing, "secret")->hide_content = true;
	with_content(filing, "s3cret-word\n");
	did(filing, "created the file");
	assert_recorded("/d/secret\"],");
	assert_not_recorded("s3cret-word");
	assert_not_recorded("52236630eb0ed7601bca0ee25fea8523");
}

static void
what_fails_has_its_error_in_the_record(void **state)
{
	struct filing *filing = *state;

	temp_dir(&filing->temp, "d/full");
	temp_file(&filing->temp, "d/full/x", 0600, "");
	about(filing, "full")->ensure = WRIT_FILE_ABSENT;
	refused(filing, WRIT_E_INVALID, "directory is not empty");
	assert_recorded("\"outcome\":null,\"error\":{\"code\":\"invalid\"");
}

static void
an_engine_without_a_record_works_too(void **state)
{
	struct filing *filing = *state;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	const size_t before = count_records();

	writ_engine_free(filing->engine);
	options.no_audit = true;
	assert_int_equal(
	    writ_engine_new(&options, &filing->engine, NULL), WRIT_OK);
	(void)about(filing, "f");
	with_content(filing, "x");
	did(filing, "created the file");
	assert_text(filing, "d/f", "x");
	assert_int_equal(count_records(), before);
}

/* ---- the decision ---- */

#define HEAD               \
	"version: 1\n"     \
	"default: allow\n" \
	"sandbox: none\n"  \
	"agents: { '*': {} }\n"

static void
what_is_denied_is_not_done(void **state)
{
	struct filing *filing = *state;

	filing_policy(filing, HEAD "rules:\n"
				   "  - deny: { write: ['**/d/no*'], delete: "
				   "['**/d/no*'] }\n"
				   "  - deny: { read: ['**/hidden'] }\n");
	(void)about(filing, "no1");
	with_content(filing, "x");
	refused(filing, WRIT_E_DENIED, "it writes");
	assert_false(temp_has(&filing->temp, "d/no1"));
	assert_recorded("\"kind\":\"refused\"");
	assert_recorded("\"decision\":\"deny\"");
	assert_recorded("policy.yaml:6:");
	assert_non_null(
	    strstr(writ_engine_decision(filing->engine), "policy.yaml"));
	/* A dry run reports it as well. */
	const size_t before = count_records();
	filing->request.dry_run = true;
	refused(filing, WRIT_E_DENIED, "it writes");
	assert_int_equal(count_records(), before);
	temp_file(&filing->temp, "d/no2", 0600, "x");
	about(filing, "no2")->ensure = WRIT_FILE_ABSENT;
	refused(filing, WRIT_E_DENIED, "no2");
	assert_true(temp_has(&filing->temp, "d/no2"));
	temp_file(&filing->temp, "hidden", 0600, "x");
	about(filing, "f")->source = temp_path(&filing->temp, "hidden");
	refused(filing, WRIT_E_DENIED, "hidden");
	(void)about(filing, "yes");
	with_content(filing, "x");
	did(filing, "created the file");
}

/* By its own path, and by that of its target. */
static void
a_link_on_the_way_does_not_deceive_the_policy(void **state)
{
	struct filing *filing = *state;

	temp_dir(&filing->temp, "secret");
	temp_link(&filing->temp, "../secret", "d/way");
	filing_policy(
	    filing, HEAD "rules:\n  - deny: { write: ['**/secret/**'] }\n");
	(void)about(filing, "way/f");
	with_content(filing, "x");
	refused(filing, WRIT_E_DENIED, "secret");
	assert_int_equal(entries(filing, "secret"), 0);
}

static void
walls_that_a_run_would_have_hold_here_too(void **state)
{
	struct filing *filing = *state;

	filing_policy(filing, "version: 1\n"
			      "default: allow\n"
			      "sandbox: readonly\n"
			      "agents: { '*': {} }\n");
	(void)about(filing, "f");
	with_content(filing, "x");
	refused(filing, WRIT_E_DENIED, "in sandbox profile 'readonly'");
	assert_int_equal(entries(filing, "d"), 0);
}

static void
what_a_person_approves_is_done_once(void **state)
{
	struct filing *filing = *state;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_answer answer = WRIT_ANSWER_INIT;
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_approvals *approvals;

	filing_policy(filing, HEAD "rules:\n  - ask: { write: ['**/d/*'] }\n");
	(void)about(filing, "f");
	with_content(filing, "x");
	refused(filing, WRIT_E_DENIED, "nobody can be asked");
	writ_engine_free(filing->engine);
	options.has_terminal = true;
	assert_int_equal(
	    writ_engine_new(&options, &filing->engine, NULL), WRIT_OK);
	filing->request.hide_content = true;
	refused(filing, WRIT_E_APPROVAL, "asks for approval");
	assert_int_equal(
	    writ_approval_ask(filing->engine, NULL, NULL, id, &filing->err),
	    WRIT_OK);
	assert_int_equal(writ_approvals_open(NULL, &approvals, NULL), WRIT_OK);
	answer.is_approved = true;
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &answer, NULL), WRIT_OK);
	writ_approvals_free(approvals);
	filing->request.approval = id;
	with_content(filing, "another");
	refused(filing, WRIT_E_REFUSED, "is for another request");
	with_content(filing, "x");
	did(filing, "created the file");
	assert_int_equal(unlinkat(filing->temp.fd, "d/f", 0), 0);
	refused(filing, WRIT_E_REFUSED, "has been used");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FILING(a_change_begins_and_ends_in_the_record),
	    FILING(a_secret_leaves_no_sum_in_the_record),
	    FILING(what_fails_has_its_error_in_the_record),
	    FILING(an_engine_without_a_record_works_too),
	    FILING(what_is_denied_is_not_done),
	    FILING(a_link_on_the_way_does_not_deceive_the_policy),
	    FILING(walls_that_a_run_would_have_hold_here_too),
	    FILING(what_a_person_approves_is_done_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
