// SPDX-License-Identifier: Apache-2.0
// The program and the style sheet of the page, built from web/ and put into the library at build time.
#ifndef REPORT_BUNDLE_H
#define REPORT_BUNDLE_H

#include <stddef.h>

typedef struct StickBundle {
    const char *script, *style; // NULL: built without Node.js, there is no page
    size_t script_length, style_length;
    const char *script_hash, *style_hash; // "sha256-...", for the content-security policy
} StickBundle;

StickBundle stick_bundle(void);

#endif
