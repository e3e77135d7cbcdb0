/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_DOCTOR_H
#define WRIT_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * What this machine offers for sandboxes: to this user, with the privileges of
 * this process, right now. Every answer comes from trying it.
 *
 *     writ_doctor *doctor;
 *     if (writ_doctor_new(&doctor, &err) != WRIT_OK)
 *         return report(&err);
 *     if (!writ_doctor_has(doctor, "workspace"))
 *         ...
 *     writ_doctor_free(doctor);
 */
typedef struct writ_doctor writ_doctor;

/* A kernel feature. Strings are never NULL. */
typedef struct writ_doctor_layer {
	const char *name; /* "landlock"; also two system calls: "clone3"
			     starts every process, "pivot_root" gives
			     "strict" its own root */
	bool is_available;
	bool is_needed;    /* by "strict", for this user; others are optional */
	int sys_errno;     /* of the step that failed; 0 if available */
	const char *needs; /* "userns": available once that is; may be empty */
	const char *detail;  /* what is available: "ABI 7: files, ..." */
	const char *step;    /* the step that failed: "mapping the user id" */
	const char *cause;   /* why, one sentence */
	const char *setting; /* the kernel setting at fault; may be empty */
	const char *remedy;  /* how to fix it */
} writ_doctor_layer;

/* A built-in profile. */
typedef struct writ_doctor_profile {
	const char *name;  /* "workspace" */
	bool is_available; /* a run with it would start */
	bool is_possible;  /* a run with it and best effort would start */
	const char *const
	    *missing; /* NULL-ended names of layers: an error names the first,
			 best effort goes without all */
} writ_doctor_profile;

typedef struct writ_doctor_machine {
	const char *kernel;    /* release */
	unsigned uid;          /* effective */
	bool is_privileged;    /* namespaces need no user namespace */
	const char *container; /* "docker", "podman", "kubernetes", "container";
				  empty: none detected */
	const char *ci;        /* "github", "gitlab", "ci"; or empty */
} writ_doctor_machine;

/*
 * Tries every layer. Takes some tens of milliseconds. Starts short-lived
 * processes that share nothing with the caller and make system calls only, so a
 * threaded program may call it; no SIGCHLD is sent, nothing is left behind.
 * Free *out_doctor with writ_doctor_free(). Fails with WRIT_E_NOMEM.
 */
WRIT_API writ_status writ_doctor_new(writ_doctor **out_doctor, writ_error *err);

/* NULL is allowed. */
WRIT_API void writ_doctor_free(writ_doctor *doctor);

/* Arrays of *out_count elements, borrowed from the doctor. */
WRIT_API const writ_doctor_layer *writ_doctor_layers(
    const writ_doctor *doctor, size_t *out_count);
WRIT_API const writ_doctor_profile *writ_doctor_profiles(
    const writ_doctor *doctor, size_t *out_count);
WRIT_API const writ_doctor_machine *writ_doctor_about(
    const writ_doctor *doctor);

/* Whether a built-in profile is available; false for an unknown name. */
WRIT_API bool writ_doctor_has(const writ_doctor *doctor, const char *profile);

/* Everything as one JSON object; free it with free(). Fails with
 * WRIT_E_NOMEM. */
WRIT_API writ_status writ_doctor_json(
    const writ_doctor *doctor, char **out_json, size_t *out_len);

WRIT_END_DECLS

#endif /* WRIT_DOCTOR_H */
