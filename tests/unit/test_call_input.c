/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/call/call_input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "call_case.h"

#define EXPECT(json, text, ...) \
	expect(json, text, (const char *const[]){__VA_ARGS__, NULL})
#define REFUSED(message, text, ...) \
	refused(message, text, (const char *const[]){__VA_ARGS__, NULL})

static writ_status
make(struct calling *it, const char *text, const char *const *argv)
{
	assert_int_equal(calling_read(it, argv), WRIT_OK);
	return w_cli_call_input(&it->words, text,
	    text == NULL ? 0 : strlen(text), &it->input, &it->is_verbatim,
	    &it->err);
}

static void
expect(const char *json, const char *text, const char *const *argv)
{
	struct calling it;

	assert_int_equal(make(&it, text, argv), WRIT_OK);
	assert_string_equal(it.input.data, json);
	w_buf_done(&it.input);
}

static void
refused(const char *message, const char *text, const char *const *argv)
{
	struct calling it;

	assert_int_equal(make(&it, text, argv), WRIT_E_INVALID);
	assert_non_null(strstr(it.err.message, message));
	w_buf_done(&it.input);
}

static void
a_document_alone_is_passed_on_as_it_is(void **state)
{
	struct calling it;
	const char *const none[] = {NULL};

	(void)state;
	EXPECT(" {\"a\" : 1} ", " {\"a\" : 1} ", NULL);
	EXPECT("not json", "not json", NULL);
	assert_int_equal(make(&it, "{}", none), WRIT_OK);
	assert_true(it.is_verbatim);
	w_buf_done(&it.input);
}

static void
without_any_words_the_input_is_empty(void **state)
{
	struct calling it;
	const char *const none[] = {NULL};

	(void)state;
	assert_int_equal(make(&it, NULL, none), WRIT_OK);
	assert_string_equal(it.input.data, "{}");
	assert_false(it.is_verbatim);
	w_buf_done(&it.input);
}

static void
words_become_what_their_parameter_is(void **state)
{
	(void)state;
	EXPECT("{\"max_count\":3}", NULL, "--max-count", "3");
	EXPECT("{\"max_count\":-3}", NULL, "--max-count=-3");
	EXPECT("{\"ratio\":1.5e-3}", NULL, "--ratio", "1.5e-3");
	EXPECT("{\"all\":true}", NULL, "--all");
	EXPECT("{\"all\":false}", NULL, "--all=false");
	EXPECT("{\"message\":\"3\"}", NULL, "--message", "3");
	EXPECT("{\"message\":\"true\"}", NULL, "--message=true");
	EXPECT("{\"color\":true}", NULL, "--color");
	EXPECT("{\"color\":\"true\"}", NULL, "--color=true");
	EXPECT("{\"level\":-3}", NULL, "--level", "-3");
	EXPECT("{\"level\":\"1e5\"}", NULL, "--level", "1e5");
	EXPECT("{\"level\":\"1.50\"}", NULL, "--level", "1.50");
	EXPECT("{\"level\":\"007\"}", NULL, "--level", "007");
	EXPECT("{\"anything\":\"3\"}", NULL, "--anything", "3");
}

static void
numbers_keep_their_digits(void **state)
{
	(void)state;
	EXPECT("{\"max_count\":123456789012345678901234567890}", NULL,
	    "--max-count", "123456789012345678901234567890");
	EXPECT("{\"big\":1234567890123456789012.50,\"all\":true}",
	    "{\"big\":1234567890123456789012.50}", "--all");
}

static void
what_is_no_number_is_left_to_the_schema(void **state)
{
	static const char *const wrong[] = {"five", "", "-", "1.", ".5", "01",
	    "1e", "0x10", "1 ", "+1", "NaN", "Infinity", "--1"};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char word[64] = "--max-count=";
		char json[64] = "{\"max_count\":\"";

		strcat(word, wrong[i]);
		strcat(strcat(json, wrong[i]), "\"}");
		EXPECT(json, NULL, word);
	}
	EXPECT("{\"all\":\"yes\"}", NULL, "--all=yes");
}

static void
texts_are_escaped(void **state)
{
	(void)state;
	EXPECT("{\"message\":\"say \\\"no\\\"\\nand \\\\ go\"}", NULL, "-m",
	    "say \"no\"\nand \\ go");
	REFUSED("'--message' is not UTF-8", NULL, "-m", "\xff");
}

static void
elements_are_collected_in_their_order(void **state)
{
	(void)state;
	EXPECT("{\"include\":[\"b\",\"a\"]}", NULL, "-I", "b", "-I", "a");
	EXPECT("{\"sizes\":[1,\"x\"]}", NULL, "--size", "1", "--size", "x");
	EXPECT("{\"include\":[\"[1]\"]}", NULL, "--include", "[1]");
	EXPECT("{\"to\":\"c\",\"from\":[\"a\",\"b\"]}", NULL, "a", "b", "c");
}

static void
objects_and_arrays_within_arrays_are_json(void **state)
{
	(void)state;
	EXPECT("{\"where\":{\"a\":[1]}}", NULL, "--where", "{\"a\":[1]}");
	EXPECT("{\"pairs\":[[1,2],[\"a\",\"b\"]]}", NULL, "--pairs", "[1,2]",
	    "--pairs", "[\"a\",\"b\"]");
	REFUSED("'--where' takes JSON: ", NULL, "--where", "{");
	REFUSED("'--where' takes JSON: ", NULL, "--where", "{},\"all\":{}");
	REFUSED("'--where' takes JSON: ", NULL, "--where", "");
}

static void
words_override_the_document(void **state)
{
	(void)state;
	EXPECT("{\"x\":null,\"max_count\":7}", "{\"max_count\":1,\"x\":null}",
	    "--max-count", "7");
	EXPECT("{\"include\":[\"b\"]}", "{\"include\":[\"a\"]}", "-I", "b");
	EXPECT("{\"x\":1e400,\"max_count\":7}", "{\"x\":1e400}", "--max-count",
	    "7");
}

static void
a_document_that_words_are_added_to_must_be_an_object(void **state)
{
	(void)state;
	REFUSED("must be a JSON object", "[1]", "--all");
	REFUSED("", "{\"a\":1,\"a\":2}", "--all");
	REFUSED("", "{", "--all");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_document_alone_is_passed_on_as_it_is),
	    cmocka_unit_test(without_any_words_the_input_is_empty),
	    cmocka_unit_test(words_become_what_their_parameter_is),
	    cmocka_unit_test(numbers_keep_their_digits),
	    cmocka_unit_test(what_is_no_number_is_left_to_the_schema),
	    cmocka_unit_test(texts_are_escaped),
	    cmocka_unit_test(elements_are_collected_in_their_order),
	    cmocka_unit_test(objects_and_arrays_within_arrays_are_json),
	    cmocka_unit_test(words_override_the_document),
	    cmocka_unit_test(
		a_document_that_words_are_added_to_must_be_an_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
