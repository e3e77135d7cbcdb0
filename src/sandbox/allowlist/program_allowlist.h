/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROGRAM_ALLOWLIST_H
#define W_SANDBOX_PROGRAM_ALLOWLIST_H

#include "sandbox/profile/profile_resolver.h"

/*
 * The program allowlist: implements the execute list of w_restriction. Four
 * walls, each covering what the others leave open:
 *
 * 1. Executing. Landlock grants the right only to the listed files, to the
 *    interpreters that their first lines name, and to their loaders and
 *    helpers, whatever path, link or descriptor leads to another file.
 * 2. Mapping. A loader that is started by hand maps whatever it can read. So
 *    every mount is noexec except those of programs and of libraries, and
 *    nothing writable is among those.
 * 3. Reading. Directories of programs are closed (struct w_resolved_profile):
 *    their names can be listed, but only the listed files can be opened. A
 *    program among libraries is hidden.
 * 4. Memory. The seccomp filter forbids creating executable files in memory
 *    (memfd), since Landlock cannot see them.
 *
 * What remains is a listed interpreter: it does what its script says.
 *
 * Runs after the lists are filled, before their rights are merged. Adds to
 * grants, guarded, hidden and closed. Never makes anything executable that the
 * profile does not.
 */
writ_status w_allowlist_build(
    struct w_profile_resolver *resolver, writ_error *err);

/* ---- shared by the files of this folder ---- */

enum {
	W_ALLOWLIST_PROGRAMS_MAX = 4096
};

struct w_allowlist {
	struct w_profile_resolver *resolver;
	struct w_real_paths programs; /* executable; helpers may be
					 directories */
	struct w_real_paths areas;    /* directories of mappable code */
	struct w_real_paths searched; /* areas that may contain programs */
};

/* Adds a file or directory if it exists and the profile makes it executable or
 * readable. */
writ_status w_allowlist_add_program(
    struct w_allowlist *allowlist, const char *path, writ_error *err);
writ_status w_allowlist_add_area(struct w_allowlist *allowlist,
    const char *path, bool is_searched, writ_error *err);

/* program_dependencies.c: adds what programs of that name need besides what the
 * file itself says. */
writ_status w_allowlist_add_dependencies(
    struct w_allowlist *allowlist, const char *path, writ_error *err);

/* closed_directories.c: closes the directories of programs. */
writ_status w_allowlist_close_dirs(
    struct w_allowlist *allowlist, writ_error *err);

/* hidden_programs.c: hides the programs among libraries. */
writ_status w_allowlist_hide_programs(
    struct w_allowlist *allowlist, writ_error *err);

#endif /* W_SANDBOX_PROGRAM_ALLOWLIST_H */
