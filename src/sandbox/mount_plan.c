/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From places to steps.
 *
 * One tmpfs of the sandbox's own holds all that the machine does not have: the
 * root of STRICT, the empty directories, what masks a hidden place. It is
 * mounted over the machine's /proc, which no run gets to see, and sealed at
 * the end. Steps that prepare paths for STRICT see its root there; WORKSPACE
 * sees all paths where they always are.
 *
 * The template is built once. What lies in a directory that is made anew for
 * each run (a workspace in /tmp) is mounted in the template's own /tmp at its
 * true path; a run takes it from there before its /tmp covers it and puts it
 * back into that.
 */

#include "sandbox/mount_plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/mount_places.h"

#define STAGE "sandbox"
#define BASE  "/proc" /* where the sandbox's tmpfs is mounted at first */

enum {
	TABLE_MAX = 1 << 20,
	BASE_SIZE = 1 << 20,
	OPS_MAX = 1 << 14,
	SAFE = W_MOUNT_NOSUID | W_MOUNT_NODEV,
	PROC_SLOT = W_MOUNT_SLOTS - 1, /* the machine's /proc, in STRICT */
	NAME_MAX_LEN = 32
};

struct builder {
	const struct w_confine *confine;
	struct w_mount_places places;
	struct w_table *strings;
	struct w_mount_plan plan;
	struct w_words made;  /* paths that have an own step already */
	const char *prefix;   /* before every target */
	const char *mask_dir; /* where the masks lie */
	uint32_t phase;       /* W_MOUNT_PER_RUN or 0 */
	uint32_t slots;       /* in use */
	uint32_t empties;
	bool has_mask[2]; /* for a file, for a directory */
	bool has_failed;  /* no memory */
	bool is_full;     /* more places than slots */
};

void
w_table_init(struct w_table *table)
{
	w_buf_init(&table->text, TABLE_MAX);
	w_buf_add_char(&table->text, '\0');
}

void
w_table_done(struct w_table *table)
{
	w_buf_done(&table->text);
}

static uint32_t
add_joined(struct w_table *table, const char *head, const char *tail)
{
	const size_t at = table->text.len;

	if (head[0] == '\0' && tail[0] == '\0')
		return 0;
	w_buf_add_str(&table->text, head);
	w_buf_add(&table->text, tail, strlen(tail) + 1);
	return (uint32_t)at;
}

uint32_t
w_table_add(struct w_table *table, const char *text)
{
	return add_joined(table, "", text);
}

/* The new step, or one that goes nowhere when memory ran out. */
static struct w_mount_op *
add(struct builder *self, enum w_mount_kind kind, uint32_t attrs)
{
	static _Thread_local struct w_mount_op nowhere;
	struct w_mount_plan *plan = &self->plan;

	if (plan->count == plan->cap) {
		const size_t cap = plan->cap == 0 ? 64 : plan->cap * 2;
		struct w_mount_op *ops =
		    cap > OPS_MAX ? NULL
				  : reallocarray(plan->ops, cap, sizeof(*ops));

		if (ops == NULL) {
			self->has_failed = true;
			return &nowhere;
		}
		plan->ops = ops;
		plan->cap = cap;
	}
	struct w_mount_op *op = &plan->ops[plan->count++];
	*op = (struct w_mount_op){
	    .kind = kind,
	    .attrs = attrs | self->phase,
	};
	return op;
}

static uint32_t
text(struct builder *self, const char *string)
{
	return w_table_add(self->strings, string);
}

static uint32_t
target(struct builder *self, const char *path)
{
	return add_joined(self->strings, self->prefix, path);
}

static void
expect(struct w_mount_op *op, const struct w_mount_place *place)
{
	op->dev = place->dev;
	op->ino = place->ino;
}

static uint32_t
next_slot(struct builder *self)
{
	if (self->slots >= PROC_SLOT) {
		self->is_full = true;
		return 0;
	}
	return self->slots++;
}

/* Whether the path is still without a step; it is not afterwards. */
static bool
is_new(struct builder *self, const char *path, size_t len)
{
	for (size_t i = 0; i < self->made.count; i++) {
		if (strncmp(self->made.items[i], path, len) == 0 &&
		    self->made.items[i][len] == '\0')
			return false;
	}
	if (!w_words_add(&self->made, path, len))
		self->has_failed = true;
	return true;
}

