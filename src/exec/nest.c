/* SPDX-License-Identifier: Apache-2.0 */

/* Making, lending and taking back nests; see nest.h. */

#include "exec/nest.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/auto.h"
#include "exec/cell.h"
#include "exec/scratch.h"
#include "os/file.h"
#include "sandbox/remedy.h"

void
w_nest_outside(const struct w_ward *ward, const struct w_nest *nest,
    char out_path[W_NEST_OUTSIDE])
{
	(void)snprintf(out_path, W_NEST_OUTSIDE, "/proc/%d/root%s",
	    (int)ward->spawner.pid, nest->path);
}

static void
forget(struct w_nest *nest)
{
	w_close(&nest->ruleset_fd);
	free(nest->path);
	*nest = (struct w_nest){.ruleset_fd = -1};
}

void
w_nests_drop(struct w_ward *ward)
{
	while (ward->nest_count > 0)
		forget(&ward->nests[--ward->nest_count]);
}

static writ_status
open_view(struct w_ward *ward, struct w_launcher *launcher, writ_error *err)
{
	char path[48];

	if (ward->spawner_socket >= 0)
		return WRIT_OK;
	w_nests_drop(ward);
	w_close(&ward->view_fd);
	writ_status status = w_cell_open_spawner(launcher, ward, err);
	if (status != WRIT_OK)
		return status;
	(void)snprintf(
	    path, sizeof(path), "/proc/%d/ns/mnt", (int)ward->spawner.pid);
	ward->view_fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = ward->view_fd < 0 ? errno : w_fd_raise(&ward->view_fd);
	return error == 0 ? WRIT_OK
			  : w_probe_explain(W_LAYER_MOUNTNS, error, err);
}

static int
random_digits(char digits[W_NEST_DIGITS + 1])
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		return errno;
	(void)snprintf(
	    digits, W_NEST_DIGITS + 1, "%016llx", (unsigned long long)number);
	return 0;
}

static writ_status
make(struct w_ward *ward, struct w_nest *out_nest, writ_error *err)
{
	char path[] = W_NEST_PATH;
	char *digits = path + sizeof(path) - 1 - W_NEST_DIGITS;
	struct w_nest nest = {.ruleset_fd = -1};

	int error = random_digits(digits);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "sandbox", error,
		    "cannot name a private directory");
	nest.path = strdup(path);
	if (nest.path == NULL)
		return w_fail_nomem(err, "sandbox");
	error = w_cell_ask_nest(ward, digits, &nest.ruleset_fd);
	if (error == 0)
		error = w_fd_raise(&nest.ruleset_fd);
	if (error != 0) {
		forget(&nest);
		return w_probe_explain(W_LAYER_LANDLOCK, error, err);
	}
	*out_nest = nest;
	return WRIT_OK;
}

writ_status
w_nest_take(struct w_ward *ward, struct w_launcher *launcher,
    struct w_nest *out_nest, writ_error *err)
{
	writ_status status = open_view(ward, launcher, err);

	if (status != WRIT_OK)
		return status;
	if (ward->nest_count == 0)
		return make(ward, out_nest, err);
	*out_nest = ward->nests[--ward->nest_count];
	return WRIT_OK;
}

void
w_nest_give(struct w_ward *ward, struct w_nest *nest)
{
	char path[W_NEST_OUTSIDE];

	w_nest_outside(ward, nest, path);
	if (ward->nest_count < W_NESTS_MAX && w_scratch_clear(path)) {
		ward->nests[ward->nest_count++] = *nest;
		*nest = (struct w_nest){.ruleset_fd = -1};
		return;
	}
	(void)w_file_remove_tree(path);
	forget(nest);
}
