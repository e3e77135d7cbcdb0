/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_GATE_MARK_H
#define BENCH_GATE_MARK_H

/*
 * A program tells who traces it where counting begins and ends by a prctl()
 * that the kernel refuses: prctl(GATE_MARK, 1) and prctl(GATE_MARK, 0).
 */
#define GATE_MARK 0x77726974

#endif /* BENCH_GATE_MARK_H */
