// SPDX-License-Identifier: Apache-2.0
// One unstructured grid for ParaView: VTK's XML (.vtu) with compressed binary arrays.
//
// The arrays stand in the file as base64, so that it is well-formed XML for any reader. Bodies come as pieces
// that are merged into one grid: point p of a piece becomes point p + (points of the pieces before it).
#ifndef OUTPUT_VTU_H
#define OUTPUT_VTU_H

#include <stickslip/context.h>

typedef enum StickVtuKind {
    STICK_VTU_REAL,    // double, stored as Float64
    STICK_VTU_SINGLE,  // double, stored as Float32
    STICK_VTU_INTEGER, // int, stored as Int32
} StickVtuKind;

// A field over points or cells: its name and form. The pieces hold its values.
typedef struct StickVtuField {
    const char *name;
    StickVtuKind kind;
    int components; // of the values given
    int stored;     // in the file, filled up with zeros (ParaView wants vectors of 3); 0: as many as given
    const char *const *component_names; // one per stored component, or NULL
} StickVtuField;

typedef struct StickVtuPiece {
    int dim; // of space: 1, 2 or 3
    int npoints;
    const double *x; // npoints x dim
    int ncells;
    const int *start; // ncells + 1
    const int *node;  // points of cell c are node[start[c]] ... node[start[c + 1] - 1], in VTK's order
    const unsigned char *type; // ncells, VTK's numbers
    // One pointer per field, to count x components values of its kind. NULL in place of a field: this piece
    // does not have it, which is stored as NaN (integers: -1).
    const void *const *point_data;
    const void *const *cell_data;
} StickVtuPiece;

typedef struct StickVtu {
    double time; // stored as TimeValue
    int npieces;
    const StickVtuPiece *piece;
    int npoint_fields;
    const StickVtuField *point_field;
    int ncell_fields;
    const StickVtuField *cell_field;
} StickVtu;

// Checks the grid, then writes the file so that a reader sees the whole of it or nothing.
StickStatus stick_vtu_write(StickContext *ctx, const char *path, const StickVtu *grid);

#endif
