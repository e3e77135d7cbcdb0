/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_PROGRAMS_H
#define W_MODULE_REGISTRY_PROGRAMS_H

#include "module/registry/registry_state.h"

/* A file of a shelf that describes a command. */
struct w_described_program {
	uint32_t module_dir;
	uint32_t file;
};

/* Whether a file describes the command that goes by its program's name. */
bool w_registry_is_owner(const struct w_registry *registry,
    const struct w_described_program *program);

/* The command of a file, made at the first call. Fails with what is wrong with
 * it. Borrowed. */
writ_status w_registry_make_command(struct w_registry *registry,
    const struct w_described_program *program,
    const struct w_command **out_command, writ_error *err);

/* Complains of the descriptions on a shelf, which may only add, of programs
 * that are described elsewhere. false: no memory. */
bool w_registry_check_programs(
    struct w_registry *registry, uint32_t module_dir);

#endif /* W_MODULE_REGISTRY_PROGRAMS_H */
