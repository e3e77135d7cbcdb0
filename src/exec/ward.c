/* SPDX-License-Identifier: Apache-2.0 */

/* Finding, making and keeping sandboxes; see ward.h. */

#include "exec/ward.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "exec/realm_spawner.h"
#include "exec/request_check.h"
#include "os/loop.h"
#include "sandbox/facts.h"
#include "sandbox/landlock.h"
#include "sandbox/layers_of.h"
#include "sandbox/remedy.h"

enum {
	WARDS_MAX = 16,
	WARD_FRESH_MS = 1000,
	KEY_MAX = 1024 * 1024
};

static void
ward_free(struct w_ward *ward)
{
	w_spawner_dismiss(ward);
	w_confine_done(&ward->confine);
	free(ward->realm);
	free(ward->key);
	free(ward);
}

void
w_ward_release(struct w_ward *ward)
{
	if (ward != NULL && --ward->refs == 0)
		ward_free(ward);
}

static void
drop(struct w_wards *wards, struct w_ward **slot)
{
	struct w_ward *ward = *slot;

	*slot = ward->next;
	wards->count--;
	w_ward_release(ward);
}

void
w_wards_done(struct w_wards *wards)
{
	while (wards->first != NULL)
		drop(wards, &wards->first);
}

static void
add_list(struct w_buf *key, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++)
		w_buf_add(key, *list, strlen(*list) + 1);
	w_buf_add_char(key, '\0');
}

/* A list that is there and empty is another thing than none. */
static void
add_narrow(struct w_buf *key, const struct w_narrow *narrow)
{
	if (narrow == NULL || (!narrow->has_write && !narrow->has_execute))
		return;
	w_buf_add_char(key, narrow->has_write ? 'w' : '-');
	add_list(key, narrow->has_write ? narrow->write : NULL);
	w_buf_add_char(key, narrow->has_execute ? 'x' : '-');
	add_list(key, narrow->has_execute ? narrow->execute : NULL);
	add_list(key, narrow->has_execute ? narrow->helpers : NULL);
}

/* Everything that a ward depends on, as bytes. */
static void
write_key(struct w_buf *key, const writ_request *request,
    const struct w_ward_context *context)
{
	const uint64_t numbers[] = {(uint64_t)request->network,
	    request->tmp_size, context->missing, request->explain_denials,
	    context->is_late, context->may_keep, request->best_effort,
	    geteuid()};

	w_buf_add(key, request->sandbox, strlen(request->sandbox) + 1);
	w_buf_add(key, context->cwd, strlen(context->cwd) + 1);
	w_buf_add(key, context->home, strlen(context->home) + 1);
	w_buf_add_str(key, context->scratch != NULL ? context->scratch : "");
	w_buf_add_char(key, '\0');
	add_list(key, request->read);
	add_list(key, request->write);
	add_list(key, request->hide);
	add_narrow(key, context->narrow);
	w_buf_add(key, numbers, sizeof(numbers));
}

static writ_status
resolve(struct w_ward *ward, const writ_request *request,
    const struct w_ward_context *context, writ_error *err)
{
	struct w_profile profile = {0};
	const struct w_confine_context terms = {
	    .cwd = context->cwd,
	    .home = context->home,
	    .state_dir = context->state_dir,
	    .spill_dir = context->spill_dir,
	    .read = request->read,
	    .write = request->write,
	    .hide = request->hide,
	    .has_network = request->network != WRIT_NETWORK_DEFAULT,
	    .network = request->network == WRIT_NETWORK_DEFAULT
			   ? W_NETWORK_OFF
			   : (enum w_network)(request->network - 1),
	    .tmp_size = request->tmp_size,
	    .narrow = context->narrow,
	};

	writ_status status = w_profile_find(
	    request->sandbox, context->profile_dirs, &profile, err);
	if (status != WRIT_OK)
		return status;
	status = w_request_check_walls(request, profile.walls, err);
	if (status == WRIT_OK)
		status =
		    w_confine_resolve(&profile, &terms, &ward->confine, err);
	ward->limits = profile.limits;
	w_profile_done(&profile);
	return status;
}

