// SPDX-License-Identifier: Apache-2.0
#include "stepping/explicit_bar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double young = 117e3, poisson = 0.35, density = 8.93e-9, yield = 400, hardening = 100;
static const double radius = 3.2, length = 32.4, speed = 227e3, end = 80e-6;

// Of the longest step that is stable.
static const double safe = 0.7;

enum { NODES = 4, POINTS = 4 };

static const double pi = 3.14159265358979323846;
static const double xi[NODES] = {-1, 1, 1, -1}, eta[NODES] = {-1, -1, 1, 1};

// A point of an element of a column, as it was made.
typedef struct Place {
    double N[NODES], dr[NODES], dz[NODES], r, volume;
} Place;

// What a point remembers: the inverse of C_p in the plane, whose determinant is one, and the plastic strain.
typedef struct Past {
    double rr, rz, zz, strain;
} Past;

typedef struct Gradient {
    double rr, rz, zr, zz, hoop, plane; // plane: determinant of the first four
} Gradient;

typedef struct Stress {
    double rr, rz, zz, hoop;
} Stress;

typedef struct Bar {
    int columns, rows, nnodes;
    double shear, bulk, stiffness; // stiffness: of waves
    double *x, *v, *f, *mass;      // r and z of nodes
    Place *place;                  // columns x POINTS
    double *share;                 // columns x NODES: mass of an element at its nodes
    Past *past;                    // elements x POINTS
    double elastic, plastic, lost; // energies
    double fastest;                // square of the largest frequency
} Bar;

static void *room(int count, size_t size)
{
    return calloc((size_t)count, size);
}

static void place_points(Bar *bar)
{
    double wide = radius / bar->columns, high = length / bar->rows, g = 1 / sqrt(3);
    for (int k = 0; k < bar->columns * POINTS; k++) {
        Place *place = &bar->place[k];
        int column = k / POINTS, q = k % POINTS;
        for (int a = 0; a < NODES; a++) {
            double along = 1 + xi[a] * g * xi[q], up = 1 + eta[a] * g * eta[q];
            place->N[a] = 0.25 * along * up;
            place->dr[a] = 0.5 * xi[a] * up / wide;
            place->dz[a] = 0.5 * eta[a] * along / high;
            place->r += place->N[a] * wide * (column + 0.5 * (1 + xi[a]));
        }
        place->volume = 2 * pi * place->r * 0.25 * wide * high;
        for (int a = 0; a < NODES; a++)
            bar->share[column * NODES + a] += density * place->N[a] * place->volume;
    }
}

static void nodes_of(const Bar *bar, int row, int column, int node[NODES])
{
    int first = row * (bar->columns + 1) + column;
    node[0] = first;
    node[1] = first + 1;
    node[2] = first + bar->columns + 2;
    node[3] = first + bar->columns + 1;
}

static void start(Bar *bar, int n)
{
    *bar = (Bar){.columns = n, .rows = 8 * n, .nnodes = (n + 1) * (8 * n + 1)};
    bar->shear = young / 2 / (1 + poisson);
    bar->bulk = young / 3 / (1 - 2 * poisson);
    bar->stiffness = bar->bulk + 4 * bar->shear / 3;
    bar->x = room(2 * bar->nnodes, sizeof *bar->x);
    bar->v = room(2 * bar->nnodes, sizeof *bar->v);
    bar->f = room(2 * bar->nnodes, sizeof *bar->f);
    bar->mass = room(bar->nnodes, sizeof *bar->mass);
    bar->place = room(n * POINTS, sizeof *bar->place);
    bar->share = room(n * NODES, sizeof *bar->share);
    bar->past = room(n * 8 * n * POINTS, sizeof *bar->past);
    place_points(bar);
    for (int k = 0; k < n * 8 * n * POINTS; k++)
        bar->past[k] = (Past){.rr = 1, .zz = 1};
    for (int k = 0; k < bar->nnodes; k++) {
        bar->x[2 * k] = radius * (k % (n + 1)) / n;
        bar->x[2 * k + 1] = length * (k / (n + 1)) / bar->rows;
        bar->v[2 * k + 1] = -speed;
    }
    for (int e = 0; e < n * bar->rows; e++) {
        int node[NODES];
        nodes_of(bar, e / n, e % n, node);
        for (int a = 0; a < NODES; a++)
            bar->mass[node[a]] += bar->share[e % n * NODES + a];
    }
}

