/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The part of the view that each run has for itself.
 *
 * What lies in a directory that is made anew (a workspace in /tmp) was mounted
 * in the template's own at its true path. It is taken from there before the
 * run's directory covers it, and put into that.
 */

#include <string.h>
#include <sys/stat.h>

#include "os/machine.h"
#include "sandbox/mounts/mount_builder.h"

/*
 * What /proc tells of the kernel and the hardware, not of processes. Many of
 * these are guarded by their mode alone, which uid 0 passes without
 * capabilities; the others tell where the kernel's memory is, or when other
 * programs work. Container run-times mask the same. What is only to be written
 * (sysrq-trigger) is held by the read-only mount.
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
 * A template may be old. Whoever removed a hidden file since then took the
 * mask with it, and the number of the file may have come back for a new one;
 * so only the mount itself shows that a place is still what it was made.
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
		/* A directory of ours in another is no mount. */
		if (entry->visibility == W_VISIBILITY_EMPTY &&
		    around->visibility == W_VISIBILITY_EMPTY)
			continue;
		if (around->visibility == W_VISIBILITY_WRITE)
			w_mount_builder_between(
			    self, around->path, entry->path, mount_run_check);
		mount_run_check(self, entry->path);
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

/* One tmpfs for all that is temporary: one size for it, and a bind costs
 * less than another. */
static void
add_temporary(struct w_mount_builder *self)
{
	const struct w_mount_entry *tmp = w_mount_view_tmp(&self->view);

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
	if (tmp != NULL && self->view.has_own_root)
		w_mount_builder_add(self, W_MOUNT_DIR, 0,
		    w_mount_builder_text(self, "/tmp/home"))
		    ->mode = 0700;
}

/* A device on a mount without devices cannot be opened, for reading or for
 * writing, by anybody; and it costs less than a file of ours. */
static void
mask_file(struct w_mount_builder *self, const char *path)
{
	w_mount_builder_add(self, W_MOUNT_BIND,
	    W_MOUNT_SAFE | W_MOUNT_NOEXEC | W_MOUNT_READONLY | W_MOUNT_FLAT,
	    w_mount_builder_text(self, path))
	    ->source = w_mount_builder_text(self, "/dev/null");
}

static void
mask_directory(struct w_mount_builder *self, const char *path)
{
	w_mount_builder_add(self, W_MOUNT_TMPFS,
	    W_MOUNT_SAFE | W_MOUNT_NOEXEC | W_MOUNT_READONLY,
	    w_mount_builder_text(self, path));
}

/* With the mask of another place, which is the cheapest. */
static void
mask_again(struct w_mount_builder *self, const char *path, const char *masked)
{
	w_mount_builder_add(self, W_MOUNT_COVER, W_MOUNT_IF_THERE,
	    w_mount_builder_text(self, path))
	    ->source = w_mount_builder_text(self, masked);
}

/* Which of them there are does not change while the machine runs. What only
 * root may read needs no mask where the command has nothing of root. */
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
		if (*masked != NULL) {
			mask_again(self, path, *masked);
			continue;
		}
		if (S_ISDIR(found.st_mode))
			mask_directory(self, path);
		else
			mask_file(self, path);
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

	/* Read-only: much of what the kernel lets be set there is guarded by
	 * permission bits alone, which uid 0 passes without capabilities. */
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
	self->slots = 0;
	add_puts(self);
	w_words_done(&self->made);
	add_checks(self);
	add_kernel(self);
}
