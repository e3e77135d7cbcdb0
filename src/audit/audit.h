/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_AUDIT_H
#define W_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/audit.h>

#include "audit/record/trail.h"

/*
 * A trail open for reading: its location and its settings. The layer above
 * reads the settings and passes them in.
 */
struct w_audit_settings {
	const char *state_dir;
	const void *key; /* of a keyed chain; NULL: no key */
	size_t key_len;
	uint64_t output_age_ms; /* 0: the default */
	uint64_t output_bytes;  /* 0: the default */
	uint64_t segment_max;   /* 0: the default */
	bool no_index;
};

#define W_AUDIT_OUTPUT_AGE_MS (UINT64_C(14) * 24 * 3600 * 1000)
#define W_AUDIT_OUTPUT_BYTES  (UINT64_C(1) << 30)
#define W_AUDIT_NOTE_MAX      512

#define W_TRAIL_NAME          "trail"
#define W_INDEX_NAME          "index.sqlite"

struct w_index;

struct writ_audit {
	char *dir;        /* of the trail */
	char *output_dir; /* of the recorded outputs */
	int dir_fd;       /* -1: there is no trail yet */
	void *key;        /* NULL: no key */
	size_t key_len;
	uint64_t output_age_ms;
	uint64_t output_bytes;
	uint64_t segment_max;
	bool no_index;
	struct w_index *index; /* NULL: not opened */
	unsigned index_users; /* queries that are using it: a callback may start
				 another */
	char note[W_AUDIT_NOTE_MAX];
};

/* Copies everything. Fails like writ_audit_open(). */
writ_status w_audit_new(const struct w_audit_settings *settings,
    writ_audit **out_audit, writ_error *err);

/* Opens the trail's directory if that was missing so far. */
writ_status w_audit_find_dir(writ_audit *audit, writ_error *err);

/* Sets the note for people; the last one replaces the others. */
void w_audit_set_note(writ_audit *audit, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* W_AUDIT_AUDIT_H */
