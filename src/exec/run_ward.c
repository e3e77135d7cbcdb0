/* SPDX-License-Identifier: Apache-2.0 */

/* A run and its sandbox. */

#include "exec/run_ward.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"

static const char *const network_words[] = {
#define X(name, word) [W_NETWORK_##name] = (word),
    W_NETWORK_MAP(X)
#undef X
};

writ_status
w_run_take_ward(
    struct writ_job *job, struct w_prepared *prepared, writ_error *err)
{
	struct w_ward *ward = prepared->ward;

	if (ward == NULL)
		return WRIT_OK;
	const struct w_confine *confine = &ward->confine;
	const uint32_t cuts_off =
	    W_LAYER_BIT(W_LAYER_NETNS) | W_LAYER_BIT(W_LAYER_SECCOMP);
	const char *network = (ward->layers & cuts_off) == 0
				  ? network_words[W_NETWORK_HOST]
				  : network_words[confine->network];
	if (!w_result_box_set_sandbox(job->box, confine->profile, network,
		ward->layers, ward->missing) ||
	    !w_result_box_reserve_created(job->box, &confine->absent) ||
	    (ward->explains && !w_result_box_reserve_denials(job->box)))
		return w_fail_nomem(err, "sandbox");
	job->ward = ward;
	prepared->ward = NULL;
	job->reach = prepared->said.reach;
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &job->since);
	if (!ward->explains)
		return WRIT_OK;
	return w_denials_new(ward, job->runner->state_dir, job->box,
	    &job->runner->loop, &job->denials, err);
}

void
w_run_find_created(struct writ_job *job)
{
	struct stat st;

	if (job->ward == NULL)
		return;
	const struct w_words *absent = &job->ward->confine.absent;
	for (size_t i = 0; i < absent->count; i++) {
		if (lstat(absent->items[i], &st) == 0)
			w_result_box_add_created(job->box, absent->items[i]);
	}
}

void
w_run_give_ward(struct writ_job *job)
{
	w_ward_release(job->ward);
	job->ward = NULL;
}

/* Who waits for a listener that is not there gets nowhere: better an end. */
static void
keep_fd(struct writ_job *job, const struct w_tell *told, int *fd)
{
	if (told->kind == W_TELL_TMP && job->tmp_fd < 0)
		job->tmp_fd = w_take_fd(fd);
	if (told->kind == W_TELL_LISTENER && job->denials != NULL &&
	    (*fd < 0 || !w_denials_listen(job->denials, fd)))
		w_run_cancel(job, SIGKILL);
}

int
w_run_receive(struct writ_job *job, struct w_tell *out_told)
{
	W_AUTO_FD int fd = -1;
	struct w_fd_message message = {
	    .bytes = out_told,
	    .len = sizeof(*out_told),
	    .fds = &fd,
	    .count = 1,
	};

	ssize_t n =
	    w_fd_message_receive(job->tree.socket, MSG_DONTWAIT, &message);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n != (ssize_t)sizeof(*out_told))
		return -1;
	keep_fd(job, out_told, &fd);
	return 1;
}
