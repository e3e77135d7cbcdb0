/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_NOTE_RECORD_H
#define W_ENGINE_NOTE_RECORD_H

#include "base/buf.h"
#include "engine/config/config_state.h"

/* Writes one record that belongs to no run of ours, synced, by a door that has
 * no engine. what: for the error, as in "cannot record WHAT". Fails if it
 * cannot be written, unless the setting audit_failure says to go on. */
writ_status w_note_record(const writ_config *config, const char *door,
    const struct w_buf *record, const char *what, writ_error *err);

#endif /* W_ENGINE_NOTE_RECORD_H */