static void finish(Bar *bar)
{
    free(bar->x);
    free(bar->v);
    free(bar->f);
    free(bar->mass);
    free(bar->place);
    free(bar->share);
    free(bar->past);
}

static Gradient gradient_at(const Bar *bar, const Place *place, const int node[NODES])
{
    Gradient F = {0};
    double r = 0;
    for (int a = 0; a < NODES; a++) {
        const double *x = &bar->x[2 * node[a]];
        F.rr += x[0] * place->dr[a];
        F.rz += x[0] * place->dz[a];
        F.zr += x[1] * place->dr[a];
        F.zz += x[1] * place->dz[a];
        r += x[0] * place->N[a];
    }
    F.hoop = r / place->r;
    F.plane = F.rr * F.zz - F.rz * F.zr;
    return F;
}

// C_p^-1 = F^-1 b_e F^-T
static void remember(const Gradient *F, const Stress *b, Past *past)
{
    double rr = F->zz / F->plane, rz = -F->rz / F->plane, zr = -F->zr / F->plane, zz = F->rr / F->plane;
    double a = rr * b->rr + rz * b->rz, c = rr * b->rz + rz * b->zz, d = zr * b->rr + zz * b->rz,
           f = zr * b->rz + zz * b->zz;
    past->rr = a * rr + c * rz;
    past->rz = a * zr + c * zz;
    past->zz = d * zr + f * zz;
}

// Kirchhoff's stress without pressure, after plastic flow where there is some.
static Stress flow(Bar *bar, const Gradient *F, const Place *place, Past *past)
{
    double J = F->plane * F->hoop, whole = cbrt(J) * cbrt(J);
    double a = F->rr * past->rr + F->rz * past->rz, c = F->rr * past->rz + F->rz * past->zz,
           d = F->zr * past->rr + F->zz * past->rz, f = F->zr * past->rz + F->zz * past->zz;
    Stress b = {(a * F->rr + c * F->rz) / whole, (a * F->zr + c * F->zz) / whole,
                (d * F->zr + f * F->zz) / whole,
                F->hoop * F->hoop / (past->rr * past->zz - past->rz * past->rz) / whole};
    // ln(b) in the plane: middle 1 + spread (b - mean 1)
    double mean = 0.5 * (b.rr + b.zz), half = 0.5 * (b.rr - b.zz), h = hypot(half, b.rz);
    double spread = h > 0 ? atanh(h / mean) / h : 1 / mean, hoop = log(b.hoop), middle = -0.5 * hoop;
    Stress e = {0.5 * (middle + spread * half), 0.5 * spread * b.rz, 0.5 * (middle - spread * half),
                0.5 * hoop};
    double size = sqrt(e.rr * e.rr + e.zz * e.zz + e.hoop * e.hoop + 2 * e.rz * e.rz), kept = 1;
    double trial = 2 * bar->shear * size, over = trial - sqrt(2.0 / 3) * (yield + hardening * past->strain);
    if (over > 0) {
        double slip = over / (2 * bar->shear + 2 * hardening / 3), g;
        kept = 1 - 2 * bar->shear * slip / trial;
        past->strain += sqrt(2.0 / 3) * slip;
        bar->plastic += kept * trial * slip * place->volume;
        g = kept * spread * h;
        double scale = whole * exp(kept * middle), part = (g > 0 ? sinh(g) / g : 1) * kept * spread;
        b = (Stress){scale * (cosh(g) + part * half), scale * part * b.rz, scale * (cosh(g) - part * half),
                     0};
        remember(F, &b, past);
    }
    bar->elastic += bar->shear * kept * kept * size * size * place->volume;
    double stress = 2 * bar->shear * kept;
    return (Stress){stress * e.rr, stress * e.rz, stress * e.zz, stress * e.hoop};
}

