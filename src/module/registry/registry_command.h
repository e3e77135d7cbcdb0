/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_COMMAND_H
#define W_MODULE_REGISTRY_COMMAND_H

#include <stdbool.h>

#include "command/description/command.h"
#include "module/registry/module_index_builder.h"

/* Whether a file of this name describes a command. */
bool w_registry_is_command(const char *name);

/* Adds a command to the current file of the index: its names, its description,
 * and a module for each node that can be run. */
writ_status w_registry_add_command(struct w_module_index_builder *builder,
    const struct w_command *command, writ_error *err);

/* The same for the command in a file. If it is invalid, only the program's name
 * is added, from that of the file, so that no other file can claim it. */
writ_status w_registry_read_command(struct w_module_index_builder *builder,
    int dir_fd, const char *name, writ_error *err);

/* The same for a file that has already been checked. */
writ_status w_registry_read_proven_command(
    struct w_module_index_builder *builder, const char *path,
    const struct w_stat_data *identity, writ_error *err);

#endif /* W_MODULE_REGISTRY_COMMAND_H */