/* For each directory strictly between two paths. */
static void
between(struct builder *self, const char *from, const char *to,
    void (*step)(struct builder *self, const char *path))
{
	const size_t start = strcmp(from, "/") == 0 ? 0 : strlen(from);

	for (const char *at = strchr(to + start + 1, '/'); at != NULL;
	     at = strchr(at + 1, '/')) {
		const size_t len = (size_t)(at - to);
		char *path = strndup(to, len);

		if (path == NULL)
			self->has_failed = true;
		else if (is_new(self, path, len))
			step(self, path);
		free(path);
	}
}

static void
add_dir(struct builder *self, const char *path)
{
	struct w_mount_op *op = add(self, W_MOUNT_DIR, 0);

	op->target = target(self, path);
	op->mode = 0755;
}

/* As a mount point a directory cannot be renamed, and what is guarded beneath
 * it cannot be replaced. */
static void
pin_dir(struct builder *self, const char *path)
{
	struct w_mount_op *op = add(self, W_MOUNT_BIND, 0);

	op->target = target(self, path);
	op->source = op->target;
}

/* A mount point for the place in a tmpfs of ours. */
static void
add_mount_point(struct builder *self, const struct w_mount_place *place)
{
	const struct w_mount_place *around = &self->places.items[place->within];

	between(self, around->path, place->path, add_dir);
	if (place->is_dir) {
		add_dir(self, place->path);
		return;
	}
	struct w_mount_op *op = add(self, W_MOUNT_FILE, 0);
	op->target = target(self, place->path);
	op->mode = 0444;
}

static const struct w_mount_place *
around_of(const struct builder *self, const struct w_mount_place *place)
{
	return &self->places.items[place->within];
}

/* Whether the place is a mount of its own that comes from the machine. */
static bool
is_brought(const struct builder *self, const struct w_mount_place *place)
{
	if (place->is_void || !place->is_grant)
		return false;
	return around_of(self, place)->look == W_LOOK_EMPTY ||
	       place->look == W_LOOK_WRITE;
}

/* What is readable can be mounted straight into a root of our own: there
 * nothing covers it, and it is read-only already. */
static bool
is_kept(const struct builder *self, const struct w_mount_place *place)
{
	return is_brought(self, place) &&
	       !(self->places.has_own_root && place->look == W_LOOK_READ);
}

static void
add_keeps(struct builder *self)
{
	for (size_t i = 0; i < self->places.count; i++) {
		const struct w_mount_place *place = &self->places.items[i];

		if (!is_kept(self, place))
			continue;
		const uint32_t slot = next_slot(self);
		struct w_mount_op *op = add(self, W_MOUNT_KEEP,
		    place->look == W_LOOK_READ ? SAFE | W_MOUNT_READONLY
					       : SAFE);
		op->source = text(self, place->path);
		op->slot = slot;
		expect(op, place);
	}
}

static void
bring(struct builder *self, const struct w_mount_place *place)
{
	const bool is_inside = around_of(self, place)->look == W_LOOK_EMPTY;

	if (is_inside)
		add_mount_point(self, place);
	if (!is_kept(self, place)) {
		struct w_mount_op *op = add(self, W_MOUNT_BIND, 0);

		op->source = text(self, place->path);
		op->target = target(self, place->path);
		expect(op, place);
		return;
	}
	struct w_mount_op *op = add(self, W_MOUNT_PUT, 0);
	op->slot = next_slot(self);
	op->target = target(self, place->path);
	if (!is_inside)
		expect(op, place);
}

/* Read-only within what is writable. */
static void
guard(struct builder *self, const struct w_mount_place *place)
{
	between(self, around_of(self, place)->path, place->path, pin_dir);
	struct w_mount_op *op = add(self, W_MOUNT_BIND, W_MOUNT_READONLY);
	op->target = target(self, place->path);
	op->source = op->target;
	expect(op, place);
	(void)is_new(self, place->path, strlen(place->path));
}

static void
hide(struct builder *self, const struct w_mount_place *place)
{
	const char *name = place->is_dir ? "/directory" : "/file";

	if (!self->has_mask[place->is_dir]) {
		self->has_mask[place->is_dir] = true;
		struct w_mount_op *op =
		    add(self, place->is_dir ? W_MOUNT_DIR : W_MOUNT_FILE, 0);

		op->target = add_joined(self->strings, self->mask_dir, name);
	}
	struct w_mount_op *op = add(self, W_MOUNT_MASK, W_MOUNT_FLAT);
	op->source = add_joined(self->strings, self->mask_dir, name);
	op->target = target(self, place->path);
	expect(op, place);
}

