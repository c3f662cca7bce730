// SPDX-License-Identifier: Apache-2.0
// Reads grids that stick_vtu_write wrote, array by array; files that are cut, damaged or hostile are refused.
#ifndef OUTPUT_VTU_READ_H
#define OUTPUT_VTU_READ_H

#include <stickslip/context.h>

#include <stdbool.h>

typedef enum StickVtuSection { STICK_VTU_POINT_DATA, STICK_VTU_CELL_DATA } StickVtuSection;

typedef struct StickVtuFile StickVtuFile;

// Looks through the whole file and knows its arrays afterwards; their numbers are unpacked when they are
// asked for.
StickStatus stick_vtu_open(StickContext *ctx, const char *path, StickVtuFile **file);
// The same for a file in memory; its bytes must stay until it is closed. name is for messages.
StickStatus stick_vtu_open_bytes(StickContext *ctx, const char *name, const char *bytes, size_t count,
                                 StickVtuFile **file);
void stick_vtu_close(StickVtuFile *file);

double stick_vtu_time(const StickVtuFile *file); // NaN if the file does not say
int stick_vtu_points(const StickVtuFile *file);
int stick_vtu_cells(const StickVtuFile *file);

// Components of a field, or 0 if there is none of that name.
int stick_vtu_components(const StickVtuFile *file, StickVtuSection section, const char *name);

// All values of a field in new memory, components of a point or cell together; the caller frees it.
StickStatus stick_vtu_values(const StickVtuFile *file, StickVtuSection section, const char *name,
                             double **values);

// Points and cells; every cell has its nodes among the points.
typedef struct StickVtuGrid {
    int npoints;
    double *x; // npoints x 3
    int ncells;
    int *start; // ncells + 1
    int *node;  // nodes of cell c are node[start[c]] ... node[start[c + 1] - 1]
    unsigned char *type;
} StickVtuGrid;

StickStatus stick_vtu_grid(const StickVtuFile *file, StickVtuGrid *grid);
void stick_vtu_grid_destroy(StickContext *ctx, StickVtuGrid *grid);

#endif
