/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The exec resource: what is there, whether its command would run and why, then
 * the apply; and a manifest in which a change refreshes a command.
 *
 *     cc resource.c $(pkg-config --cflags --libs writ-manifest) && ./a.out DIR
 */

#include <stdio.h>

#include <writ/manifest.h>

static const char resource[] =
    "{\"name\": \"/usr/bin/touch made\", \"cwd\": \"{{ Facts.dir }}\",\n"
    " \"creates\": \"{{ Facts.dir }}/made\"}";

static const char manifest[] =
    "ccm: {resources: [\n"
    "  {exec: {name: config, command: /usr/bin/touch app.conf,\n"
    "    cwd: '{{ Facts.dir }}', creates: '{{ Facts.dir }}/app.conf'}},\n"
    "  {exec: {name: reload, command: /bin/echo reloaded, refreshonly: true,\n"
    "    subscribe: ['exec#config']}}]}\n";

/* With noop it is the state and the decision; nothing is done. */
static void
on_event(void *ctx, const writ_event *event)
{
	(void)ctx;
	(void)printf("%s#%s changed=%d %s\n", event->type, event->name,
	    event->changed, event->noop ? event->status : "");
}

static writ_status
apply(writ_engine *engine, writ_manifest *read, bool noop, writ_error *err)
{
	writ_apply_options options = WRIT_APPLY_OPTIONS_INIT;
	writ_apply_watch watch = WRIT_APPLY_WATCH_INIT;

	options.noop = noop;
	options.caller = WRIT_CALLER_TRUSTED;
	watch.on_event = on_event;
	return writ_manifest_apply(engine, read, &options, &watch, NULL, err);
}

int
main(int argc, char **argv)
{
	char fact[4096];
	const char *const facts[] = {fact, NULL};
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;
	writ_manifest *one = NULL, *all = NULL;
	writ_engine *engine = NULL;
	writ_error err;

	(void)snprintf(
	    fact, sizeof(fact), "dir=%s", argc > 1 ? argv[1] : "/tmp");
	options.facts = facts;
	writ_status status = writ_engine_new(NULL, &engine, &err);
	if (status == WRIT_OK)
		status = writ_manifest_read_resource("exec", resource,
		    sizeof(resource) - 1, &options, &one, &err);
	if (status == WRIT_OK)
		status = writ_manifest_read(
		    manifest, sizeof(manifest) - 1, &options, &all, &err);
	if (status == WRIT_OK)
		status = apply(engine, one, true, &err);
	if (status == WRIT_OK)
		status = apply(engine, one, false, &err);
	if (status == WRIT_OK)
		status = apply(engine, all, false, &err);
	if (status != WRIT_OK)
		(void)fprintf(stderr, "resource: %s\n", err.message);
	writ_manifest_free(one);
	writ_manifest_free(all);
	writ_engine_free(engine);
	return writ_status_exit(status);
}
