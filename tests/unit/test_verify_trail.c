/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "log/recording/recording.h"
#include "trail_maker.h"

static struct temp temp;
static struct maker maker;
static writ_audit *audit;
static char heard[4096];
static writ_audit_proof proof;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	maker_start(&maker, &temp);
	audit = maker_open(&temp, false);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_audit_free(audit);
	temp_close(&temp);
	return 0;
}

static void
hear(void *ctx, const writ_audit_finding *finding)
{
	size_t len = strlen(heard);

	(void)ctx;
	assert_non_null(finding->text);
	/* The test's writer creates no head. */
	if (strcmp(finding->kind, "head_missing") == 0)
		return;
	(void)snprintf(heard + len, sizeof(heard) - len, "%s:%s:%" PRIu64 " ",
	    finding->severity, finding->kind, finding->seq);
}

static const char *
verify(const writ_audit_verify_options *options)
{
	writ_error err = {0};

	heard[0] = '\0';
	if (writ_audit_verify(audit, options, hear, NULL, &proof, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	return heard;
}

/* ---- runs ---- */

static void
a_whole_trail_holds(void **state)
{
	(void)state;
	maker_ran(&maker, "A1", 0);
	maker_refused(&maker, "B2");
	maker_rotate(&maker);
	maker_ran(&maker, "C3", 1);
	assert_string_equal(verify(NULL), "");
	assert_int_equal(proof.records, 8);
	assert_int_equal(proof.runs, 3);
	assert_int_equal(proof.files, 2);
	assert_string_equal(proof.last_hash, maker.prev);
}

static void
a_begin_without_an_end_is_named(void **state)
{
	const struct made_run lost = {.run = "A1"};
	const struct made_run alive = {.run = "B2", .pid = getpid()};
	const struct made_run elsewhere = {.run = "C3", .pidns = 1};
	struct timespec now;

	(void)state;
	assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
	maker.time_us = (uint64_t)now.tv_sec * 1000000;
	maker_begin(&maker, &lost);
	maker_begin(&maker, &alive);
	maker_begin(&maker, &elsewhere);
	const char *findings = verify(NULL);
	assert_non_null(strstr(findings, "warning:lost:2 "));
	assert_non_null(strstr(findings, "note:unknown:4 "));
	assert_int_equal(proof.lost, 1);
	assert_int_equal(proof.running, 1);
	assert_int_equal(proof.bad, 1); /* the head */
}

static void
an_end_without_a_begin_is_bad(void **state)
{
	(void)state;
	maker_end(&maker, "A1", "exited", 0);
	assert_string_equal(verify(NULL), "bad:no_begin:2 ");
}

static void
a_record_of_lost_ones_explains_an_end_alone(void **state)
{
	(void)state;
	maker_add(&maker, "\"kind\":\"lost\",\"records\":1,\"reason\":\"x\"");
	maker_end(&maker, "A1", "exited", 0);
	assert_string_equal(
	    verify(NULL), "warning:unrecorded:2 warning:begin_lost:3 ");
}

static void
a_second_begin_or_end_is_bad(void **state)
{
	const struct made_run again = {.run = "A1"};

	(void)state;
	maker_ran(&maker, "A1", 0);
	maker_end(&maker, "A1", "exited", 0);
	maker_begin(&maker, &again);
	assert_string_equal(verify(NULL), "bad:two_ends:4 bad:two_begins:5 ");
}

static void
give(const char *run)
{
	char payload[256];

	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"input\",\"run\":\"%s\",\"bytes\":1,"
	    "\"input\":\"00\",\"policy\":null,\"redacted\":false",
	    maker_run_id(run));
	maker_add(&maker, payload);
}

static void
input_belongs_between_a_begin_and_its_end(void **state)
{
	const struct made_run run = {.run = "A1"};

	(void)state;
	maker_begin(&maker, &run);
	give("A1");
	give("A1");
	maker_end(&maker, "A1", "exited", 0);
	assert_string_equal(verify(NULL), "");
	give("A1");
	give("B2");
	assert_string_equal(verify(NULL), "bad:no_run:6 bad:no_run:7 ");
}

static void
what_the_log_finds_is_passed_on_with_advice(void **state)
{
	(void)state;
	maker_ran(&maker, "A1", 0);
	maker_ran(&maker, "B2", 0);
	int fd = openat(temp.fd, maker_file(&maker), O_RDWR | O_CLOEXEC);
	assert_int_equal(pwrite(fd, "X", 1, 400), 1);
	assert_int_equal(close(fd), 0);
	assert_non_null(strstr(verify(NULL), "bad:changed:2 "));
	assert_true(proof.bad > 0);
}

/* ---- checkpoints ---- */

static char *
checkpoint(const char *key)
{
	writ_error err = {0};
	char *json = NULL;
	size_t len;

	if (writ_audit_checkpoint(audit, key, &json, &len, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_int_equal(strlen(json), len);
	return json;
}

static void
a_checkpoint_covers_the_record_before_it(void **state)
{
	char covers[128];

	(void)state;
	maker_ran(&maker, "A1", 0);
	(void)snprintf(covers, sizeof(covers),
	    "\"covers\":3,\"covers_hash\":\"%s\",\"signer\":null,"
	    "\"signature\":null",
	    maker.prev);
	char *json = checkpoint(NULL);
	assert_non_null(strstr(json, covers));
	assert_string_equal(verify(NULL), "");
	assert_int_equal(proof.checkpoints, 1);
	free(json);
}

static void
an_empty_trail_has_nothing_to_cover(void **state)
{
	struct temp empty;
	writ_error err;
	char *json;
	size_t len;

	(void)state;
	temp_open(&empty);
	writ_audit *none = maker_open(&empty, false);
	assert_int_equal(writ_audit_checkpoint(none, NULL, &json, &len, &err),
	    WRIT_E_NOTFOUND);
	writ_audit_free(none);
	temp_close(&empty);
}

static void
a_checkpoint_that_says_something_else_is_bad(void **state)
{
	(void)state;
	maker_ran(&maker, "A1", 0);
	maker_add(&maker,
	    "\"kind\":\"checkpoint\",\"covers\":2,\"covers_hash\":\""
	    "1111111111111111111111111111111111111111111111111111111111111111"
	    "\",\"signer\":null,\"signature\":null");
	maker_add(&maker, "\"kind\":\"checkpoint\",\"covers\":9");
	assert_string_equal(
	    verify(NULL), "bad:false_checkpoint:4 bad:false_checkpoint:5 ");
}

static void
an_anchor_must_be_found(void **state)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	static struct maker start;
	char anchor[1024];

	(void)state;
	start = maker;
	maker_ran(&maker, "A1", 0);
	char *json = checkpoint(NULL);
	(void)snprintf(anchor, sizeof(anchor), "%s\n", json);
	free(json);
	options.anchor = anchor;
	assert_string_equal(verify(&options), "");
	/* Somebody rewrites the trail, with the same length. */
	assert_int_equal(unlinkat(temp.fd, "audit/head", 0), 0);
	assert_int_equal(
	    truncate(temp_path(&temp, maker_file(&start)), (off_t)start.offset),
	    0);
	maker_ran(&start, "B2", 0);
	maker_ran(&start, "C3", 0);
	assert_string_equal(verify(NULL), "");
	assert_true(strstr(verify(&options), "bad:") != NULL);
	options.anchor = "{\"nonsense\":1}";
	writ_error err;
	assert_int_equal(
	    writ_audit_verify(audit, &options, hear, NULL, &proof, &err),
	    WRIT_E_INVALID);
}

/* ---- signatures ---- */

static bool
has_openssl(void)
{
	return system("openssl version >/dev/null 2>&1") == 0;
}

__attribute__((format(printf, 1, 2))) static void
run_shell(const char *fmt, ...)
{
	char command[2048];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

static void
make_key(const char *name)
{
	run_shell("cd '%s' && umask 077 && openssl genpkey -algorithm ed25519"
		  " -out %s.pem 2>/dev/null && openssl pkey -in %s.pem"
		  " -pubout -out %s.pub",
	    temp.path, name, name, name);
}

static void
a_signature_holds_under_its_key_only(void **state)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;

	(void)state;
	if (!has_openssl())
		skip();
	make_key("mine");
	make_key("other");
	maker_ran(&maker, "A1", 0);
	free(checkpoint(temp_path(&temp, "mine.pem")));
	assert_string_equal(verify(NULL), "note:unchecked:0 ");
	options.public_key = temp_path(&temp, "mine.pub");
	assert_string_equal(verify(&options), "");
	assert_int_equal(proof.signatures, 1);
	options.public_key = temp_path(&temp, "other.pub");
	assert_string_equal(verify(&options), "bad:false_signature:5 ");
	free(checkpoint(NULL));
	options.public_key = temp_path(&temp, "mine.pub");
	assert_string_equal(verify(&options), "warning:unsigned:6 ");
}

static void
openssl_agrees_with_a_signature(void **state)
{
	char *signature;

	(void)state;
	if (!has_openssl())
		skip();
	make_key("mine");
	maker_ran(&maker, "A1", 0);
	char *json = checkpoint(temp_path(&temp, "mine.pem"));
	signature = strstr(json, "\"signature\":\"");
	assert_non_null(signature);
	signature += strlen("\"signature\":\"");
	signature[strcspn(signature, "\"")] = '\0';
	run_shell("cd '%s' && printf 'writ checkpoint 1\\n3\\n%s\\n' >text &&"
		  " printf %%s '%s' | openssl base64 -d -A >signature &&"
		  " openssl pkeyutl -verify -pubin -inkey mine.pub -rawin"
		  " -in text -sigfile signature >/dev/null",
	    temp.path, maker.prev, signature);
	free(json);
}

static void
a_signature_that_was_made_up_is_bad(void **state)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	char payload[1024];
	char *signer;

	(void)state;
	if (!has_openssl())
		skip();
	make_key("mine");
	maker_ran(&maker, "A1", 0);
	char *json = checkpoint(temp_path(&temp, "mine.pem"));
	signer = strstr(json, "\"signer\":");
	assert_non_null(signer);
	/* The real signature, under another record. */
	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"checkpoint\",\"covers\":2,\"covers_hash\":\"%s\",%.*s",
	    maker.prev, (int)(strstr(signer, ",\"hash\"") - signer), signer);
	free(json);
	assert_int_equal(
	    truncate(temp_path(&temp, maker_file(&maker)), (off_t)maker.offset),
	    0);
	assert_int_equal(unlinkat(temp.fd, "audit/head", 0), 0);
	maker_add(&maker, payload);
	options.public_key = temp_path(&temp, "mine.pub");
	assert_string_equal(
	    verify(&options), "bad:false_checkpoint:4 bad:false_signature:4 ");
}

