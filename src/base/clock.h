// SPDX-License-Identifier: Apache-2.0
// Time for reports and progress bars. No algorithm ever decides by it.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double stick_clock_wall(void); // seconds since some moment, never going back
double stick_clock_cpu(void);  // processor seconds of this thread

#endif
