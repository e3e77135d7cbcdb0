/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Offers the profile `container` to the person, once.
 */

#include "cli/setup/container_offer.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/mcp/install_plan.h"
#include "cli/output/confirm.h"
#include "cli/output/print.h"

#define MARK "container-offered"

bool
w_cli_container_is_apt(const writ_doctor *doctor)
{
	return !writ_doctor_has(doctor, "workspace") &&
	       writ_doctor_has(doctor, "container");
}

static bool
mark_path(const writ_config *config, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/" MARK,
		   writ_config_get(config, "state_dir")) < PATH_MAX;
}

bool
w_cli_container_was_offered(const writ_config *config)
{
	char path[PATH_MAX];

	return mark_path(config, path) && access(path, F_OK) == 0;
}

/* Without a state directory yet, it is offered again. */
static void
remember(const writ_config *config)
{
	char path[PATH_MAX];

	if (!mark_path(config, path))
		return;
	const int fd =
	    open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		(void)close(fd);
}

/* A new policy builds on the default one. */
static writ_status
make_plan(
    const writ_config *config, struct w_install_plan *plan, writ_error *err)
{
	static const struct w_client_settings_value rows[] = {
	    {.path = {"version"}, .json = "1"},
	    {.path = {"include"}, .json = "[\"developer\"]"},
	    {.path = {"sandbox"}, .json = "\"container\""},
	};
	const size_t last = sizeof(rows) / sizeof(rows[0]) - 1;
	struct w_install_target target = {.base = "/"};
	char path[PATH_MAX];
	writ_status status = WRIT_OK;

	if (snprintf(target.below, sizeof(target.below), "%s/policy.yaml",
		writ_config_get(config, "config_dir") + 1) >=
	    (int)sizeof(target.below))
		return w_fail(err, WRIT_E_INVALID, "setup", 0,
		    "the path of the policy is too long");
	(void)snprintf(path, sizeof(path), "/%s", target.below);
	for (size_t i = access(path, F_OK) == 0 ? last : 0;
	     status == WRIT_OK && i <= last; i++)
		status = w_install_plan_put(
		    plan, &target, W_SETTINGS_YAML, &rows[i], NULL, err);
	return status;
}

static int
ask_and_write(
    const writ_config *config, struct w_install_plan *plan, bool is_yes)
{
	writ_error err;

	if (!w_install_plan_changes(plan)) {
		w_print_note("your policy says 'sandbox: container' already");
		return 0;
	}
	if (!is_yes && !w_cli_confirm_is_possible()) {
		w_print_note("this container lets no sandbox 'workspace' be "
			     "built; 'writ doctor --fix' offers the profile "
			     "'container' (docs/containers.md)");
		return 1;
	}
	w_print_note("this container lets no sandbox 'workspace' be built. The "
		     "profile 'container' holds less: no protected files in "
		     "the project, other processes in sight, no loopback of "
		     "its own (docs/containers.md)");
	if (w_install_plan_show(plan) != 0)
		return 1;
	const bool is_wanted =
	    is_yes || w_cli_confirm("use it in place of 'workspace'?");
	remember(config);
	if (!is_wanted)
		return 1;
	if (w_install_plan_write(plan, &err) != WRIT_OK)
		return w_print_failure(&err, false, 1);
	return 0;
}

int
w_cli_container_offer(const writ_config *config, bool is_yes)
{
	struct w_install_plan *plan = malloc(sizeof(*plan));
	writ_error err;
	int status;

	if (plan == NULL) {
		(void)w_fail_nomem(&err, "setup");
		return w_print_failure(&err, false, 1);
	}
	w_install_plan_init(plan);
	if (make_plan(config, plan, &err) != WRIT_OK)
		status = w_print_failure(&err, false, 1);
	else
		status = ask_and_write(config, plan, is_yes);
	w_install_plan_done(plan);
	free(plan);
	return status;
}
