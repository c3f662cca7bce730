// SPDX-License-Identifier: Apache-2.0
// W by its action, made from what holds its entries.
#ifndef SOLVE_OPERATORS_H
#define SOLVE_OPERATORS_H

#include <stickslip/friction.h>

// The blocks must outlive it. Same bits as the products by blocks.
StickOperator stick_operator_from_blocks(const StickBlocks *W);

#endif