static void
a_key_of_the_wrong_kind_is_refused(void **state)
{
	writ_error err;
	char *json;
	size_t len;

	(void)state;
	if (!has_openssl())
		skip();
	maker_ran(&maker, "A1", 0);
	run_shell("cd '%s' && umask 077 && openssl genpkey -algorithm RSA"
		  " -out rsa.pem 2>/dev/null && echo x >junk.pem",
	    temp.path);
	make_key("open");
	run_shell("chmod 0644 '%s/open.pem'", temp.path);
	static const char *const names[] = {
	    "rsa.pem", "junk.pem", "open.pem", "open.pub"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(
		    writ_audit_checkpoint(
			audit, temp_path(&temp, names[i]), &json, &len, &err),
		    WRIT_E_INVALID);
	assert_int_equal(writ_audit_checkpoint(audit,
			     temp_path(&temp, "none.pem"), &json, &len, &err),
	    WRIT_E_SYSTEM);
	assert_string_equal(verify(NULL), "");
}

/* ---- outputs ---- */

/* A run that wrote "out" and "er", recorded completely. */
static void
make_kept(const char *run)
{
	const struct made_run made = {.run = run};
	char id[27];
	char payload[1024];

	memcpy(id, maker_run_id(run), sizeof(id));
	struct w_recording recording = {.dir = temp_path(&temp, "outputs"),
	    .run_id = id,
	    .limit = 1000,
	    .fd = -1};
	w_recording_add(&recording, false, "out", 3, 1000);
	w_recording_add(&recording, true, "er", 2, 2000);
	w_recording_end(&recording);
	assert_int_equal(recording.error, 0);
	w_recording_free(&recording, false);
	maker_begin(&maker, &made);
	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"end\",\"run\":\"%s\",\"outcome\":\"exited\","
	    "\"exit_code\":0,\"stdout\":{\"bytes\":3,\"sha256\":\""
	    "0000000000000000000000000000000000000000000000000000000000000000"
	    "\"},\"stderr\":{\"bytes\":2,\"sha256\":\""
	    "0000000000000000000000000000000000000000000000000000000000000000"
	    "\"},\"kept\":{\"file\":\"%s.rec\",\"bytes\":5,\"whole\":true}",
	    id, id);
	uint8_t sums[2][W_SHA256_SIZE];
	w_sha256("out", 3, sums[0]);
	w_sha256("er", 2, sums[1]);
	char *at = payload;
	for (int i = 0; i < 2; i++) {
		at = strstr(at, "\"sha256\":\"") + strlen("\"sha256\":\"");
		w_hex_put(at, sums[i], W_SHA256_SIZE);
	}
	maker_add(&maker, payload);
}

