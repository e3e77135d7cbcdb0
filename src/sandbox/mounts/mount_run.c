/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The part of the view that is made for each run.
 *
 * What lies in a directory that each run gets anew (a workspace in /tmp) was
 * mounted by the template at its true path. It is detached before the run's
 * directory covers it and attached inside that directory.
 */

#include <string.h>
#include <sys/stat.h>

#include "os/machine.h"
#include "sandbox/child/sandbox_plan.h"
#include "sandbox/mounts/mount_builder.h"

/*
 * What /proc says about the kernel and the hardware, not about processes. Many
 * of these files are protected only by their mode, which uid 0 passes without
 * capabilities; the others reveal kernel addresses or the activity of other
 * programs. Container runtimes mask the same files. Write-only files
 * (sysrq-trigger) are protected by the read-only mount.
 */
static const char *const kernel_data[] = {
    "/proc/interrupts",
    "/proc/iomem",
    "/proc/ioports",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/key-users",
    "/proc/keys",
    "/proc/kmsg",
    "/proc/kpagecgroup",
    "/proc/kpagecount",
    "/proc/kpageflags",
    "/proc/latency_stats",
    "/proc/mtrr",
    "/proc/pagetypeinfo",
    "/proc/sched_debug",
    "/proc/slabinfo",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/proc/vmallocinfo",
    "/proc/vmcore",
    "/proc/acpi",
    "/proc/asound",
    "/proc/scsi",
};

static bool
is_moved(const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return w_mount_builder_brings(self, entry) &&
	       w_mount_builder_around(self, entry)->is_per_run;
}

static void
add_takes(struct w_mount_builder *self)
{
	if (self->shared != NULL)
		return;
	for (size_t i = 0; i < self->view.count; i++) {
		const struct w_mount_entry *entry = &self->view.items[i];

		if (!is_moved(self, entry))
			continue;
		struct w_mount_op *op =
		    w_mount_builder_add(self, W_MOUNT_TAKE, 0, 0);
		op->source = w_mount_builder_text(self, entry->path);
		op->slot = w_mount_builder_slot(self);
	}
}

static void
add_puts(struct w_mount_builder *self)
{
	if (self->shared != NULL)
		return;
	for (size_t i = 0; i < self->view.count; i++) {
		const struct w_mount_entry *entry = &self->view.items[i];

		if (!is_moved(self, entry))
			continue;
		w_mount_builder_point(self, entry);
		w_mount_builder_add(self, W_MOUNT_PUT, 0,
		    w_mount_builder_text(self, entry->path))
		    ->slot = w_mount_builder_slot(self);
	}
}

static void
mount_run_check(struct w_mount_builder *self, const char *path)
{
	w_mount_builder_add(
	    self, W_MOUNT_CHECK, 0, w_mount_builder_text(self, path));
}

/*
 * A template may be old. If a hidden file was removed since, its mask went with
 * it, and a new file may have got the same inode number; so only the presence
 * of the mount proves that a path is still masked.
 */
static void
add_checks(struct w_mount_builder *self)
{
	for (size_t i = 0; i < self->view.count; i++) {
		const struct w_mount_entry *entry = &self->view.items[i];
		const struct w_mount_entry *around =
		    w_mount_builder_around(self, entry);

		if (entry->is_void || entry->ino == 0)
			continue;
		/* A directory of ours within another is not a mount. */
		if (entry->visibility == W_VISIBILITY_EMPTY &&
		    around->visibility == W_VISIBILITY_EMPTY)
			continue;
		if (w_mount_builder_is_in_shared(self, entry))
			self->phase |= W_MOUNT_SHARED;
		if (around->visibility == W_VISIBILITY_WRITE)
			w_mount_builder_between(
			    self, around->path, entry->path, mount_run_check);
		mount_run_check(self, entry->path);
		self->phase = W_MOUNT_PER_RUN;
	}
}

uint64_t
w_mount_tmp_default(void)
{
	const uint64_t most = UINT64_C(8) << 30;
	const uint64_t quarter = w_machine_memory() / 4;

	return quarter == 0 || quarter > most ? most : quarter;
}

static void
add_tmpfs(struct w_mount_builder *self, const char *path)
{
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_TMPFS,
	    W_MOUNT_SAFE | w_mount_builder_noexec(self),
	    w_mount_builder_text(self, path));

	op->mode = 01777;
	op->number = self->resolved->tmp_size != 0 ? self->resolved->tmp_size
						   : w_mount_tmp_default();
}

