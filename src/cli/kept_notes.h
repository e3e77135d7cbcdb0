/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_KEPT_NOTES_H
#define W_CLI_KEPT_NOTES_H

#include "cli/kept.h"
#include "cli/runs.h"

/* Says why a run has no recording. Returns the exit status: 1 when there was
 * output, or could never be. */
int w_kept_note_none(const struct w_run_facts *facts, bool is_quiet);

/* Says what is missing behind the last byte that was shown, if anything. */
void w_kept_note_end(
    const struct w_kept *kept, const struct w_run_facts *facts);

/* Prints the last line of --json. Returns the exit status. */
int w_kept_print_summary(
    const struct w_kept *kept, const struct w_run_facts *facts);

#endif /* W_CLI_KEPT_NOTES_H */