/* A directory of our tmpfs over one of the machine's. */
static void
cover(struct builder *self, const struct w_mount_place *place)
{
	const bool is_dev = strcmp(place->path, "/dev") == 0;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_MAX_LEN);
	w_buf_add_fmt(&name, "/%u", self->empties++);
	struct w_mount_op *op = add(self, W_MOUNT_DIR, 0);
	op->target = add_joined(self->strings, self->mask_dir, name.data);
	op->mode = 0755;
	const uint32_t source = op->target;

	op = add(self, is_dev ? W_MOUNT_DEV : W_MOUNT_MASK,
	    is_dev ? 0 : W_MOUNT_FLAT);
	op->source = source;
	op->target = target(self, place->path);
	expect(op, place);
}

static void
empty(struct builder *self, const struct w_mount_place *place)
{
	const bool is_inside = around_of(self, place)->look == W_LOOK_EMPTY;

	/* The one comes with the devices, the other was there first. */
	if (strcmp(place->path, "/dev/shm") == 0 ||
	    strcmp(place->path, BASE) == 0)
		return;
	if (!is_inside) {
		/* Else the run's own mount is enough. */
		if (!place->is_per_run || place->has_grants)
			cover(self, place);
		return;
	}
	add_mount_point(self, place);
	if (strcmp(place->path, "/dev") != 0)
		return;
	struct w_mount_op *op = add(self, W_MOUNT_DEV, 0);
	op->target = target(self, place->path);
}

static void
add_place(struct builder *self, const struct w_mount_place *place)
{
	if (place->is_void)
		return;
	switch (place->look) {
	case W_LOOK_EMPTY:
		empty(self, place);
		break;
	case W_LOOK_HIDDEN:
		hide(self, place);
		break;
	case W_LOOK_WRITE:
	case W_LOOK_READ:
		if (is_brought(self, place))
			bring(self, place);
		else
			guard(self, place);
		break;
	}
}

/* Where /usr holds all programs, the old directories are links into it. */
static void
add_root_links(struct builder *self)
{
	static const char *const names[] = {
	    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
	char link[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const ssize_t len = readlink(names[i], link, sizeof(link) - 1);

		if (len <= 0)
			continue;
		link[len] = '\0';
		struct w_mount_op *op = add(self, W_MOUNT_SYMLINK, 0);
		op->source = text(self, link);
		op->target = target(self, names[i]);
	}
}

static void
add_base(struct builder *self)
{
	struct w_mount_op *op =
	    add(self, W_MOUNT_PRIVATE, SAFE | W_MOUNT_READONLY);

	op->target = text(self, "/");
	/* Not without devices: root makes its nodes there. */
	op = add(self, W_MOUNT_TMPFS, W_MOUNT_NOSUID);
	op->target = text(self, BASE);
	op->mode = 0755;
	op->number = BASE_SIZE;
}

/*
 * In a user namespace the kernel mounts a fresh /proc only where one can be
 * seen already. So the template takes the machine's along, for each run's own
 * to cover.
 */
static void
keep_proc(struct builder *self)
{
	struct w_mount_op *op = add(self, W_MOUNT_KEEP, W_MOUNT_READONLY);

	op->source = text(self, "/proc");
	op->slot = PROC_SLOT;
}

static void
enter_root(struct builder *self)
{
	struct w_mount_op *op = add(self, W_MOUNT_PUT, 0);

	op->target = target(self, "/proc");
	op->slot = PROC_SLOT;
	op = add(self, W_MOUNT_SEAL, 0);
	op->target = text(self, BASE);
	op = add(self, W_MOUNT_PIVOT, 0);
	op->target = text(self, BASE);
}

static void
add_template(struct builder *self)
{
	const bool has_own_root = self->places.has_own_root;

	self->prefix = has_own_root ? BASE : "";
	self->mask_dir = has_own_root ? BASE "/proc" : BASE;
	add_keeps(self);
	if (has_own_root)
		keep_proc(self);
	add_base(self);
	self->slots = 0;
	if (has_own_root)
		add_root_links(self);
	/* The masks lie in it. */
	if (has_own_root)
		add_dir(self, "/proc");
	for (size_t i = 0; i < self->places.count; i++)
		add_place(self, &self->places.items[i]);
	if (has_own_root) {
		enter_root(self);
		return;
	}
	struct w_mount_op *op = add(self, W_MOUNT_SEAL, 0);
	op->target = text(self, BASE);
}

/* Whether it lies in a directory that each run has for itself. */
static bool
is_moved(const struct builder *self, const struct w_mount_place *place)
{
	return is_brought(self, place) && around_of(self, place)->is_per_run;
}

static void
add_takes(struct builder *self)
{
	for (size_t i = 0; i < self->places.count; i++) {
		const struct w_mount_place *place = &self->places.items[i];

		if (!is_moved(self, place))
			continue;
		struct w_mount_op *op = add(self, W_MOUNT_TAKE, 0);
		op->source = text(self, place->path);
		op->slot = next_slot(self);
	}
}

static void
add_puts(struct builder *self)
{
	for (size_t i = 0; i < self->places.count; i++) {
		const struct w_mount_place *place = &self->places.items[i];

		if (!is_moved(self, place))
			continue;
		add_mount_point(self, place);
		struct w_mount_op *op = add(self, W_MOUNT_PUT, 0);
		op->target = text(self, place->path);
		op->slot = next_slot(self);
	}
}

static bool
is_per_run(const struct builder *self, const char *path)
{
	const struct w_mount_place *place =
	    w_mount_places_at(&self->places, path);

	return place != NULL && place->is_per_run;
}

static void
add_tmpfs(struct builder *self, const char *path)
{
	struct w_mount_op *op = add(self, W_MOUNT_TMPFS, SAFE);

	op->target = text(self, path);
	op->mode = 01777;
	op->number = self->confine->tmp_size;
}

/* One tmpfs for all that is temporary: one size, and a bind is cheaper. */
static void
add_temporary(struct builder *self)
{
	static const char *const shares[] = {"/var/tmp", "/dev/shm"};
	const bool has_tmp = is_per_run(self, "/tmp");

	if (has_tmp)
		add_tmpfs(self, "/tmp");
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (!is_per_run(self, shares[i]))
			continue;
		if (!has_tmp) {
			add_tmpfs(self, shares[i]);
			continue;
		}
		struct w_mount_op *op = add(self, W_MOUNT_BIND, W_MOUNT_FLAT);
		op->source = text(self, "/tmp");
		op->target = text(self, shares[i]);
	}
	if (!has_tmp || !self->places.has_own_root)
		return;
	struct w_mount_op *op = add(self, W_MOUNT_DIR, 0);
	op->target = text(self, "/tmp/home");
	op->mode = 0700;
}

