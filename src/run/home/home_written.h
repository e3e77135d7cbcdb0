/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOME_WRITTEN_H
#define W_RUN_HOME_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a session wrote to HOME, as its layer has it: a row for each entry of
 * the directories of HOME, with all that is below it. Runs made it: hostile.
 */
struct w_home_written {
	const char *path; /* in HOME, as ".config/git" */
	uint64_t files;
	uint64_t bytes;
	bool is_deleted; /* HOME has it, and the session does not */
};

typedef void (*w_home_written_fn)(
    void *ctx, const struct w_home_written *written);

/* upper_fd: that of w_dotdirs_kept_find(). false: some of it was left out, as
 * there is too much or it cannot be read. */
bool w_dotdirs_written(int upper_fd, w_home_written_fn tell, void *ctx);

#endif /* W_RUN_HOME_WRITTEN_H */
