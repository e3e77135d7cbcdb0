/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A layer lies over one directory of the profile: the one that contains the
 * working directory and was granted as a whole. Other places that the profile
 * makes writable are the machine's.
 */

#include "run/launch/run_layer.h"

#include <string.h>

#include "run/result/run_result.h"
#include "sandbox/path/real_path.h"

/* NULL: the profile grants no such directory. */
static const char *
find_root(const struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context)
{
	const struct w_real_paths *grants = &sandbox->resolved.grants;
	const char *root = NULL;

	for (size_t i = 0; i < grants->count; i++) {
		const struct w_real_path *grant = &grants->items[i];

		if (!grant->is_dir || grant->is_layer ||
		    strcmp(grant->path, "/") == 0 ||
		    !w_real_path_covers(grant->path, sandbox->cwd))
			continue;
		if (context->layer_root != NULL &&
		    strcmp(grant->path, context->layer_root) == 0)
			return grant->path;
		if (root == NULL || strlen(grant->path) > strlen(root))
			root = grant->path;
	}
	return root;
}

static bool
can_write_in(const struct w_run_sandbox *sandbox, const char *root)
{
	const struct w_real_paths *grants = &sandbox->resolved.grants;

	for (size_t i = 0; i < grants->count; i++) {
		if ((grants->items[i].may & W_MAY_WRITE) != 0 &&
		    w_real_path_covers(root, grants->items[i].path))
			return true;
	}
	return false;
}

/* NULL: there can be a layer over *out_root. */
static const char *
find_lack(const struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context, const char **out_root)
{
	const uint32_t view = W_LAYER_BIT(W_LAYER_MOUNTNS);

	if (context->layer_lack != NULL)
		return context->layer_lack;
	if ((sandbox->layers & view) == 0)
		return "without a mount namespace there is no layer";
	*out_root = find_root(sandbox, context);
	if (*out_root == NULL)
		return "the profile grants no directory around the working "
		       "directory";
	if (!can_write_in(sandbox, *out_root))
		return "it may only read the project";
	if (context->must_cover != NULL &&
	    !w_real_path_covers(*out_root, context->must_cover))
		return "it would not lie over all that the policy says can be "
		       "undone";
	if (sandbox->resolved.has_allowlist)
		return "the programs that may run are listed";
	return w_undo_layer_lack(context->state_dir, *out_root);
}

/* What may only read changes nothing. */
static bool
is_harmless(const struct w_run_sandbox *sandbox, const char *root)
{
	return root != NULL && !can_write_in(sandbox, root);
}

writ_status
w_run_layer_look(const struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context, const char **out_root,
    const char **out_lack, writ_error *err)
{
	const char *root = NULL;

	*out_root = NULL;
	*out_lack = NULL;
	if (context->undo < WRIT_UNDO_AUTO ||
	    !w_walls_hold(sandbox->resolved.walls))
		return WRIT_OK;
	const char *lack = find_lack(sandbox, context, &root);
	if (lack == NULL || is_harmless(sandbox, root) ||
	    (context->undo == WRIT_UNDO_AUTO && context->must_cover == NULL)) {
		*out_root = lack == NULL ? root : NULL;
		*out_lack = lack;
		return WRIT_OK;
	}
	(void)w_fail(err, WRIT_E_SANDBOX, "undo", 0,
	    "its changes could not be undone: %s", lack);
	w_suggest(err, "undo auto runs without where there can be none");
	return WRIT_E_SANDBOX;
}

writ_status
w_run_layer_make(struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context, const char *root,
    writ_error *err)
{
	char id[W_ID_LEN + 1];

	if (context->owner != NULL) {
		writ_status status =
		    w_undo_owner_open(context->owner, context->state_dir, err);

		if (status != WRIT_OK)
			return status;
	}
	w_run_id_make(id);
	const struct w_undo_layer_options options = {
	    .state_dir = context->state_dir,
	    .id = id,
	    .root = root,
	    .is_trial = context->undo == WRIT_UNDO_TRIAL,
	    .is_user = true,
	    .session_began = context->session_began,
	    .session = context->session_name,
	    .permit = context->permit,
	    .owner = context->owner == NULL ? NULL : context->owner->id,
	};
	return w_undo_layer_make(&options, &sandbox->layer, err);
}

bool
w_run_layer_mount(
    const struct w_run_sandbox *sandbox, struct w_mount_layer *out)
{
	const struct w_undo_layer *layer = sandbox->layer;

	if (layer == NULL)
		return false;
	*out = (struct w_mount_layer){
	    .root = layer->root,
	    .path = layer->path,
	    .dev = layer->dev,
	    .ino = layer->ino,
	};
	return true;
}

void
w_run_layer_convert(const struct w_run_sandbox *sandbox, const char *path,
    uint64_t *dev, uint64_t *ino)
{
	if (sandbox == NULL || sandbox->layer == NULL || path == NULL ||
	    !w_real_path_covers(sandbox->layer->root, path))
		return;
	*dev = 0;
	if (strcmp(sandbox->layer->root, path) == 0)
		*ino = sandbox->layer->top;
}
