/* SPDX-License-Identifier: Apache-2.0 */

/* Makes the facts that the policies are evaluated on from a prepared
 * request. */

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/decide/decider.h"
#include "run/resolve/environ.h"

#define DAY_MINUTES  1440
#define HOUR_MINUTES 60

void
w_decider_add_time(struct w_policy_facts *facts)
{
	const time_t now = time(NULL);
	struct tm local;

	if (localtime_r(&now, &local) == NULL)
		return;
	facts->has_time = true;
	facts->week_minute = (unsigned)((local.tm_wday + 6) % 7) * DAY_MINUTES +
			     (unsigned)local.tm_hour * HOUR_MINUTES +
			     (unsigned)local.tm_min;
}

void
w_decider_set_time(struct w_decider *decider)
{
	w_decider_add_time(&decider->facts);
}

/* If a description could not be used, the reader's substitute is good enough
 * for the record, but not for the policy. */
static writ_status
understand(struct w_decider *decider, const struct w_analysis **out_analysis,
    writ_error *err)
{
	struct w_request_reader *reader = decider->reader;
	const writ_request *asked = &decider->asked;
	struct w_analysis_input input = {.argv = asked->argv,
	    .shell = asked->shell,
	    .env = asked->env,
	    .has_terminal = asked->pty};

	/* The reader did not know which shell it is, and takes only what all of
	 * them read alike. */
	input.is_bash = asked->shell != NULL &&
			strcmp(decider->constraints.shell, "bash") == 0;
	decider->source = w_request_source(reader);
	*out_analysis = reader->analysis;
	if (!reader->is_doubtful &&
	    (!input.is_bash || reader->analysis->is_understood))
		return WRIT_OK;
	if (input.shell != NULL)
		input.argv = NULL;
	while (input.argv != NULL && input.argv[input.argc] != NULL)
		input.argc++;
	w_analysis_free(decider->certain);
	decider->certain = NULL;
	writ_status status =
	    w_analysis_new(&decider->source, &input, &decider->certain, err);
	*out_analysis = decider->certain;
	return status;
}

/* For a trusted caller that asks for a weaker sandbox: rules see what it
 * would usually get. */
static void
set_usual(struct w_policy_facts *facts, const struct w_constraints *constraints,
    enum w_network needed)
{
	const unsigned walls =
	    w_constraints_rule_walls(constraints, constraints->usual_walls);
	const enum w_policy_network network =
	    (enum w_policy_network)w_constraints_usual_network(
		constraints, needed);

	facts->has_usual = true;
	facts->usual_walls = walls > facts->walls ? walls : facts->walls;
	facts->usual_network =
	    network < facts->network ? network : facts->network;
}

/* What a trusted caller names is given; what another names is judged as if the
 * command connected to it. */
static writ_status
read_hosts(
    struct w_decider *decider, struct w_access_input *input, writ_error *err)
{
	const char *const *host = decider->checked.hosts;
	writ_status status = WRIT_OK;

	w_host_list_done(&decider->given_hosts);
	if (!input->is_trusted)
		input->hosts = host;
	for (; host != NULL && *host != NULL && status == WRIT_OK; host++)
		status = input->is_trusted
			     ? w_host_list_add(&decider->given_hosts, *host,
				   W_HOST_ALLOW, NULL, err)
			     : w_host_pattern_check(*host, err);
	return status;
}

writ_status
w_decider_make_facts(struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err)
{
	const struct w_constraints *constraints = &decider->constraints;
	const struct w_policies *policies = &decider->policies;
	const writ_request *asked = &decider->checked;
	struct w_access_input input = {
	    .cwd_fd = prepared->cwd_fd,
	    .cwd = prepared->cwd,
	    .view = &prepared->view,
	    .path_list = prepared->env.items == NULL
			     ? NULL
			     : w_environ_get(prepared->env.items, "PATH"),
	    .home = decider->home,
	    .shell = constraints->shell,
	    .program = decider->call == NULL ? &prepared->program : NULL,
	    .roots = constraints->roots,
	    .read = asked->read,
	    .write = asked->write,
	    .stdin_path =
		asked->stdin_kind == WRIT_STDIN_FILE ? asked->stdin_path : NULL,
	    .managers = &decider->managers,
	    .person_env = (const char *const *)environ,
	    .is_trusted = asked->caller == WRIT_CALLER_TRUSTED,
	    .is_decided = decider->is_decided,
	};

	writ_status status = read_hosts(decider, &input, err);
	if (status == WRIT_OK)
		status = understand(decider, &input.analysis, err);
	if (status == WRIT_OK)
		status = w_access_set_fill(&decider->access_set, &input, err);
	if (status != WRIT_OK)
		return status;
	const enum w_network needed = w_constraints_needed(constraints,
	    decider->access_set.commands, decider->access_set.count);
	decider->facts = (struct w_policy_facts){
	    .agent = asked->agent,
	    .module = asked->module,
	    .is_module_trusted = asked->is_module_trusted,
	    .needs_approval = asked->needs_approval,
	    .are_variables_allowed = asked->caller == WRIT_CALLER_TRUSTED,
	    .commands = decider->access_set.commands,
	    .count = decider->access_set.count,
	    .shell = asked->shell,
	    .cwd = prepared->cwd,
	    .home = decider->home,
	    .env = asked->env,
	    .has_terminal = asked->pty,
	    .profile = constraints->profile,
	    .walls = w_constraints_rule_walls(constraints, constraints->walls),
	    .network = (enum w_policy_network)w_constraints_network(
		constraints, asked, needed),
	    .is_network_given =
		input.is_trusted && asked->network == WRIT_NETWORK_HOST,
	    .given_hosts =
		decider->given_hosts.count > 0 ? &decider->given_hosts : NULL,
	    .now = time(NULL),
	    .project = constraints->base,
	    .source = &decider->source,
	};
	if (input.is_trusted)
		set_usual(&decider->facts, constraints, needed);
	for (size_t i = 0; i < policies->count && !decider->facts.has_time;
	     i++) {
		if (policies->loaded[i]->has_time)
			w_decider_set_time(decider);
	}
	return w_constraints_excess(&decider->constraints, asked,
	    &decider->facts, &decider->facts.more, err);
}

_Static_assert((int)W_POLICY_NETWORK_OFF == (int)W_NETWORK_OFF &&
		   (int)W_POLICY_NETWORK_LOOPBACK == (int)W_NETWORK_LOOPBACK &&
		   (int)W_POLICY_NETWORK_HOSTS == (int)W_NETWORK_HOSTS &&
		   (int)W_POLICY_NETWORK_HOST == (int)W_NETWORK_HOST,
    "one is the other");
