/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Notes about output that was not recorded: without one the shown part would
 * look complete.
 */

#include "cli/run/run_playback_notes.h"
#include "data/json.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/size.h"
#include "cli/output/print.h"

#define SUMMARY_MAX 512

int
w_playback_note_none(const struct w_recorded_run *recorded, bool is_quiet)
{
	const uint64_t bytes = recorded->out_bytes[0] + recorded->out_bytes[1];
	char size[W_SIZE_TEXT_MAX];

	w_size_format(bytes, size);
	if (recorded->state == WRIT_RUN_REFUSED)
		w_print_note("%s never ran: it was refused (%s)", recorded->id,
		    recorded->outcome);
	else if (recorded->state == WRIT_RUN_ENDED && bytes > 0)
		w_print_note("%s wrote %s, which %s", recorded->id, size,
		    recorded->recording != NULL
			? "is kept no longer: it was pruned"
			: "was not kept");
	else if (!is_quiet)
		w_print_note("%s %s", recorded->id,
		    recorded->state == WRIT_RUN_ENDED ? "wrote nothing"
		    : recorded->state == WRIT_RUN_LOST
			? "was lost, and nothing "
			  "it wrote was kept"
			: "has written nothing so "
			  "far");
	return recorded->state == WRIT_RUN_REFUSED ||
	       (recorded->state == WRIT_RUN_ENDED && bytes > 0);
}

static bool
is_whole(
    const struct w_playback *playback, const struct w_recorded_run *recorded)
{
	return recorded->state == WRIT_RUN_ENDED &&
	       playback->seen[0] >= recorded->out_bytes[0] &&
	       playback->seen[1] >= recorded->out_bytes[1];
}

void
w_playback_note_end(
    const struct w_playback *playback, const struct w_recorded_run *recorded)
{
	char seen[W_SIZE_TEXT_MAX];
	char all[W_SIZE_TEXT_MAX];

	w_size_format(playback->seen[0] + playback->seen[1], seen);
	w_size_format(recorded->out_bytes[0] + recorded->out_bytes[1], all);
	if (recorded->state == WRIT_RUN_LOST)
		w_print_note("%s was lost; what it wrote after the first %s is "
			     "not known",
		    recorded->id, seen);
	else if (recorded->state == WRIT_RUN_ENDED &&
		 !is_whole(playback, recorded))
		w_print_note("%s wrote %s, of which the first %s were kept; "
			     "see writ run --keep",
		    recorded->id, all, seen);
}

int
w_playback_print_summary(
    const struct w_playback *playback, const struct w_recorded_run *recorded)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, SUMMARY_MAX);
	w_buf_add_char(&line, '{');
	w_json_add_text_member(&line, "run_id", recorded->id);
	w_buf_add_fmt(&line,
	    ",\"state\":\"%s\",\"stdout_kept\":%" PRIu64
	    ",\"stderr_kept\":%" PRIu64 ",\"whole\":%s}\n",
	    writ_run_state_word(recorded->state), playback->seen[0],
	    playback->seen[1], is_whole(playback, recorded) ? "true" : "false");
	return w_print(&line);
}
