/* SPDX-License-Identifier: Apache-2.0 */

/* The ids in the queue and among the grants. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/approval/approval_queue.h"

#define DAY_S 86400

/* Deletes half-written files of killed processes. */
static void
drop_debris(int dir_fd, const char *name)
{
	const time_t now = time(NULL);
	struct stat st;

	if (strncmp(name, ".writ-", 6) == 0 &&
	    fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    now - st.st_mtime > DAY_S)
		(void)unlinkat(dir_fd, name, 0);
}

int
w_approval_list_ids(int dir_fd, w_approval_id_fn fn, void *ctx)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool goes_on = true;

	if (dir == NULL)
		return errno;
	(void)w_take_fd(&fd);
	while (goes_on && (entry = readdir(dir)) != NULL) {
		const char *dot = strchr(entry->d_name, '.');
		char id[WRIT_APPROVAL_ID_LEN + 1] = {0};

		drop_debris(dirfd(dir), entry->d_name);
		if (dot == NULL ||
		    dot - entry->d_name != WRIT_APPROVAL_ID_LEN ||
		    !w_approval_is_id(entry->d_name, WRIT_APPROVAL_ID_LEN))
			continue;
		memcpy(id, entry->d_name, WRIT_APPROVAL_ID_LEN);
		goes_on = fn(ctx, id, dot);
	}
	(void)closedir(dir);
	return 0;
}

struct approval_ids_finding {
	char want[WRIT_APPROVAL_ID_LEN + 1];
	char found[WRIT_APPROVAL_ID_LEN + 1];
	char other[WRIT_APPROVAL_ID_LEN + 1];
	size_t count;
};

static bool
compare_name(void *ctx, const char *id, const char *suffix)
{
	struct approval_ids_finding *finding = ctx;

	if (strcmp(suffix, ".json") != 0 ||
	    strncmp(id, finding->want, strlen(finding->want)) != 0)
		return true;
	memcpy(finding->count == 0 ? finding->found : finding->other, id,
	    sizeof(finding->found));
	finding->count++;
	return true;
}

/* Accepts upper case. */
static bool
approval_ids_spell(const char *text, char out[WRIT_APPROVAL_ID_LEN + 1])
{
	const size_t len = strlen(text);

	if (len > WRIT_APPROVAL_ID_LEN)
		return false;
	for (size_t i = 0; i <= len; i++)
		out[i] = text[i] >= 'A' && text[i] <= 'Z'
			     ? (char)(text[i] - 'A' + 'a')
			     : text[i];
	return w_approval_is_id(out, len);
}

writ_status
w_approval_find_id(int dir_fd, const char *beginning, const char *what,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	struct approval_ids_finding finding = {.count = 0};

	if (approval_ids_spell(beginning, finding.want) && dir_fd >= 0) {
		int error = w_approval_list_ids(dir_fd, compare_name, &finding);

		if (error != 0)
			return w_fail(err, WRIT_E_SYSTEM, "approval", error,
			    "cannot list the %ss", what);
	}
	if (finding.count == 0)
		return w_fail(err, WRIT_E_NOTFOUND, "approval", 0,
		    "there is no %s '%.64s'", what, beginning);
	if (finding.count > 1) {
		(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "several %ss begin with '%.64s': '%s', '%s'%s", what,
		    beginning, finding.found, finding.other,
		    finding.count > 2 ? ", ..." : "");
		w_suggest(err, "give more characters of the id");
		return WRIT_E_INVALID;
	}
	memcpy(out_id, finding.found, sizeof(finding.found));
	return WRIT_OK;
}
