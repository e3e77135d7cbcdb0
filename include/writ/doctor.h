/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_DOCTOR_H
#define WRIT_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * What this machine offers for sandboxes: to this user, with the privileges
 * of this process, at this moment. Every answer was found by trying.
 *
 *     writ_doctor *doctor;
 *     if (writ_doctor_new(&doctor, &err) != WRIT_OK)
 *         return report(&err);
 *     if (!writ_doctor_has(doctor, "workspace"))
 *         ...
 *     writ_doctor_free(doctor);
 */
typedef struct writ_doctor writ_doctor;

/* A means of the kernel. Texts are never NULL. */
typedef struct writ_doctor_layer {
	const char *name; /* "landlock"; and two system calls: "clone3"
			     starts every process, "pivot_root" gives
			     "strict" its own root */
	bool is_available;
	bool is_needed;      /* by "strict", for this user: others only add */
	int sys_errno;       /* of the step that failed; 0 when available */
	const char *needs;   /* "userns": it only waits for that; or empty */
	const char *detail;  /* what there is: "ABI 7: files, ..." */
	const char *step;    /* what failed: "mapping the user id" */
	const char *cause;   /* why, one sentence */
	const char *setting; /* what is at fault; may be empty */
	const char *remedy;  /* what to do about it */
} writ_doctor_layer;

/* A built-in profile. */
typedef struct writ_doctor_profile {
	const char *name;  /* "workspace" */
	bool is_available; /* a run with it would not be refused */
	bool is_possible;  /* one that asks for best effort would start */
	const char *const *missing; /* NULL-ended names of layers: a refusal
				       names the first, best effort lacks
				       them all */
} writ_doctor_profile;

typedef struct writ_doctor_machine {
	const char *kernel;    /* its release */
	unsigned uid;          /* effective */
	bool is_privileged;    /* namespaces need no user namespace */
	const char *container; /* "docker", "podman", "kubernetes",
				  "container"; empty: none was noticed */
	const char *ci;        /* "github", "gitlab", "ci"; or empty */
} writ_doctor_machine;

/*
 * Tries every layer. Takes some tens of milliseconds. Starts throwaway
 * processes that share nothing with the caller and make system calls only, so
 * it may be called from a program with threads; no SIGCHLD is sent, nothing is
 * left behind. On success *out_doctor is yours. Fails with WRIT_E_NOMEM.
 */
WRIT_API writ_status writ_doctor_new(writ_doctor **out_doctor, writ_error *err);

/* NULL is allowed. */
WRIT_API void writ_doctor_free(writ_doctor *doctor);

/* Borrowed, *out_count of them; they live as long as the doctor. */
WRIT_API const writ_doctor_layer *writ_doctor_layers(
    const writ_doctor *doctor, size_t *out_count);
WRIT_API const writ_doctor_profile *writ_doctor_profiles(
    const writ_doctor *doctor, size_t *out_count);
WRIT_API const writ_doctor_machine *writ_doctor_about(
    const writ_doctor *doctor);

/* Whether a built-in profile is available; false for an unknown name. */
WRIT_API bool writ_doctor_has(const writ_doctor *doctor, const char *profile);

/* Everything as one JSON object. Yours: free() it. WRIT_OK or WRIT_E_NOMEM. */
WRIT_API writ_status writ_doctor_json(
    const writ_doctor *doctor, char **out_json, size_t *out_len);

WRIT_END_DECLS

#endif /* WRIT_DOCTOR_H */
