// SPDX-License-Identifier: Apache-2.0
#include "contact/reentrant_edge.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/contact.h"

// Cosine between the normals at a sharp seam, about 14 degrees: flatter ones are a curve, where the nearest
// piece is enough and two contacts would nearly repeat each other.
static const double SHARP = 0.97;

// How far in front the middle of a piece must be, in sizes: rounding makes no nook.
static const double FRONT = 1e-6;

static bool is_sharp(const StickSurface *surface, int a, int b)
{
    return stick_vec_dot(surface->piece[a].normal, surface->piece[b].normal) < SHARP;
}

static void piece_middle(const StickSurface *surface, int index, double middle[3])
{
    const StickPiece *piece = &surface->piece[index];
    double weight[4];
    for (int k = 0; k < 4; k++)
        weight[k] = k < piece->ncorners ? 1.0 / piece->ncorners : 0;
    stick_piece_point(surface, index, weight, middle);
}

bool stick_reentrant_edge_between(const StickSurface *surface, int a, int b)
{
    return a != b && is_sharp(surface, a, b) && stick_reentrant_edge_dent(surface, a, b);
}

bool stick_reentrant_edge_dent(const StickSurface *surface, int a, int b)
{
    double x[3], y[3], from[3];
    piece_middle(surface, a, x);
    piece_middle(surface, b, y);
    stick_vec_sub(y, x, from);
    return stick_vec_dot(from, surface->piece[a].normal) > FRONT * surface->piece[b].size &&
           stick_vec_dot(from, surface->piece[b].normal) < -FRONT * surface->piece[a].size;
}

static bool nook_beyond(const StickSurface *surface, int index, int side)
{
    int next = surface->piece[index].neighbour[side];
    return next >= 0 && stick_reentrant_edge_between(surface, index, next);
}

bool stick_reentrant_edge_at(const StickSurface *surface, int index, const StickProjection *found)
{
    int n = surface->piece[index].ncorners;
    if (found->inside)
        return false;
    if (found->side >= 0)
        return surface->dim == 3 && nook_beyond(surface, index, found->side);
    // In space two sides of the piece meet at its corner.
    return nook_beyond(surface, index, found->corner) ||
           (surface->dim == 3 && nook_beyond(surface, index, (found->corner + n - 1) % n));
}

// Numbers the parts that hang together without a sharp seam; each gets the number of its first piece.
static void find_parts(const StickSurface *surface, int *part, int *stack)
{
    for (int p = 0; p < surface->npieces; p++)
        part[p] = -1;
    for (int p = 0; p < surface->npieces; p++) {
        int top = 0;
        if (part[p] >= 0)
            continue;
        part[p] = p;
        stack[top++] = p;
        while (top > 0) {
            int from = stack[--top];
            for (int k = 0; k < surface->piece[from].ncorners; k++) {
                int next = surface->piece[from].neighbour[k];
                if (next < 0 || part[next] >= 0 || is_sharp(surface, from, next))
                    continue;
                part[next] = p;
                stack[top++] = next;
            }
        }
    }
}

// Part by part, the layer that fewest of the nooks with earlier parts have taken.
static int choose_layer(const StickSurface *surface, const int *part, int number)
{
    int taken[STICK_LAYERS] = {0}, best = 0;
    for (int p = number; p < surface->npieces; p++) {
        for (int k = 0; k < surface->piece[p].ncorners && part[p] == number; k++) {
            int next = surface->piece[p].neighbour[k];
            if (next >= 0 && part[next] < number && nook_beyond(surface, p, k))
                taken[surface->piece[next].layer]++;
        }
    }
    for (int layer = 1; layer < STICK_LAYERS; layer++)
        if (taken[layer] < taken[best])
            best = layer;
    return best;
}

StickStatus stick_reentrant_edge_layers(StickContext *ctx, StickSurface *surface)
{
    int *part, *stack;
    STICK_ALLOC(ctx, part, 2 * surface->npieces);
    stack = part + surface->npieces;
    find_parts(surface, part, stack);
    for (int p = 0; p < surface->npieces; p++)
        surface->piece[p].layer =
            part[p] == p ? choose_layer(surface, part, p) : surface->piece[part[p]].layer;
    stick_free(ctx, part);
    return STICK_OK;
}
