/* SPDX-License-Identifier: Apache-2.0 */

/* The results of the probes, by layer and by profile. */

#include <writ/doctor.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "sandbox/plan/wall_layers.h"
#include "sandbox/probe/probe.h"

/* The layers, between two system calls that are no layers. */
enum {
	ROW_CLONE3,
	ROW_LAYERS,
	ROW_PIVOT_ROOT = ROW_LAYERS + W_LAYER_COUNT,
	ROWS,
	PROFILES = W_WALLS_STRICT + 1,
};

static const char clone3_word[] = "clone3";
static const char pivot_root_word[] = "pivot_root";

static const char *const walls_words[PROFILES] = {
#define X(name, word) [W_WALLS_##name] = (word),
    W_WALLS_MAP(X)
#undef X
};

struct writ_doctor {
	struct w_probes probes;
	struct w_remedy remedies[ROWS];
	writ_doctor_machine machine;
	writ_doctor_layer layers[ROWS];
	writ_doctor_profile profiles[PROFILES];
	const char *missing[PROFILES][ROWS + 1];
};

static void
fill_row(writ_doctor_layer *row, const char *name, const struct w_probe *probe,
    const struct w_remedy *remedy)
{
	*row = (writ_doctor_layer){
	    .name = name,
	    .is_available = probe->is_available,
	    .sys_errno = probe->error,
	    .needs = !probe->is_blocked        ? ""
		     : name == pivot_root_word ? w_layer_word(W_LAYER_MOUNTNS)
					       : w_layer_word(W_LAYER_USERNS),
	    .detail = probe->detail,
	    .step = probe->is_available ? "" : probe->step,
	    .cause = remedy->cause,
	    .setting = remedy->setting,
	    .remedy = remedy->remedy,
	};
}

static void
fill_calls(writ_doctor *doctor)
{
	const struct w_probes *probes = &doctor->probes;

	if (!probes->clone3.is_available)
		w_probe_clone3_remedy(probes, &doctor->remedies[ROW_CLONE3]);
	fill_row(&doctor->layers[ROW_CLONE3], clone3_word, &probes->clone3,
	    &doctor->remedies[ROW_CLONE3]);
	if (!probes->pivot_root.is_available)
		w_probe_pivot_root_remedy(
		    probes, &doctor->remedies[ROW_PIVOT_ROOT]);
	fill_row(&doctor->layers[ROW_PIVOT_ROOT], pivot_root_word,
	    &probes->pivot_root, &doctor->remedies[ROW_PIVOT_ROOT]);
	doctor->layers[ROW_CLONE3].is_needed = !probes->can_start;
	doctor->layers[ROW_PIVOT_ROOT].is_needed = true;
}

static void
fill_layers(writ_doctor *doctor)
{
	const struct w_probes *probes = &doctor->probes;
	const uint32_t needed = w_walls_layers(
	    W_WALLS_STRICT, W_NETWORK_OFF, !probes->needs_userns);

	fill_calls(doctor);
	for (int i = 0; i < W_LAYER_COUNT; i++) {
		const struct w_probe *probe = &probes->layers[i];
		struct w_remedy *remedy = &doctor->remedies[ROW_LAYERS + i];

		/* A layer blocked by the user namespace has its remedy. */
		if (!probe->is_available)
			w_probe_remedy(probes,
			    probe->is_blocked ? W_LAYER_USERNS
					      : (enum w_layer)i,
			    remedy);
		fill_row(&doctor->layers[ROW_LAYERS + i],
		    w_layer_word((enum w_layer)i), probe, remedy);
		doctor->layers[ROW_LAYERS + i].is_needed =
		    (needed & W_LAYER_BIT(i)) != 0;
	}
}

static uint32_t
available_layers(const struct w_probes *probes)
{
	uint32_t mask = 0;

	for (int i = 0; i < W_LAYER_COUNT; i++) {
		if (probes->layers[i].is_available)
			mask |= W_LAYER_BIT(i);
	}
	return mask;
}

static void
fill_profile(writ_doctor *doctor, enum w_walls walls)
{
	const bool is_root = !doctor->probes.needs_userns;
	const uint32_t there = available_layers(&doctor->probes);
	const uint32_t lacking =
	    w_walls_layers(walls, W_NETWORK_OFF, is_root) & ~there;
	const char **missing = doctor->missing[walls];
	size_t count = 0;

	if (!doctor->probes.can_start)
		missing[count++] = clone3_word;
	/* The others need user namespaces: errors name them first. */
	if ((lacking & W_LAYER_BIT(W_LAYER_USERNS)) != 0)
		missing[count++] = w_layer_word(W_LAYER_USERNS);
	for (int i = 0; i < W_LAYER_COUNT; i++) {
		if (i != W_LAYER_USERNS && (lacking & W_LAYER_BIT(i)) != 0)
			missing[count++] = w_layer_word((enum w_layer)i);
	}
	if (walls == W_WALLS_STRICT && !doctor->probes.pivot_root.is_available)
		missing[count++] = pivot_root_word;
	doctor->profiles[walls] = (writ_doctor_profile){
	    .name = walls_words[walls],
	    .is_available = count == 0,
	    .is_possible = doctor->probes.can_start,
	    .missing = missing,
	};
}

writ_status
writ_doctor_new(writ_doctor **out_doctor, writ_error *err)
{
	writ_doctor *doctor = calloc(1, sizeof(*doctor));

	if (doctor == NULL)
		return w_fail_nomem(err, "doctor");
	w_probe_all(&doctor->probes);
	doctor->machine = (writ_doctor_machine){
	    .kernel = doctor->probes.host.kernel,
	    .uid = geteuid(),
	    .is_privileged = !doctor->probes.needs_userns,
	    .container = w_container_word(doctor->probes.host.container),
	    .ci = w_ci_word(doctor->probes.host.ci),
	};
	fill_layers(doctor);
	for (int i = 0; i < PROFILES; i++)
		fill_profile(doctor, (enum w_walls)i);
	*out_doctor = doctor;
	return WRIT_OK;
}

void
writ_doctor_free(writ_doctor *doctor)
{
	free(doctor);
}

const writ_doctor_layer *
writ_doctor_layers(const writ_doctor *doctor, size_t *out_count)
{
	*out_count = ROWS;
	return doctor->layers;
}

const writ_doctor_profile *
writ_doctor_profiles(const writ_doctor *doctor, size_t *out_count)
{
	*out_count = PROFILES;
	return doctor->profiles;
}

const writ_doctor_machine *
writ_doctor_about(const writ_doctor *doctor)
{
	return &doctor->machine;
}

bool
writ_doctor_has(const writ_doctor *doctor, const char *profile)
{
	for (int i = 0; i < PROFILES; i++) {
		if (strcmp(walls_words[i], profile) == 0)
			return doctor->profiles[i].is_available;
	}
	return false;
}
