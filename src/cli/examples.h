// SPDX-License-Identifier: Apache-2.0
// The examples, inside the program: the table is made at build time from examples/*.yaml.
#ifndef CLI_EXAMPLES_H
#define CLI_EXAMPLES_H

typedef struct StickExample {
    const char *name; // without .yaml; NULL past the last
    const char *text;
} StickExample;

extern const StickExample stick_examples[];

#endif