static void
choose_layers(struct w_ward *ward, uint32_t missing)
{
	const uint32_t network = W_LAYER_BIT(W_LAYER_NETNS);

	ward->layers = w_walls_layers(
	    ward->confine.walls, ward->confine.network, w_is_privileged());
	ward->missing = ward->layers & missing;
	ward->layers &= ~missing;
	/* Without a network of its own it would be the machine's. */
	if (ward->confine.network == W_NETWORK_LOOPBACK &&
	    (ward->missing & network) != 0)
		ward->confine.network = W_NETWORK_OFF;
}

static writ_status
lay_out(struct w_ward *ward, int abi, const char *scratch,
    struct w_realm **out_realm, writ_error *err)
{
	const struct w_realm_terms terms = {
	    .layers = ward->layers,
	    .landlock_abi = abi,
	    .explains = ward->explains,
	    .is_late = ward->is_late,
	    .may_keep = ward->may_keep,
	    .scratch = scratch,
	};

	return w_realm_build(&ward->confine, &terms, out_realm, err);
}

static writ_status
build(struct w_ward *ward, const writ_request *request,
    const struct w_ward_context *context, writ_error *err)
{
	const uint32_t landlock = W_LAYER_BIT(W_LAYER_LANDLOCK);
	int abi_error = 0;

	writ_status status = resolve(ward, request, context, err);
	if (status != WRIT_OK || ward->confine.walls < W_WALLS_READONLY)
		return status;
	int abi = w_landlock_abi(&abi_error);
	bool does_without = abi == 0 && request->best_effort;
	choose_layers(ward, context->missing | (does_without ? landlock : 0));
	if (abi == 0 && (ward->layers & landlock) != 0)
		return w_probe_explain(W_LAYER_LANDLOCK, abi_error, err);
	ward->is_late = context->is_late;
	ward->may_keep = context->may_keep;
	ward->explains = request->explain_denials;
	return lay_out(ward, abi, context->scratch, &ward->realm, err);
}

static struct w_ward *
new_ward(const struct w_buf *key)
{
	struct w_ward *ward = calloc(1, sizeof(*ward));

	if (ward == NULL)
		return NULL;
	ward->refs = 1;
	ward->spawner.pidfd = -1;
	ward->spawner_socket = -1;
	ward->ready = W_NOT_READY;
	ward->resolved_ns = w_now_ns();
	ward->key = key->failed ? NULL : malloc(key->len);
	if (ward->key == NULL) {
		ward_free(ward);
		return NULL;
	}
	memcpy(ward->key, key->data, key->len);
	ward->key_len = key->len;
	return ward;
}

static writ_status
make(const struct w_buf *key, const writ_request *request,
    const struct w_ward_context *context, struct w_ward **out_ward,
    writ_error *err)
{
	struct w_ward *ward = new_ward(key);

	if (ward == NULL)
		return w_fail_nomem(err, "sandbox");
	writ_status status = build(ward, request, context, err);
	if (status != WRIT_OK) {
		ward_free(ward);
		return status;
	}
	*out_ward = ward;
	return WRIT_OK;
}

static struct w_ward **
look_up(struct w_wards *wards, const struct w_buf *key)
{
	struct w_ward **slot = &wards->first;

	for (; *slot != NULL; slot = &(*slot)->next) {
		if ((*slot)->key_len == key->len &&
		    memcmp((*slot)->key, key->data, key->len) == 0)
			break;
	}
	return slot;
}

static bool
is_same(const struct w_ward *a, const struct w_ward *b)
{
	if (a->missing != b->missing ||
	    memcmp(&a->limits, &b->limits, sizeof(a->limits)) != 0)
		return false;
	if (a->realm == NULL || b->realm == NULL)
		return a->realm == b->realm;
	return a->realm->size == b->realm->size &&
	       memcmp(a->realm, b->realm, a->realm->size) == 0;
}

