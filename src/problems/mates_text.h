// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies as a text that tells what it is, matrices by rows:
//
//   mates m l   A a11 a12 ...   B ...   C ...   eps ...   lambda ...   [motions name ...]
//
// with A m x m, B l x m, C m x l. Words behind that are comments.
#ifndef PROBLEMS_MATES_TEXT_H
#define PROBLEMS_MATES_TEXT_H

#include "problems/problem_file.h"
#include "problems/reader.h"

// Whether the text begins as one of these.
bool stick_mates_text_begins(const StickReader *reader);

// Fills the mates of an empty file; a failure is kept by the reader, and what was read goes with the file.
StickStatus stick_mates_text_read(StickReader *reader, StickProblemFile *file);

#endif
