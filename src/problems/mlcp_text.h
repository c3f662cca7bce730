// SPDX-License-Identifier: Apache-2.0
// Text format of pairs of bodies, which starts with its own keyword; matrices by rows:
//
//   mates m l   A a11 a12 ...   B ...   C ...   eps ...   lambda ...   [motions name ...]
//
// with A m x m, B l x m, C m x l. Words after that are comments.
#ifndef PROBLEMS_MLCP_TEXT_H
#define PROBLEMS_MLCP_TEXT_H

#include "problems/problem_file.h"
#include "problems/reader.h"

// Whether the text begins as one of these.
bool stick_mlcp_text_begins(const StickTextReader *reader);

// Fills the mates of an empty file. The reader keeps the failure; the file owns the parts that were read.
StickStatus stick_mlcp_text_read(StickTextReader *reader, StickProblemFile *file);

#endif
