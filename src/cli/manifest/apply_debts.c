/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The refreshes that are owed, for an apply.
 */

#include "cli/manifest/apply_debts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "log/log_format.h"
#include "manifest/owed/owed.h"

#define STAGE    "apply"
#define TOLD_MAX 5

writ_status
w_cli_debts_dir(const writ_config *config, char **out_dir, writ_error *err)
{
	char *dir = NULL;

	if (asprintf(&dir, "%s/%s", writ_config_get(config, "state_dir"),
		W_OWED_DIR) < 0)
		return w_fail_nomem(err, STAGE);
	*out_dir = dir;
	return WRIT_OK;
}

struct debts_told {
	size_t count;
};

static void
tell_debt(void *ctx, const writ_apply_debt *debt)
{
	struct debts_told *told = ctx;
	char since[W_LOG_TIME_LEN + 1];

	if (++told->count > TOLD_MAX)
		return;
	w_log_time_format(debt->since_us, since);
	w_print_note("%s is owed a refresh since %.19sZ: %s changed",
	    debt->subscriber, since, debt->subject);
}

void
w_cli_debts_tell(const struct w_cli_apply *run)
{
	struct debts_told told = {.count = 0};

	if (run->is_json || run->is_noop)
		return;
	writ_apply_debts(run->apply, tell_debt, &told);
	if (told.count > TOLD_MAX)
		w_print_note("%zu more refreshes are owed (writ session owed)",
		    told.count - TOLD_MAX);
	if (told.count > 0)
		w_print_note("the next apply makes up for it");
}

void
w_cli_debts_hint(const char *state_dir)
{
	W_AUTO_FREE char *dir = NULL;
	struct w_owed *owed = NULL;
	writ_config *config = NULL;
	writ_status status = writ_config_new(&config, NULL);

	if (status == WRIT_OK && state_dir != NULL)
		status = writ_config_set(config, "state_dir", state_dir, NULL);
	if (status == WRIT_OK)
		status = w_cli_debts_dir(config, &dir, NULL);
	if (status == WRIT_OK)
		status = w_owed_open(dir, true, &owed, NULL);
	const size_t count = status == WRIT_OK ? w_owed_count(owed) : 0;
	if (count > 0)
		w_print_note("%zu refresh%s owed: 'writ session owed' lists "
			     "%s",
		    count, count == 1 ? " is" : "es are",
		    count == 1 ? "it" : "them");
	w_owed_free(owed);
	writ_config_free(config);
}
