/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_TEMPLATE_H
#define W_MODULE_TEMPLATE_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/words.h"
#include "module/form.h"

/*
 * A command that is declared word by word, with places for the arguments:
 *
 *     command:
 *       - ffmpeg
 *       - -i
 *       - "{{args.input}}"
 *       - when: args.quality
 *         then: [-q, "{{args.quality}}"]
 *       - "scale={{args.width}}:-1"
 *
 * Each element becomes one word, whatever is in its arguments: nothing is
 * split again. An element that is nothing but one place takes an array as that
 * many words, and no word at all for what is absent or null. Inside a longer
 * element an absent argument is a mistake. `when` holds for what is there and
 * neither null nor false; `else` may follow `then`.
 */
struct w_template;

/* form is that of the input schema, borrowed: a place must name one of its
 * parameters, unless it is open. The first element is literal: which program
 * runs never depends on an argument. */
writ_status w_template_new(yyjson_val *command, const struct w_form *form,
    struct w_template **out_template, yyjson_val **out_at, writ_error *err);
void w_template_free(struct w_template *template);

/* Appends the words. A value at the beginning of a word that starts with '-'
 * is refused like an operand that does, unless a literal "--" came before. */
writ_status w_template_render(const struct w_template *template,
    yyjson_val *args, struct w_words *out_words, writ_error *err);

/* A single text with places (an element of env, stdin, cwd), likewise. */
writ_status w_template_text(const char *text, size_t len,
    const struct w_form *form, yyjson_val *args, struct w_buf *out,
    writ_error *err);

#endif /* W_MODULE_TEMPLATE_H */
