// SPDX-License-Identifier: Apache-2.0
// All public headers of the library.
#ifndef STICKSLIP_STICKSLIP_H
#define STICKSLIP_STICKSLIP_H

#include <stickslip/certificate.h>
#include <stickslip/context.h>
#include <stickslip/friction.h>
#include <stickslip/lcp.h>
#include <stickslip/mlcp.h>
#include <stickslip/options.h>
#include <stickslip/solve_info.h>
#include <stickslip/sparse.h>
#include <stickslip/study.h>

#endif
