/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_TEMPLATE_H
#define W_MODULE_BINDING_TEMPLATE_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/words.h"
#include "command/grammar/grammar.h"

/*
 * A command that is declared word by word, with placeholders for arguments:
 *
 *     command:
 *       - ffmpeg
 *       - -i
 *       - "{{args.input}}"
 *       - when: args.quality
 *         then: [-q, "{{args.quality}}"]
 *       - "scale={{args.width}}:-1"
 *
 * Each element becomes one word, whatever its arguments contain: nothing is
 * split again. An element that is nothing but one placeholder expands an array
 * to that many words, and a missing or null argument to none. Inside a longer
 * element a missing argument or an array is an error. Numbers, true, false and
 * objects become their JSON text. `when` is true for a value that is neither
 * missing nor null, false or an empty array; `else` may follow `then`.
 *
 * Blanks are allowed inside the braces. Two literal braces are written "{{{{".
 *
 * A word that begins with an argument's '-' could be taken for an option, even
 * right after a literal flag, since that may be a switch. It is allowed
 *   - if all arguments in it are JSON numbers,
 *   - after a literal "--",
 *   - right after the argument's own flag (x-apexe-flag, or "--" and its key),
 *   - if its property has x-writ-dash: allow.
 * A path gets "./" before it, also after "--", and if it begins like an
 * operator of find, or with '+' or '@'. Everything else is refused.
 * "--name={{args.name}}" is always safe.
 */
struct w_binding_template;

/* command and grammar (that of the input schema) are borrowed: a placeholder
 * must name one of its parameters, unless it is open. The first element is
 * literal: the program never depends on an argument. On failure *out_at (unless
 * NULL) is the key or value at fault. */
writ_status w_binding_template_new(yyjson_val *command,
    const struct w_grammar *grammar, struct w_binding_template **out_template,
    yyjson_val **out_at, writ_error *err);
void w_binding_template_free(struct w_binding_template *template);

/* Appends the literal words before the first that contains an argument: the
 * program and its fixed words. */
writ_status w_binding_template_head(const struct w_binding_template *template,
    struct w_words *out_words, writ_error *err);

/* Appends the words; none on failure. */
writ_status w_binding_template_render(const struct w_binding_template *template,
    yyjson_val *args, struct w_words *out_words, writ_error *err);

/* Whether a text is nothing but the placeholder of a missing argument: then it
 * is ignored. */
bool w_binding_template_is_absent(const char *text, size_t len,
    const struct w_grammar *grammar, yyjson_val *args);

/* Appends a single text with placeholders (a value of env, stdin, cwd). Appends
 * nothing for a text that is only the placeholder of a missing argument; an
 * array or a NUL is an error. */
writ_status w_binding_template_render_text(const char *text, size_t len,
    const struct w_grammar *grammar, yyjson_val *args, struct w_buf *out,
    writ_error *err);

#endif /* W_MODULE_BINDING_TEMPLATE_H */
