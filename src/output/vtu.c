// SPDX-License-Identifier: Apache-2.0
#include "output/vtu.h"

#include "base/file.h"
#include "base/text.h"
#include "output/vtu_array.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// ---- checks

static StickStatus check_cells(StickContext *ctx, const char *path, const StickVtuPiece *piece, int number)
{
    for (int c = 0; c < piece->ncells; c++) {
        STICK_CHECK(ctx, piece->start[c] >= 0 && piece->start[c + 1] >= piece->start[c], STICK_BAD_INPUT,
                    "'%s': piece %d: cell %d has nodes %d to %d", path, number, c, piece->start[c],
                    piece->start[c + 1]);
        STICK_CHECK(ctx, piece->type[c] != 0, STICK_BAD_INPUT, "'%s': piece %d: cell %d has no type", path,
                    number, c);
        for (int k = piece->start[c]; k < piece->start[c + 1]; k++)
            STICK_CHECK(ctx, piece->node[k] >= 0 && piece->node[k] < piece->npoints, STICK_BAD_INPUT,
                        "'%s': piece %d: cell %d uses point %d of %d", path, number, c, piece->node[k],
                        piece->npoints);
    }
    return STICK_OK;
}

static StickStatus check_fields(StickContext *ctx, const char *path, const StickVtuField *field, int count)
{
    for (int k = 0; k < count; k++) {
        STICK_CHECK(ctx, field[k].name && field[k].name[0], STICK_BAD_INPUT, "'%s': field %d has no name",
                    path, k);
        STICK_CHECK(ctx, (unsigned)field[k].kind <= STICK_VTU_INTEGER, STICK_BAD_INPUT,
                    "'%s': field '%s' is of the unknown kind %d", path, field[k].name, (int)field[k].kind);
        STICK_CHECK(ctx, field[k].components >= 1, STICK_BAD_INPUT, "'%s': field '%s' has %d components",
                    path, field[k].name, field[k].components);
        STICK_CHECK(ctx, field[k].stored == 0 || field[k].stored >= field[k].components, STICK_BAD_INPUT,
                    "'%s': field '%s' has %d components, but only %d are stored", path, field[k].name,
                    field[k].components, field[k].stored);
        for (int j = 0; j < k; j++)
            STICK_CHECK(ctx, strcmp(field[j].name, field[k].name) != 0, STICK_BAD_INPUT,
                        "'%s': two fields have the name '%s'", path, field[k].name);
    }
    return STICK_OK;
}

static StickStatus check_grid(StickContext *ctx, const char *path, const StickVtu *grid)
{
    STICK_CHECK(ctx, isfinite(grid->time), STICK_BAD_INPUT, "'%s': the time %g is no number", path,
                grid->time);
    STICK_TRY(check_fields(ctx, path, grid->point_field, grid->npoint_fields));
    STICK_TRY(check_fields(ctx, path, grid->cell_field, grid->ncell_fields));
    for (int p = 0; p < grid->npieces; p++) {
        const StickVtuPiece *piece = &grid->piece[p];
        STICK_CHECK(ctx, piece->dim >= 1 && piece->dim <= 3, STICK_BAD_INPUT,
                    "'%s': piece %d has dimension %d", path, p, piece->dim);
        STICK_CHECK(ctx, piece->npoints >= 0 && piece->ncells >= 0, STICK_BAD_INPUT,
                    "'%s': piece %d has %d points and %d cells", path, p, piece->npoints, piece->ncells);
        STICK_TRY(check_cells(ctx, path, piece, p));
    }
    return STICK_OK;
}

// ---- points and cells

static void write_points(StickVtuArray *array, const StickVtu *grid)
{
    stick_vtu_array_begin(array, "Float64", "Points", 3, NULL);
    for (int p = 0; p < grid->npieces; p++) {
        const StickVtuPiece *piece = &grid->piece[p];
        for (int k = 0; k < piece->npoints; k++) {
            double x[3] = {0};
            memcpy(x, piece->x + (size_t)k * piece->dim, (size_t)piece->dim * sizeof *x);
            stick_vtu_array_add(array, x, sizeof x);
        }
    }
    stick_vtu_array_end(array);
}

static void write_connectivity(StickVtuArray *array, const StickVtu *grid)
{
    int64_t first = 0; // point of the grid
    stick_vtu_array_begin(array, "Int64", "connectivity", 1, NULL);
    for (int p = 0; p < grid->npieces; p++) {
        const StickVtuPiece *piece = &grid->piece[p];
        for (int c = 0; c < piece->ncells; c++)
            for (int k = piece->start[c]; k < piece->start[c + 1]; k++) {
                int64_t point = first + piece->node[k];
                stick_vtu_array_add(array, &point, sizeof point);
            }
        first += piece->npoints;
    }
    stick_vtu_array_end(array);
}

// VTK's offset of a cell is the end of its nodes.
static void write_offsets(StickVtuArray *array, const StickVtu *grid)
{
    int64_t end = 0;
    stick_vtu_array_begin(array, "Int64", "offsets", 1, NULL);
    for (int p = 0; p < grid->npieces; p++) {
        const StickVtuPiece *piece = &grid->piece[p];
        for (int c = 0; c < piece->ncells; c++) {
            end += piece->start[c + 1] - piece->start[c];
            stick_vtu_array_add(array, &end, sizeof end);
        }
    }
    stick_vtu_array_end(array);
}