static void
kept_outputs_are_hashed_again(void **state)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	char name[64];

	(void)state;
	temp_dir(&temp, "outputs");
	make_kept("A1");
	make_kept("B2");
	options.outputs = true;
	assert_string_equal(verify(&options), "");
	assert_int_equal(proof.outputs, 2);
	(void)snprintf(
	    name, sizeof(name), "outputs/%s.rec", maker_run_id("B2"));
	int fd = openat(temp.fd, name, O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, "x", 1, 17), 1);
	assert_int_equal(close(fd), 0);
	assert_string_equal(verify(&options), "bad:output_changed:5 ");
	assert_string_equal(verify(NULL), "");
}

static void
bytes_behind_a_kept_output_are_a_change(void **state)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	char name[64];

	(void)state;
	temp_dir(&temp, "outputs");
	make_kept("A1");
	options.outputs = true;
	(void)snprintf(
	    name, sizeof(name), "outputs/%s.rec", maker_run_id("A1"));
	int fd = openat(temp.fd, name, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(close(fd), 0);
	assert_string_equal(verify(&options), "bad:output_changed:3 ");
}

static void
a_missing_output_is_told_unless_it_was_pruned(void **state)
{
	writ_audit_verify_options options = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	writ_audit_prune_options all = WRIT_AUDIT_PRUNE_OPTIONS_INIT;
	char name[64];

	(void)state;
	temp_dir(&temp, "outputs");
	make_kept("A1");
	make_kept("B2");
	(void)snprintf(
	    name, sizeof(name), "outputs/%s.rec", maker_run_id("A1"));
	assert_int_equal(unlinkat(temp.fd, name, 0), 0);
	all.output_bytes = 1;
	assert_int_equal(writ_audit_prune(audit, &all, NULL, NULL), WRIT_OK);
	options.outputs = true;
	assert_string_equal(
	    verify(&options), "warning:output_missing:3 note:output_pruned:0 ");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_whole_trail_holds),
	    CASE(a_begin_without_an_end_is_named),
	    CASE(an_end_without_a_begin_is_bad),
	    CASE(a_record_of_lost_ones_explains_an_end_alone),
	    CASE(a_second_begin_or_end_is_bad),
	    CASE(input_belongs_between_a_begin_and_its_end),
	    CASE(what_the_log_finds_is_passed_on_with_advice),
	    CASE(a_checkpoint_covers_the_record_before_it),
	    CASE(an_empty_trail_has_nothing_to_cover),
	    CASE(a_checkpoint_that_says_something_else_is_bad),
	    CASE(an_anchor_must_be_found),
	    CASE(a_signature_holds_under_its_key_only),
	    CASE(openssl_agrees_with_a_signature),
	    CASE(a_signature_that_was_made_up_is_bad),
	    CASE(a_key_of_the_wrong_kind_is_refused),
	    CASE(kept_outputs_are_hashed_again),
	    CASE(bytes_behind_a_kept_output_are_a_change),
	    CASE(a_missing_output_is_told_unless_it_was_pruned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
