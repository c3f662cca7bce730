// SPDX-License-Identifier: Apache-2.0
#ifndef BASE_PI_H
#define BASE_PI_H

#define STICK_PI 3.14159265358979323846

#endif
