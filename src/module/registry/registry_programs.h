/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_PROGRAMS_H
#define W_MODULE_REGISTRY_PROGRAMS_H

#include "module/registry/registry_state.h"

/* A file of a module directory that describes a command. */
struct w_described_program {
	uint32_t module_dir;
	uint32_t file;
};

/* Whether a file has the description that its program's name refers to. */
bool w_registry_is_owner(const struct w_registry *registry,
    const struct w_described_program *program);

/* The command of a file, made on first use. Fails with the error in it.
 * Borrowed. */
writ_status w_registry_make_command(struct w_registry *registry,
    const struct w_described_program *program,
    const struct w_command **out_command, writ_error *err);

/* Reports descriptions, in a directory that may only add, of programs described
 * elsewhere. false: no memory. */
bool w_registry_check_programs(
    struct w_registry *registry, uint32_t module_dir);

#endif /* W_MODULE_REGISTRY_PROGRAMS_H */
