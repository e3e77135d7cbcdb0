/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SANITIZER_SCREEN_H
#define W_CLI_SANITIZER_SCREEN_H

#include "cli/output/sanitizer.h"

/*
 * What a program with a screen (an editor, a pager, a shell) needs besides
 * text: cursor, erasing, scrolling, the alternate screen, line drawing, mouse
 * and bracketed paste. It is a list of what passes. Not in it, among others:
 * whatever makes the terminal answer, for an answer arrives as typed input;
 * titles, the clipboard, printing, window sizes, and erasing the lines that
 * have scrolled away.
 */

/* A control character that is neither ESC nor the end of a line. */
bool w_sanitizer_screen_has_byte(unsigned char c);

/* ESC, tame->sequence and a final byte. */
void w_sanitizer_screen_escape(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final);

/* ESC [, tame->sequence and a final byte; not a colour. */
void w_sanitizer_screen_control(
    struct w_sanitizer *sanitizer, struct w_buf *out, unsigned char final);

/* Puts every mode back that was left on, or off. */
void w_sanitizer_screen_undo(struct w_sanitizer *sanitizer, struct w_buf *out);

#endif /* W_CLI_SANITIZER_SCREEN_H */
