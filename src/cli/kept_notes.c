/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is missing of a kept output, in words: silence would pass for all that
 * there is.
 */

#include "cli/kept_notes.h"
#include "data/json.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/size.h"
#include "cli/print.h"

#define SUMMARY_MAX 512

int
w_kept_note_none(const struct w_run_facts *facts, bool is_quiet)
{
	const uint64_t bytes = facts->out_bytes[0] + facts->out_bytes[1];
	char size[W_SIZE_TEXT_MAX];

	w_size_format(bytes, size);
	if (facts->state == WRIT_RUN_REFUSED)
		w_print_note("%s never ran: it was refused (%s)", facts->id,
		    facts->outcome);
	else if (facts->state == WRIT_RUN_ENDED && bytes > 0)
		w_print_note("%s wrote %s, which %s", facts->id, size,
		    facts->recording != NULL
			? "is kept no longer: it was pruned"
			: "was not kept");
	else if (!is_quiet)
		w_print_note("%s %s", facts->id,
		    facts->state == WRIT_RUN_ENDED  ? "wrote nothing"
		    : facts->state == WRIT_RUN_LOST ? "was lost, and nothing "
						      "it wrote was kept"
						    : "has written nothing so "
						      "far");
	return facts->state == WRIT_RUN_REFUSED ||
	       (facts->state == WRIT_RUN_ENDED && bytes > 0);
}

static bool
is_whole(const struct w_kept *kept, const struct w_run_facts *facts)
{
	return facts->state == WRIT_RUN_ENDED &&
	       kept->seen[0] >= facts->out_bytes[0] &&
	       kept->seen[1] >= facts->out_bytes[1];
}

void
w_kept_note_end(const struct w_kept *kept, const struct w_run_facts *facts)
{
	char seen[W_SIZE_TEXT_MAX];
	char all[W_SIZE_TEXT_MAX];

	w_size_format(kept->seen[0] + kept->seen[1], seen);
	w_size_format(facts->out_bytes[0] + facts->out_bytes[1], all);
	if (facts->state == WRIT_RUN_LOST)
		w_print_note("%s was lost; what it wrote after the first %s is "
			     "not known",
		    facts->id, seen);
	else if (facts->state == WRIT_RUN_ENDED && !is_whole(kept, facts))
		w_print_note("%s wrote %s, of which the first %s were kept; "
			     "see writ run --keep",
		    facts->id, all, seen);
}

int
w_kept_print_summary(const struct w_kept *kept, const struct w_run_facts *facts)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, SUMMARY_MAX);
	w_buf_add_char(&line, '{');
	w_json_add_text_member(&line, "run_id", facts->id);
	w_buf_add_fmt(&line,
	    ",\"state\":\"%s\",\"stdout_kept\":%" PRIu64
	    ",\"stderr_kept\":%" PRIu64 ",\"whole\":%s}\n",
	    writ_run_state_word(facts->state), kept->seen[0], kept->seen[1],
	    is_whole(kept, facts) ? "true" : "false");
	return w_print(&line);
}
