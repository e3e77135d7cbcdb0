/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes the main() of a file of tests a function of the program that holds all
 * the tests of its layer. The build includes this before the file and defines
 * TEST_GROUP; the file itself stays an ordinary program.
 */
#ifndef WRIT_TESTS_GROUP_H
#define WRIT_TESTS_GROUP_H

int TEST_GROUP(void);

#define main TEST_GROUP

#endif /* WRIT_TESTS_GROUP_H */
