/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_COMMAND_H
#define W_MODULE_REGISTRY_COMMAND_H

#include <stdbool.h>

#include "command/description/command.h"
#include "module/registry/module_index_builder.h"

/* Whether a file of this name describes a command. */
bool w_registry_is_command(const char *name);

/* Puts a command into the file of the image that is being made: its names, its
 * description, and a module for each node that can be run. */
writ_status w_registry_add_command(struct w_module_index_builder *builder,
    const struct w_command *command, writ_error *err);

/* Likewise the command of a file. Of one that is wrong only the name of the
 * program is put in, by that of the file: it belongs to nobody else. */
writ_status w_registry_read_command(struct w_module_index_builder *builder,
    int dir_fd, const char *name, writ_error *err);

/* Likewise of a file of which somebody has proved that it may be used. */
writ_status w_registry_read_proven_command(
    struct w_module_index_builder *builder, const char *path,
    const struct w_stat_data *identity, writ_error *err);

#endif /* W_MODULE_REGISTRY_COMMAND_H */
