/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_COMMAND_BINDING_H
#define W_MODULE_COMMAND_BINDING_H

#include "command/description/command.h"
#include "module/binding/binding.h"

/* This node as an element of a binding file: with an input_schema made from its
 * grammar, and annotations from its effects. The caller frees *out_doc. */
writ_status w_binding_from_command(
    const struct w_command_node *node, yyjson_doc **out_doc, writ_error *err);

/* Makes a module that was made from that element render by the grammar of the
 * node itself, which must outlive it. */
writ_status w_module_use_grammar(struct w_module *module,
    const struct w_command_node *node, writ_error *err);

#endif /* W_MODULE_COMMAND_BINDING_H */
