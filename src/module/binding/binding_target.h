/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_TARGET_H
#define W_MODULE_BINDING_TARGET_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/words.h"

/*
 * "exec:///usr/bin/git commit": a program and the words that always follow it,
 * with blanks between. What has blanks inside cannot be written like this; for
 * that a binding has argv, a list of words.
 */
#define W_BINDING_TARGET_SCHEME "exec://"

/* Takes a target apart; the program is the first word. */
writ_status w_binding_target_parse(
    const char *target, struct w_words *out_words, writ_error *err);

/* Refuses what cannot be the program of a module: it is an absolute path, or a
 * name that PATH is searched for. */
writ_status w_binding_target_program(const char *program, writ_error *err);

/* Appends the target of these words. false: they cannot be written as one. */
bool w_binding_target_add(struct w_buf *buf, const char *const *words);

#endif /* W_MODULE_BINDING_TARGET_H */
