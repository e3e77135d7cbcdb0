/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "fleet/order/fleet_request.h"

#define ID "01K0000000000000000000000A"

/* The parts of a request; a test replaces one. */
enum part {
	HEAD,
	KIND,
	FROM,
	WHERE,
	HOSTS,
	TIMES,
	RUN,
	OPTIONS,
	PARTS
};

static const char *const standard[PARTS] = {
    [HEAD] = "\"v\":1,\"id\":\"" ID "\"",
    [KIND] = "\"kind\":\"run\"",
    [FROM] = "\"from\":\"ops\",\"collective\":\"main\"",
    [WHERE] = "\"where\":null",
    [HOSTS] = "\"hosts\":[\"web1\",\"web2\"]",
    [TIMES] = "\"not_before\":1000,\"expires\":2000,\"deliver\":\"now\"",
    [RUN] = "\"request\":{\"argv\":[\"true\"]}",
    [OPTIONS] = "\"options\":{\"idempotent\":false,\"cancels\":\"\"}",
};

static writ_status
read_with(enum part part, const char *text, struct w_json **out_json,
    struct w_fleet_request *out, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 65536);
	for (int i = 0; i < PARTS; i++)
		w_buf_add_fmt(&buf, "%c%s", i == 0 ? '{' : ',',
		    i == (int)part ? text : standard[i]);
	w_buf_add_char(&buf, '}');
	return w_fleet_request_read(buf.data, buf.len, out_json, out, err);
}

static void
a_canonical_request_is_read_and_written_back(void **state)
{
	struct w_fleet_request request;
	struct w_json *json = NULL;

	(void)state;
	assert_int_equal(read_with(PARTS, "", &json, &request, NULL), WRIT_OK);
	assert_string_equal(request.id, ID);
	assert_int_equal(request.kind, W_FLEET_RUN);
	assert_int_equal(request.expires, 2000);
	assert_true(w_fleet_request_names(&request, "web2"));
	assert_false(w_fleet_request_names(&request, "web"));
	w_json_free(json);
}

static void
whatever_is_not_canonical_is_refused_with_the_reason(void **state)
{
	static const struct {
		enum part part;
		const char *text;
		const char *why;
	} rows[] = {
	    {HEAD, "\"v\":2,\"id\":\"" ID "\"", "only 1 is known"},
	    {HEAD, "\"v\":1,\"id\":\"short\"", "the id is no id"},
	    {HEAD, "\"v\":1, \"id\":\"" ID "\"", "not the canonical one"},
	    {HEAD, "\"id\":\"" ID "\",\"v\":1", "not the canonical one"},
	    {KIND, "\"kind\":\"format\"", "one of its words"},
	    {KIND, "\"kind\":\"ping\"", "a run has a request"},
	    {KIND, "\"kind\":\"run\",\"kind\":\"run\"", "duplicate"},
	    {KIND, "\"kind\":\"run\",\"more\":1", "unknown key 'more'"},
	    {FROM, "\"from\":\"../x\",\"collective\":\"main\"",
		"must be names"},
	    {FROM, "\"from\":\"ops\",\"collective\":\"*\"", "must be names"},
	    {WHERE, "\"where\":\"\"", "where must have"},
	    {HOSTS, "\"hosts\":null", "hosts must be a list"},
	    {HOSTS, "\"hosts\":[\"a.b\"]", "no name of a host"},
	    {HOSTS, "\"hosts\":[\"\\u0061\"]", "not the canonical one"},
	    {TIMES, "\"not_before\":2000,\"expires\":2000,\"deliver\":\"now\"",
		"must expire after"},
	    {TIMES,
		"\"not_before\":0,\"expires\":2592000001,\"deliver\":\"now\"",
		"within 30 days"},
	    {TIMES, "\"not_before\":-1,\"expires\":2000,\"deliver\":\"now\"",
		"a number in range"},
	    {RUN, "\"request\":null", "a run has a request"},
	    {OPTIONS,
		"\"options\":{\"idempotent\":false,\"cancels\":\"" ID "\"}",
		"a cancel names the id"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_fleet_request request;
		struct w_json *json = NULL;
		writ_error err;

		assert_int_equal(read_with(rows[i].part, rows[i].text, &json,
				     &request, &err),
		    WRIT_E_INVALID);
		assert_null(json);
		if (strstr(err.message, rows[i].why) == NULL)
			fail_msg("%s: %s", rows[i].text, err.message);
	}
}

static void
names_cannot_be_wildcards_paths_or_other_subjects(void **state)
{
	static const char *const bad[] = {"", "-a", "A", "a.b", "a/b", "*", ">",
	    "a b", "..",
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
	char id[W_ID_LEN + 1];

	(void)state;
	assert_true(w_fleet_name_valid("web-1"));
	assert_true(w_fleet_name_valid("0"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(w_fleet_name_valid(bad[i]));
	assert_true(w_fleet_id_new(id));
	assert_true(w_fleet_id_valid(id));
	id[3] = '*';
	assert_false(w_fleet_id_valid(id));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_canonical_request_is_read_and_written_back),
	    cmocka_unit_test(
		whatever_is_not_canonical_is_refused_with_the_reason),
	    cmocka_unit_test(names_cannot_be_wildcards_paths_or_other_subjects),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