static void
put_first(struct w_wards *wards, struct w_ward *ward)
{
	struct w_ward **last = &wards->first;

	ward->next = wards->first;
	wards->first = ward;
	if (++wards->count <= WARDS_MAX)
		return;
	while ((*last)->next != NULL)
		last = &(*last)->next;
	drop(wards, last);
}

/* Looked up again: the one there is, if nothing has changed. */
static void
replace(struct w_wards *wards, struct w_ward **slot, struct w_ward *fresh)
{
	struct w_ward *old = *slot;

	if (old != NULL && is_same(old, fresh)) {
		/* Made when the paths were last looked at; a file replaced
		 * since would have taken its mask along. */
		w_spawner_drop_ready(old);
		old->resolved_ns = fresh->resolved_ns;
		w_ward_release(fresh);
		return;
	}
	if (old != NULL)
		drop(wards, slot);
	put_first(wards, fresh);
}

static writ_status
find(struct w_wards *wards, const struct w_buf *key,
    const writ_request *request, const struct w_ward_context *context,
    struct w_ward **out_ward, writ_error *err)
{
	struct w_ward **slot = look_up(wards, key);
	struct w_ward *fresh = NULL;

	if (*slot == NULL ||
	    w_now_ns() - (*slot)->resolved_ns > WARD_FRESH_MS * W_NS_PER_MS) {
		writ_status status = make(key, request, context, &fresh, err);

		if (status != WRIT_OK)
			return status;
		replace(wards, slot, fresh);
		slot = look_up(wards, key);
	}
	(*slot)->refs++;
	*out_ward = *slot;
	return WRIT_OK;
}

static writ_status
make_bare(const struct w_buf *key, bool is_late, bool may_keep,
    struct w_ward **out_ward, writ_error *err)
{
	struct w_ward *ward = new_ward(key);

	if (ward == NULL)
		return w_fail_nomem(err, "sandbox");
	ward->layers = W_LAYER_BIT(W_LAYER_PIDNS);
	if (geteuid() != 0)
		ward->layers |= W_LAYER_BIT(W_LAYER_USERNS);
	ward->is_late = is_late;
	ward->may_keep = may_keep;
	writ_status status = lay_out(ward, 0, NULL, &ward->realm, err);
	if (status != WRIT_OK)
		ward_free(ward);
	else
		*out_ward = ward;
	return status;
}

writ_status
w_ward_bare(struct w_wards *wards, bool is_late, bool may_keep,
    struct w_ward **out_ward, writ_error *err)
{
	const char name[] = {'b', is_late ? 'l' : 'e', may_keep ? 'k' : 'd'};
	struct w_buf key;
	writ_status status = WRIT_OK;

	w_buf_init(&key, KEY_MAX);
	w_buf_add(&key, name, sizeof(name));
	struct w_ward **slot = look_up(wards, &key);
	if (*slot == NULL) {
		struct w_ward *fresh = NULL;

		status = make_bare(&key, is_late, may_keep, &fresh, err);
		if (status == WRIT_OK)
			put_first(wards, fresh);
		slot = look_up(wards, &key);
	}
	w_buf_done(&key);
	if (status == WRIT_OK) {
		(*slot)->refs++;
		*out_ward = *slot;
	}
	return status;
}

writ_status
w_ward_find(struct w_wards *wards, const writ_request *request,
    const struct w_ward_context *context, struct w_ward **out_ward,
    writ_error *err)
{
	struct w_buf key;

	*out_ward = NULL;
	if (!w_request_has_sandbox(request))
		return WRIT_OK;
	w_buf_init(&key, KEY_MAX);
	write_key(&key, request, context);
	writ_status status =
	    key.failed ? w_fail_nomem(err, "sandbox")
		       : find(wards, &key, request, context, out_ward, err);
	w_buf_done(&key);
	return status;
}
