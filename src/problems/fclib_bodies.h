// SPDX-License-Identifier: Apache-2.0
// W in its factored form next to a local problem of an HDF5 file, in the group /bodies that FCLIB does not know:
//
//     ndofs           velocities of a body, 3 or 6
//     S               inverse masses, ndofs x ndofs for each body
//     H               rows of dim numbers, ndofs of them for each pair of a contact and a body
//     body, entry     two integers for each contact: its bodies, -1 for none, and the first of their rows of H
//     joint_body, joint_G, joint_compliance    rows of joints and springs, if there are any
#ifndef PROBLEMS_FCLIB_BODIES_H
#define PROBLEMS_FCLIB_BODIES_H

#include "problems/hdf5_source.h"
#include "problems/problem_file.h"

// The bodies of a problem whose other data are read; nothing happens if the file has none.
StickStatus stick_fclib_read_bodies(const StickHdf5Source *source, StickFrictionData *data);

// Lists of integers of a problem, in the order of the file; new memory of 2 * (2 * ncontacts + njoints) integers.
typedef struct StickBodyLists {
    int *body, *entry, *joint_body;
    double *joint_G, *joint_compliance;
    int nrows; // of H
} StickBodyLists;
StickStatus stick_body_lists_create(StickContext *ctx, const StickBodies *bodies, int ncontacts,
                                    StickBodyLists *lists);
void stick_body_lists_destroy(StickContext *ctx, StickBodyLists *lists);

#endif
