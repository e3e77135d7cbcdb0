/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_PLAYBACK_NOTES_H
#define W_CLI_RUN_PLAYBACK_NOTES_H

#include "cli/run/recorded_run.h"
#include "cli/run/run_playback.h"

/* Says why a run has no recording. Returns the exit status: 1 if there was
 * output, or the run was refused. */
int w_playback_note_none(const struct w_recorded_run *recorded, bool is_quiet);

/* Says what is missing after the last byte shown, if anything. */
void w_playback_note_end(
    const struct w_playback *playback, const struct w_recorded_run *recorded);

/* Prints the last line of --json. Returns the exit status. */
int w_playback_print_summary(
    const struct w_playback *playback, const struct w_recorded_run *recorded);

#endif /* W_CLI_RUN_PLAYBACK_NOTES_H */
