/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_JUDGE_H
#define W_ENGINE_JUDGE_H

#include "engine/decide/decider.h"

/*
 * Judges the programs that a run starts ("judge: exec" in a policy), by the
 * policies and in the walls that the run itself was judged by. A program that a
 * rule denies is refused; asked about is nobody. All are noted for the record.
 *
 * What is judged are the words of the program and of the interpreter that its
 * first line names; its environment is not read.
 */

/* Sets prepared->execve_judge if the policies of the decided request want it.
 * It holds copies of all it needs, and borrows decider->reader. WRIT_E_SANDBOX:
 * nothing could judge. */
writ_status w_judge_prepare(const struct w_decider *decider,
    struct w_prepared *prepared, const writ_request *request, writ_error *err);

#endif /* W_ENGINE_JUDGE_H */
