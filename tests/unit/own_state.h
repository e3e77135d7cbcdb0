/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_OWN_STATE_H
#define W_TEST_OWN_STATE_H

/* The state directory of this test program, so that its runs leave no record
 * in the machine's own. tests/groups.c.in makes and removes it. */
extern char own_state[256];

#endif /* W_TEST_OWN_STATE_H */
