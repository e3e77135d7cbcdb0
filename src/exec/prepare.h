/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_PREPARE_H
#define W_EXEC_PREPARE_H

#include <writ/run.h>

#include "base/words.h"
#include "exec/identity.h"
#include "exec/launch.h"
#include "exec/program.h"

/* A request whose names have become files: everything that is decided before
 * a process exists. */
struct w_prepared {
	struct w_identity identity;
	int cwd_fd;
	char *cwd;
	char *scratch; /* private directory; NULL when there is none */
	struct w_words env;
	struct w_words argv;
	struct w_program program;
	struct w_child_limit limits[W_CHILD_LIMITS_MAX];
	size_t limit_count;
};

writ_status w_prepare(const writ_request *request,
    struct w_prepared *out_prepared, writ_error *err);

/* Releases all of it; the private directory is deleted unless taken out. */
void w_prepared_done(struct w_prepared *prepared);

#endif /* W_EXEC_PREPARE_H */