// Forces of a point on the nodes of its element; returns its share in a bound of the square of the element's frequencies.
static double push(Bar *bar, const Gradient *F, const Place *place, const Stress *tau, const double *share,
                   const int node[NODES])
{
    double volume = place->volume, r = F->hoop * place->r, sum = 0;
    for (int a = 0; a < NODES; a++) {
        double by_r = (F->zz * place->dr[a] - F->zr * place->dz[a]) / F->plane,
               by_z = (F->rr * place->dz[a] - F->rz * place->dr[a]) / F->plane, around = place->N[a] / r;
        bar->f[2 * node[a]] -= volume * (tau->rr * by_r + tau->rz * by_z + tau->hoop * around);
        bar->f[2 * node[a] + 1] -= volume * (tau->rz * by_r + tau->zz * by_z);
        sum += (by_r * by_r + by_z * by_z + around * around) / share[a];
    }
    return bar->stiffness * F->plane * F->hoop * volume * sum;
}

static void add_element(Bar *bar, int element)
{
    int column = element % bar->columns, node[NODES];
    Gradient F[POINTS];
    double before = 0, now = 0, bound = 0;
    nodes_of(bar, element / bar->columns, column, node);
    for (int q = 0; q < POINTS; q++) {
        const Place *place = &bar->place[column * POINTS + q];
        F[q] = gradient_at(bar, place, node);
        before += place->volume;
        now += F[q].plane * F[q].hoop * place->volume;
    }
    double J = now / before, pressure = bar->bulk * log(J) / J;
    bar->elastic += 0.5 * bar->bulk * log(J) * log(J) * before;
    for (int q = 0; q < POINTS; q++) {
        const Place *place = &bar->place[column * POINTS + q];
        Stress tau = flow(bar, &F[q], place, &bar->past[element * POINTS + q]);
        double mean = pressure * F[q].plane * F[q].hoop;
        tau.rr += mean;
        tau.zz += mean;
        tau.hoop += mean;
        bound += push(bar, &F[q], place, &tau, &bar->share[column * NODES], node);
    }
    bar->fastest = fmax(bar->fastest, bound);
}

// v of half a step later; the energy of motion between both.
static double accelerate(Bar *bar, bool tied, double over, double dt)
{
    double energy = 0;
    for (int k = 0; k < bar->nnodes; k++) {
        double *v = &bar->v[2 * k], mass = bar->mass[k], before = v[0] * v[0] + v[1] * v[1], was = v[1];
        bool face = k <= bar->columns;
        v[0] = k % (bar->columns + 1) == 0 ? 0 : v[0] + over * bar->f[2 * k] / mass;
        double free = v[1] + over * bar->f[2 * k + 1] / mass;
        v[1] = tied ? (face ? 0 : free) : fmax(free, -bar->x[2 * k + 1] / dt);
        bar->lost -= mass * (v[1] - free) * 0.5 * (was + v[1]);
        energy += 0.25 * mass * (before + v[0] * v[0] + v[1] * v[1]);
    }
    return energy;
}

ExplicitBar explicit_bar(int n, bool tied)
{
    Bar bar;
    start(&bar, n);
    double t = 0, last = 0, dt = 0, moving = 0, whole = 0;
    for (int k = 0; k < bar.nnodes; k++)
        whole += 0.5 * bar.mass[k] * speed * speed;
    for (bool done = false; !done;) {
        bar.elastic = bar.fastest = 0;
        memset(bar.f, 0, 2 * (size_t)bar.nnodes * sizeof *bar.f);
        for (int e = 0; e < bar.columns * bar.rows; e++)
            add_element(&bar, e);
        dt = safe * 2 / sqrt(bar.fastest);
        done = t + dt >= end;
        dt = done ? end - t : dt;
        moving = accelerate(&bar, tied, 0.5 * (last + dt), dt);
        for (int i = 0; i < 2 * bar.nnodes; i++)
            bar.x[i] += dt * bar.v[i];
        last = dt;
        t += dt;
    }
    const double *rim = &bar.x[2 * n], *top = &bar.x[2 * (bar.nnodes - 1)];
    ExplicitBar found = {rim[0], rim[1], top[1],
                         (moving + bar.elastic + bar.plastic + bar.lost - whole) / whole};
    finish(&bar);
    return found;
}