static void write_types(StickVtuArray *array, const StickVtu *grid)
{
    stick_vtu_array_begin(array, "UInt8", "types", 1, NULL);
    for (int p = 0; p < grid->npieces; p++)
        stick_vtu_array_add(array, grid->piece[p].type, (size_t)grid->piece[p].ncells);
    stick_vtu_array_end(array);
}

// ---- fields

static void add_reals(StickVtuArray *array, const double *value, int given, int stored)
{
    for (int k = 0; k < stored; k++) {
        double number = !value ? (double)NAN : k < given ? value[k] : 0;
        stick_vtu_array_add(array, &number, sizeof number);
    }
}

static void add_singles(StickVtuArray *array, const double *value, int given, int stored)
{
    for (int k = 0; k < stored; k++) {
        float number = !value ? NAN : k < given ? (float)value[k] : 0;
        stick_vtu_array_add(array, &number, sizeof number);
    }
}

static void add_integers(StickVtuArray *array, const int *value, int given, int stored)
{
    for (int k = 0; k < stored; k++) {
        int32_t number = !value ? -1 : k < given ? value[k] : 0;
        stick_vtu_array_add(array, &number, sizeof number);
    }
}

// The values of one piece: count tuples, or as many without a value where data is NULL.
static void add_tuples(StickVtuArray *array, const StickVtuField *field, const void *data, int count)
{
    int given = field->components, stored = field->stored ? field->stored : given;
    for (int k = 0; k < count; k++) {
        size_t at = (size_t)k * given;
        if (field->kind == STICK_VTU_REAL)
            add_reals(array, data ? (const double *)data + at : NULL, given, stored);
        else if (field->kind == STICK_VTU_SINGLE)
            add_singles(array, data ? (const double *)data + at : NULL, given, stored);
        else
            add_integers(array, data ? (const int *)data + at : NULL, given, stored);
    }
}

static void begin_field(StickVtuArray *array, const StickVtuField *field)
{
    static const char *const types[] = {"Float64", "Float32", "Int32"};
    int stored = field->stored ? field->stored : field->components;
    stick_vtu_array_begin(array, types[field->kind], field->name, stored, field->component_names);
}

static void write_point_fields(StickVtuArray *array, const StickVtu *grid)
{
    for (int f = 0; f < grid->npoint_fields; f++) {
        begin_field(array, &grid->point_field[f]);
        for (int p = 0; p < grid->npieces; p++) {
            const StickVtuPiece *piece = &grid->piece[p];
            const void *data = piece->point_data ? piece->point_data[f] : NULL;
            add_tuples(array, &grid->point_field[f], data, piece->npoints);
        }
        stick_vtu_array_end(array);
    }
}

static void write_cell_fields(StickVtuArray *array, const StickVtu *grid)
{
    for (int f = 0; f < grid->ncell_fields; f++) {
        begin_field(array, &grid->cell_field[f]);
        for (int p = 0; p < grid->npieces; p++) {
            const StickVtuPiece *piece = &grid->piece[p];
            const void *data = piece->cell_data ? piece->cell_data[f] : NULL;
            add_tuples(array, &grid->cell_field[f], data, piece->ncells);
        }
        stick_vtu_array_end(array);
    }
}

// ---- the file

static void write_head(StickText *text, const StickVtu *grid)
{
    int64_t points = 0, cells = 0;
    for (int p = 0; p < grid->npieces; p++) {
        points += grid->piece[p].npoints;
        cells += grid->piece[p].ncells;
    }
    stick_text_add(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n<FieldData>\n"
        "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
        stick_vtu_byte_order());
    stick_text_add_number(text, grid->time);
    stick_text_add(text,
                   "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
                   (long long)points, (long long)cells);
}

static void write_body(StickText *text, StickVtuArray *array, const StickVtu *grid)
{
    write_head(text, grid);
    stick_text_add(text, "<PointData>\n");
    write_point_fields(array, grid);
    stick_text_add(text, "</PointData>\n<CellData>\n");
    write_cell_fields(array, grid);
    stick_text_add(text, "</CellData>\n<Points>\n");
    write_points(array, grid);
    stick_text_add(text, "</Points>\n<Cells>\n");
    write_connectivity(array, grid);
    write_offsets(array, grid);
    write_types(array, grid);
    stick_text_add(text, "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

StickStatus stick_vtu_write(StickContext *ctx, const char *path, const StickVtu *grid)
{
    STICK_TRY(check_grid(ctx, path, grid));
    StickText text;
    StickVtuArray *array = NULL;
    stick_text_init(&text, ctx);
    StickStatus status = stick_vtu_array_create(ctx, &text, &array);
    if (status == STICK_OK) {
        write_body(&text, array, grid);
        status = stick_vtu_array_status(array);
    }
    if (status == STICK_OK)
        status = stick_file_write(ctx, path, text.bytes, text.length);
    stick_vtu_array_destroy(array);
    stick_text_destroy(&text);
    return status;
}
