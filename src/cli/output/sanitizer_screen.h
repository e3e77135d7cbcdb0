/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SANITIZER_SCREEN_H
#define W_CLI_SANITIZER_SCREEN_H

#include "cli/output/sanitizer.h"

/*
 * The control sequences that an editor, a pager or a shell needs: cursor,
 * erasing, scrolling, the alternate screen, line drawing, mouse and bracketed
 * paste. This is an allowlist. It leaves out, among others, every query, since
 * the terminal's answer would arrive as typed input; titles, the clipboard,
 * printing, window sizes, and erasing the scrollback.
 */

/* Whether a control character other than ESC and newline passes. */
bool w_sanitizer_screen_has_byte(unsigned char c);

/* Passes ESC, sanitizer->sequence and a final byte, if allowed. */
void w_sanitizer_screen_escape(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final);

/* Passes ESC [, sanitizer->sequence and a final byte, if allowed; not for
 * colours. */
void w_sanitizer_screen_control(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final);

/* Resets every mode that was changed. */
void w_sanitizer_screen_undo(struct w_sanitizer *sanitizer, struct w_buf *out);

#endif /* W_CLI_SANITIZER_SCREEN_H */
