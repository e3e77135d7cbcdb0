/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_FURTHER_WORDS_H
#define W_POLICY_FURTHER_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "command/analysis/analysis.h"

/*
 * What the "..." of an allowed shape may stand for, apart from the effects that
 * the whole command has: no option that runs code, no transport that runs a
 * program; and of a command that fetches code and runs it (`pip install ...`)
 * names only. A file, a directory or an address would be code that the caller
 * can have written.
 *
 * The words from that one on are the further ones.
 */
bool w_further_words_are_plain(const struct w_analysis *analysis, size_t from);

#endif /* W_POLICY_FURTHER_WORDS_H */