/* The home directory of a sandbox with its own root. */
static void
add_home(struct w_mount_builder *self)
{
	if (w_mount_view_tmp(&self->view) == NULL || !self->view.has_own_root)
		return;
	self->phase |= self->shared != NULL ? W_MOUNT_SHARED : 0;
	w_mount_builder_add(self, W_MOUNT_DIR, 0,
	    w_mount_builder_text(self, W_SANDBOX_PLAN_HOME))
	    ->mode = 0700;
	self->phase = W_MOUNT_PER_RUN;
}

/* One tmpfs for all temporary directories: one size limit, and a bind mount is
 * cheaper than another tmpfs. A session's are in the template. */
static void
add_temporary(struct w_mount_builder *self)
{
	const struct w_mount_entry *tmp = w_mount_view_tmp(&self->view);

	if (self->shared != NULL)
		return;
	if (tmp != NULL)
		add_tmpfs(self, tmp->path);
	for (size_t i = 0; i < self->view.count; i++) {
		const struct w_mount_entry *entry = &self->view.items[i];

		if (!entry->is_per_run || entry->is_link || entry == tmp)
			continue;
		if (tmp == NULL) {
			add_tmpfs(self, entry->path);
			continue;
		}
		w_mount_builder_add(self, W_MOUNT_BIND, W_MOUNT_FLAT,
		    w_mount_builder_text(self, entry->path))
		    ->source = w_mount_builder_text(self, tmp->path);
	}
}

/* The set of these files does not change while the machine runs. Files that
 * only root may read need no mask if the command is not root. */
static void
mask_kernel_data(struct w_mount_builder *self)
{
	const size_t count = sizeof(kernel_data) / sizeof(*kernel_data);
	const char *masked_file = NULL;
	const char *masked_directory = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *path = kernel_data[i];
		struct stat found;

		if (lstat(path, &found) < 0 ||
		    (!self->resolved->is_root &&
			(found.st_mode & S_IROTH) == 0))
			continue;
		const char **masked =
		    S_ISDIR(found.st_mode) ? &masked_directory : &masked_file;
		const uint32_t target = w_mount_builder_text(self, path);
		if (*masked != NULL) {
			/* Reusing the mask of another path is the cheapest. */
			w_mount_builder_add(
			    self, W_MOUNT_COVER, W_MOUNT_IF_THERE, target)
			    ->source = w_mount_builder_text(self, *masked);
			continue;
		}
		if (S_ISDIR(found.st_mode))
			w_mount_builder_add(self, W_MOUNT_TMPFS,
			    W_MOUNT_SAFE | W_MOUNT_NOEXEC | W_MOUNT_READONLY,
			    target);
		else
			/* Nobody can open a device on a nodev mount, and it
			 * costs less than a file of ours. */
			w_mount_builder_add(self, W_MOUNT_BIND,
			    W_MOUNT_SAFE | W_MOUNT_NOEXEC | W_MOUNT_READONLY |
				W_MOUNT_FLAT,
			    target)
			    ->source = w_mount_builder_text(self, "/dev/null");
		*masked = path;
	}
}

static void
add_kernel(struct w_mount_builder *self)
{
	w_mount_builder_add(self, W_MOUNT_DEVPTS,
	    W_MOUNT_NOSUID | W_MOUNT_NOEXEC | W_MOUNT_IF_THERE,
	    w_mount_builder_text(self, "/dev/pts"))
	    ->source = w_mount_builder_text(self, "ptmxmode=0666,mode=0620");

	/* Read-only: many settings in /proc are protected only by permission
	 * bits, which uid 0 passes without capabilities. */
	w_mount_builder_add(self, W_MOUNT_PROC,
	    W_MOUNT_SAFE | W_MOUNT_NOEXEC | W_MOUNT_READONLY,
	    w_mount_builder_text(self, "/proc"));
	mask_kernel_data(self);
}

void
w_mount_run_add(struct w_mount_builder *self)
{
	self->prefix = "";
	self->phase = W_MOUNT_PER_RUN;
	w_words_done(&self->made);
	self->slots = 0;
	add_takes(self);
	add_temporary(self);
	add_home(self);
	self->slots = 0;
	add_puts(self);
	w_words_done(&self->made);
	add_checks(self);
	add_kernel(self);
}
