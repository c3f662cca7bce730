// SPDX-License-Identifier: Apache-2.0
#include "problems/fclib_bodies.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

// Velocities of the two bodies of a joint.
enum { JOINT_NUMBERS = 12 };

// ---- reading

static StickStatus read_masses(const StickHdf5Source *source, StickFrictionData *data)
{
    size_t count;
    STICK_TRY(stick_hdf5_int(source, "/bodies/ndofs", &data->bodies.ndofs));
    int v = data->bodies.ndofs;
    STICK_CHECK(source->ctx, v == 3 || v == 6, STICK_BAD_INPUT, "'%s': /bodies/ndofs = %d is neither 3 nor 6",
                source->path, v);
    STICK_TRY(stick_hdf5_numbers(source, "/bodies/S", &data->S, &count));
    STICK_CHECK(source->ctx, count % (size_t)(v * v) == 0 && count / (size_t)(v * v) <= INT_MAX / 8,
                STICK_BAD_INPUT, "'%s': /bodies/S has %zu values, not %d for each body", source->path, count,
                v * v);
    data->bodies.nbodies = (int)(count / (size_t)(v * v));
    data->bodies.S = data->S;
    return STICK_OK;
}

// count integers from least to below limit
static StickStatus read_indices(const StickHdf5Source *source, const char *name, size_t count, int least,
                                int limit, int **values)
{
    size_t found;
    STICK_TRY(stick_hdf5_ints(source, name, values, &found));
    STICK_CHECK(source->ctx, found == count, STICK_BAD_INPUT, "'%s': %s has %zu values instead of %zu",
                source->path, name, found, count);
    for (size_t k = 0; k < count; k++)
        STICK_CHECK(source->ctx, (*values)[k] >= least && (*values)[k] < limit, STICK_BAD_INPUT,
                    "'%s': %s[%zu] = %d is not in %d ... %d", source->path, name, k, (*values)[k], least,
                    limit - 1);
    return STICK_OK;
}

static StickStatus fill_sides(const StickHdf5Source *source, StickFrictionData *data, int **body, int **entry)
{
    size_t sides = 2 * (size_t)data->ncontacts, dim = (size_t)data->dim, count;
    STICK_TRY(stick_hdf5_numbers(source, "/bodies/H", &data->H, &count));
    STICK_CHECK(source->ctx, count % dim == 0 && count / dim < INT_MAX, STICK_BAD_INPUT,
                "'%s': /bodies/H has %zu values, not %zu in each row", source->path, count, dim);
    int nentries = (int)(count / dim) - data->bodies.ndofs + 1;
    STICK_TRY(read_indices(source, "/bodies/body", sides, -1, data->bodies.nbodies, body));
    STICK_TRY(read_indices(source, "/bodies/entry", sides, -1, nentries, entry));
    STICK_ALLOC(source->ctx, data->sides, data->ncontacts);
    for (size_t k = 0; k < sides; k++) {
        STICK_CHECK(source->ctx, (*body)[k] < 0 || (*entry)[k] >= 0, STICK_BAD_INPUT,
                    "'%s': side %zu has body %d without an entry of /bodies/H", source->path, k, (*body)[k]);
        data->sides[k / 2].body[k % 2] = (*body)[k];
        data->sides[k / 2].entry[k % 2] = (*entry)[k] < 0 ? 0 : (*entry)[k];
    }
    data->bodies.H = data->H;
    data->bodies.sides = data->sides;
    return STICK_OK;
}

static StickStatus read_sides(const StickHdf5Source *source, StickFrictionData *data)
{
    int *body = NULL, *entry = NULL;
    StickStatus status = fill_sides(source, data, &body, &entry);
    stick_free(source->ctx, body);
    stick_free(source->ctx, entry);
    return status;
}

