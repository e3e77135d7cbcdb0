/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_TARGET_H
#define W_MODULE_BINDING_TARGET_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/words.h"

/*
 * "exec:///usr/bin/git commit": a program and its fixed words, separated by
 * blanks. Words that contain blanks need argv, a list of words, instead.
 */
#define W_BINDING_TARGET_SCHEME "exec://"

/* Splits a target into words; the first is the program. */
writ_status w_binding_target_parse(
    const char *target, struct w_words *out_words, writ_error *err);

/* Fails for what cannot be the program of a module: it must be an absolute
 * path, or a name to look up in PATH. */
writ_status w_binding_target_program(const char *program, writ_error *err);

/* Appends the target of these words. false: they cannot be written as one. */
bool w_binding_target_add(struct w_buf *buf, const char *const *words);

#endif /* W_MODULE_BINDING_TARGET_H */