static void
add_run(struct builder *self)
{
	self->prefix = "";
	self->phase = W_MOUNT_PER_RUN;
	self->slots = 0;
	w_words_done(&self->made);
	add_takes(self);
	add_temporary(self);
	self->slots = 0;
	add_puts(self);

	struct w_mount_op *op = add(self, W_MOUNT_DEVPTS,
	    W_MOUNT_NOSUID | W_MOUNT_NOEXEC | W_MOUNT_IF_THERE);
	op->source = text(self, "ptmxmode=0666,mode=0620");
	op->target = text(self, "/dev/pts");

	/* Read-only: without it uid 0 could write what the kernel's settings
	 * leave to the owner's permission bits alone. */
	op = add(self, W_MOUNT_PROC, SAFE | W_MOUNT_NOEXEC | W_MOUNT_READONLY);
	op->target = text(self, "/proc");
}

static writ_status
finish(const struct builder *self, writ_error *err)
{
	if (self->has_failed || self->strings->text.failed)
		return w_fail_nomem(err, STAGE);
	if (!self->is_full)
		return WRIT_OK;
	const writ_status status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the profile '%s' has more than %d writable places",
	    self->confine->profile, (int)PROC_SLOT);
	w_suggest(err, "name a directory that contains several of them");
	return status;
}

writ_status
w_mount_plan_build(const struct w_confine *confine, struct w_table *strings,
    struct w_mount_plan *out_plan, writ_error *err)
{
	struct builder self = {.confine = confine, .strings = strings};

	writ_status status = w_mount_places_build(confine, &self.places, err);
	if (status != WRIT_OK)
		return status;
	add_template(&self);
	add_run(&self);
	w_mount_places_done(&self.places);
	w_words_done(&self.made);
	status = finish(&self, err);
	if (status == WRIT_OK)
		*out_plan = self.plan;
	else
		w_mount_plan_done(&self.plan);
	return status;
}

void
w_mount_plan_done(struct w_mount_plan *plan)
{
	free(plan->ops);
	*plan = (struct w_mount_plan){0};
}