static StickStatus fill_joints(const StickHdf5Source *source, StickFrictionData *data, int **body, double **G,
                               double **compliance)
{
    size_t count;
    STICK_TRY(stick_hdf5_numbers(source, "/bodies/joint_compliance", compliance, &count));
    STICK_CHECK(source->ctx, count <= INT_MAX / JOINT_NUMBERS, STICK_BAD_INPUT,
                "'%s': /bodies/joint_compliance has %zu values", source->path, count);
    int n = (int)count;
    STICK_TRY(read_indices(source, "/bodies/joint_body", 2 * count, -1, data->bodies.nbodies, body));
    STICK_TRY(stick_hdf5_vector(source, "/bodies/joint_G", JOINT_NUMBERS * n, G));
    STICK_ALLOC(source->ctx, data->joint, n);
    for (int k = 0; k < n; k++) {
        STICK_CHECK(source->ctx, (*compliance)[k] >= 0, STICK_BAD_INPUT,
                    "'%s': /bodies/joint_compliance[%d] = %g is negative", source->path, k, (*compliance)[k]);
        memcpy(data->joint[k].body, *body + 2 * k, sizeof data->joint[k].body);
        memcpy(data->joint[k].G, *G + JOINT_NUMBERS * k, sizeof data->joint[k].G);
        data->joint[k].compliance = (*compliance)[k];
    }
    data->bodies.joint = data->joint;
    data->bodies.njoints = n;
    return STICK_OK;
}

static StickStatus read_joints(const StickHdf5Source *source, StickFrictionData *data)
{
    int *body = NULL;
    double *G = NULL, *compliance = NULL;
    StickStatus status = fill_joints(source, data, &body, &G, &compliance);
    stick_free(source->ctx, body);
    stick_free(source->ctx, G);
    stick_free(source->ctx, compliance);
    return status;
}

StickStatus stick_fclib_read_bodies(const StickHdf5Source *source, StickFrictionData *data)
{
    if (!stick_hdf5_exists(source, "/bodies/ndofs"))
        return STICK_OK;
    STICK_TRY(read_masses(source, data));
    STICK_TRY(read_sides(source, data));
    return stick_hdf5_exists(source, "/bodies/joint_compliance") ? read_joints(source, data) : STICK_OK;
}

// ---- lists to write

void stick_body_lists_destroy(StickContext *ctx, StickBodyLists *lists)
{
    stick_free(ctx, lists->body);
    stick_free(ctx, lists->joint_G);
    *lists = (StickBodyLists){0};
}

StickStatus stick_body_lists_create(StickContext *ctx, const StickBodies *bodies, int ncontacts,
                                    StickBodyLists *lists)
{
    size_t sides = 2 * (size_t)ncontacts, joints = (size_t)bodies->njoints;
    *lists = (StickBodyLists){0};
    STICK_ALLOC(ctx, lists->body, 2 * (sides + joints));
    lists->joint_G = stick_alloc(ctx, (JOINT_NUMBERS + 1) * joints, sizeof *lists->joint_G);
    if (!lists->joint_G) {
        stick_body_lists_destroy(ctx, lists);
        return STICK_NO_MEMORY;
    }
    lists->entry = lists->body + sides;
    lists->joint_body = lists->entry + sides;
    lists->joint_compliance = lists->joint_G + JOINT_NUMBERS * joints;
    for (size_t k = 0; k < sides; k++) {
        const StickBodySides *side = &bodies->sides[k / 2];
        lists->body[k] = side->body[k % 2];
        lists->entry[k] = side->body[k % 2] < 0 ? -1 : side->entry[k % 2];
        int end = lists->entry[k] < 0 ? 0 : lists->entry[k] + bodies->ndofs;
        lists->nrows = end > lists->nrows ? end : lists->nrows;
    }
    for (size_t k = 0; k < joints; k++) {
        memcpy(lists->joint_body + 2 * k, bodies->joint[k].body, sizeof bodies->joint[k].body);
        memcpy(lists->joint_G + JOINT_NUMBERS * k, bodies->joint[k].G, sizeof bodies->joint[k].G);
        lists->joint_compliance[k] = bodies->joint[k].compliance;
    }
    return STICK_OK;
}
