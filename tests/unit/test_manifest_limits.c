/* SPDX-License-Identifier: Apache-2.0 */

/* Manifests that are too much: what has a limit is refused with it. */

#include "manifesting.h"

#define BODY "ccm:\n  resources:\n"

/* ThreadSanitizer takes minutes for one of these. */
static void
skip_if_slow(void **state)
{
	(void)state;
#ifdef __SANITIZE_THREAD__
	print_message("too slow with ThreadSanitizer\n");
	skip();
#endif
}

static void
a_document_of_more_than_64_mib_is_refused(void **state)
{
	const size_t len = W_MANIFEST_BYTES_MAX + 1;
	char *text = malloc(len);
	const struct w_manifest_input input = {.file = "m.yaml",
	    .dir = "/",
	    .text = text,
	    .len = len,
	    .scope = &manifest_test_scope};
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	skip_if_slow(state);
	assert_non_null(text);
	memset(text, ' ', len);
	assert_int_equal(
	    w_manifest_read(&input, &faults, &manifest, &err), WRIT_E_INVALID);
	assert_string_equal(err.message,
	    "m.yaml:1:1: the document has 67108865B, the limit is 64MiB");
	w_faults_done(&faults);
	free(text);
}

/* A short list in the defaults, which becomes long in the resources. */
static void
references_do_not_multiply_without_end(void **state)
{
	struct w_buf text;

	skip_if_slow(state);
	w_buf_init(&text, 1U << 20);
	w_buf_add_str(&text, BODY "    - exec: { name: x }\n"
				  "    - exec:\n"
				  "        - defaults:\n"
				  "            require:\n");
	for (int i = 0; i < 1000; i++)
		w_buf_add_str(&text, "              - exec#x\n");
	for (int i = 0; i < 1001; i++)
		w_buf_add_fmt(&text, "        - a%d:\n", i);
	assert_false(text.failed);
	assert_string_equal(faults_of(text.data),
	    "1:1: the manifest has more than 1000000 references\n");
	w_buf_done(&text);
}

/* A short document whose templates produce a long one. */
static void
templates_do_not_grow_without_end(void **state)
{
	struct w_buf text;
	const char *said;
	char many[1001] = "";

	skip_if_slow(state);
	w_buf_init(&text, 1U << 20);
	w_buf_add_str(&text, "data:\n");
	/* Few and long replacements: a sanitizer scans the rest of the text for
	 * each. */
	memset(many, 'c', sizeof(many) - 1);
	for (int i = 0; i < 40; i++)
		w_buf_add_fmt(&text,
		    "  k%d: \"{{ replace(replace('aaaaaaaaaa', 'a', '%s'), "
		    "'c', '%s') }}\"\n",
		    i, many, many);
	w_buf_add_str(&text, BODY "    - exec: { name: a }\n");
	said = faults_of(text.data);
	assert_non_null(strstr(
	    said, "the templates make more than 256MiB of text together\n"));
	w_buf_done(&text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_document_of_more_than_64_mib_is_refused),
	    cmocka_unit_test(references_do_not_multiply_without_end),
	    cmocka_unit_test(templates_do_not_grow_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
