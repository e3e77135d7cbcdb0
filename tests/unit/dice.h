/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_DICE_H
#define W_TEST_DICE_H

/* Chance that can be repeated: the same seed, the same throws. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

static inline uint64_t
throw_dice(struct dice *dice)
{
	dice->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = dice->state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* From 0 to count - 1. */
static inline size_t
pick(struct dice *dice, size_t count)
{
	return (size_t)(throw_dice(dice) % count);
}

static inline bool
chance(struct dice *dice, size_t one_in)
{
	return pick(dice, one_in) == 0;
}

#define PICK(dice, list) \
	((list)[pick((dice), sizeof(list) / sizeof((list)[0]))])

#endif /* W_TEST_DICE_H */
