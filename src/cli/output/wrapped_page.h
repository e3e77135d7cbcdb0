/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WRAPPED_PAGE_H
#define W_CLI_WRAPPED_PAGE_H

#include "base/buf.h"

/*
 * Prints a page to standard output and returns the exit status. On a terminal,
 * a line that is too wide is broken at blanks, and the rest of it is indented
 * to the column where its text begins: behind the last gap of two blanks near
 * its start, else two columns more than the line. Quoted lines of a file
 * ("   12 | text"), and words that are too long, are not broken. In a pipe the
 * page is printed as it is.
 */
int w_wrapped_page_print(const struct w_buf *page);

#endif /* W_CLI_WRAPPED_PAGE_H */
