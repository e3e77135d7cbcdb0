/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_TEMPLATE_H
#define W_MODULE_BINDING_TEMPLATE_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/words.h"
#include "command/grammar/grammar.h"

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
 * element an absent argument is a mistake, and so is an array. Numbers, true,
 * false and objects are their JSON text. `when` holds for what is there and
 * neither null nor false nor an empty array; `else` may follow `then`.
 *
 * Blanks may stand inside the braces. Two literal braces are written "{{{{".
 *
 * A word that begins with an argument's '-' could be taken for an option, also
 * right after a literal flag, since that may be a switch. It passes
 *   - when all that it has from arguments are JSON numbers,
 *   - after a literal "--",
 *   - after the argument's own flag (x-apexe-flag, or "--" and its key), as
 *     the next word,
 *   - when its property says x-writ-dash: allow.
 * A path gets "./" before it, also behind "--", and where it begins like an
 * operator of find, or with '+' or '@'. Everything else is refused.
 * "--name={{args.name}}" is always safe.
 */
struct w_binding_template;

/* command and form (that of the input schema) are borrowed: a place must name
 * one of its parameters, unless it is open. The first element is literal: which
 * program runs never depends on an argument. In *out_at (unless NULL) is the
 * key or value at fault. */
writ_status w_binding_template_new(yyjson_val *command,
    const struct w_grammar *grammar, struct w_binding_template **out_template,
    yyjson_val **out_at, writ_error *err);
void w_binding_template_free(struct w_binding_template *template);

/* Appends the literal words before the first that an argument has a part in:
 * the program and what always follows it. */
writ_status w_binding_template_head(const struct w_binding_template *template,
    struct w_words *out_words, writ_error *err);

/* Appends the words; none when it fails. */
writ_status w_binding_template_render(const struct w_binding_template *template,
    yyjson_val *args, struct w_words *out_words, writ_error *err);

/* Whether a single text is nothing but the place of an absent argument: then it
 * is as if it were not written. */
bool w_binding_template_is_absent(const char *text, size_t len,
    const struct w_grammar *grammar, yyjson_val *args);

/* Appends a single text with places (an element of env, stdin, cwd). Nothing is
 * appended for a text that is nothing but the place of an absent argument; an
 * array is a mistake, and so is a NUL. */
writ_status w_binding_template_render_text(const char *text, size_t len,
    const struct w_grammar *grammar, yyjson_val *args, struct w_buf *out,
    writ_error *err);

#endif /* W_MODULE_BINDING_TEMPLATE_H */
