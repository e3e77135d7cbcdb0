/* SPDX-License-Identifier: Apache-2.0 */

/* What a finding may mean, and what to do about it. */

#include <string.h>

#include "audit/verify/verify_trail.h"

#define EDITED                                                                \
	"somebody edited the trail, or the disk did; compare it with a copy " \
	"or an anchor kept elsewhere"

static const struct {
	const char *word;
	const char *advice;
} rows[] = {
    {"changed", EDITED},
    {"no_record", EDITED},
    {"unchained", EDITED},
    {"reordered", EDITED},
    {"duplicate", EDITED},
    {"gap", "records were taken out; a copy or an anchor kept elsewhere "
	    "tells what is missing"},
    {"wrong_key", "give the key under which the trail was written "
		  "(audit_key), or it was written anew under another"},
    {"no_key", "give the key of the trail (audit_key): without it nothing "
	       "is proved"},
    {"unkeyed", "whoever can write a trail without a key can also make one "
		"up"},
    {"file_missing", "a file of the trail was deleted or moved; 'writ audit "
		     "prune' would have left a record"},
    {"file_swapped", "a file was renamed, or comes from another trail"},
    {"file_alien", "only the owner of the trail may be able to write it"},
    {"tail_cut", "the last records were taken away after they were written"},
    {"tail_lost", "usual after a power failure with durability 'batch' or "
		  "'none'; 'sync' loses nothing"},
    {"head_missing",
	"every run leaves a head: it was deleted or overwritten; a checkpoint "
	"kept elsewhere tells whether records are gone"},
    {"head_differs", "the last record or the head was changed"},
    {"torn", "a writer died while it wrote; the next one sets it aside"},
    {"torn_missing", "what was set aside was deleted; no record is in it"},
    {"no_begin", "a begin is written before each run: it was taken out, or "
		 "the end was made up"},
    {"no_run", "what a run was given is written while it goes on: the record "
	       "was made up, or those of the run were taken out"},
    {"two_begins", "no two runs have the same id: one of them was made up"},
    {"two_ends", "a run ends once: one of the ends was made up"},
    {"lost", "writ was killed, or the machine stopped, before the run "
	     "ended; what the command did until then is not known"},
    {"front_missing", "files of the trail were deleted by other means than "
		      "'writ audit prune'"},
    {"false_checkpoint", "the records before the checkpoint were written "
			 "anew"},
    {"false_signature", "the checkpoint was made up, or is by another key"},
    {"unchecked", "give the public key to have them checked"},
    {"output_changed", "the file was edited after the run"},
    {"output_missing", "the file was deleted by other means than 'writ "
		       "audit prune'"},
};

const char *
w_verify_advice(const char *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].word, word) == 0)
			return rows[i].advice;
	return NULL;
}
