/* SPDX-License-Identifier: Apache-2.0 */

/* Every allocation of an explanation fails once: it is all there, or it is not
 * there, and nothing is left behind. */

#include <errno.h>

#include "../unit/analysis_text.h"
#include "inject.h"

static const char *const lines[] = {
    "timeout 5 env A=1 API_TOKEN=x curl -u a:b -H 'Cookie: c' https://u:p@h/",
    "sh -c 'cd a && ls b > c; cd d; curl -u e:f h | cat -n'",
    "find a -exec cp {} /tmp/{}.bak ;",
    "xargs -I % sort -o % x",
    "sed -e 's/a/b/' -e 'w out' -e '1e rm y' x",
    "ssh host 'ls a; sudo rm b'",
    "nice frobnicate --password x",
};

/* NULL: it said that there is no memory. */
static char *
explained(const char *line, unsigned failing, bool *out_was_refused)
{
	W_AUTO_WORDS struct w_words words = {0};
	struct w_analysis *analysis = NULL;
	struct w_buf json;
	writ_error err = {.status = WRIT_OK};
	char *text = NULL;
	size_t len;

	assert_int_equal(
	    w_words_split(line, strlen(line), &words, &err), WRIT_OK);
	const struct w_analysis_input input = {
	    .argv = (const char *const *)words.items, .argc = words.count};
	w_buf_init(&json, 1024 * 1024);
	if (failing > 0)
		inject_arm("allocation", failing, 1, ENOMEM);
	writ_status status =
	    w_analysis_new(&known_source, &input, &analysis, &err);
	if (status == WRIT_OK)
		w_analysis_add_json(&json, analysis);
	*out_was_refused = inject_disarm();
	if (status != WRIT_OK) {
		assert_int_equal(status, WRIT_E_NOMEM);
		assert_int_equal(err.status, WRIT_E_NOMEM);
		assert_null(analysis);
	}
	text = status == WRIT_OK ? w_buf_take(&json, &len) : NULL;
	w_buf_done(&json);
	w_analysis_free(analysis);
	return text;
}

static void
an_explanation_is_whole_or_not_there(void **state)
{
	bool was_refused;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char *want = explained(lines[i], 0, &was_refused);

		assert_non_null(want);
		for (unsigned failing = 1;; failing++) {
			char *have = explained(lines[i], failing, &was_refused);

			if (!was_refused) {
				assert_string_equal(have, want);
				free(have);
				break;
			}
			if (have != NULL)
				assert_string_equal(have, want);
			free(have);
		}
		free(want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_explanation_is_whole_or_not_there),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
