// SPDX-License-Identifier: Apache-2.0
// Sections at random, and friction problems with sections of known solution: r_T is chosen on the boundary of r_N D_1
// or inside, u_T along an outward normal there, by the parameters of the boundary alone.
#ifndef TESTS_SOLVE_SECTIONS_H
#define TESTS_SOLVE_SECTIONS_H

#include "solve/manufactured.h"

#include <math.h>

enum { MOST_VERTICES = 12 };

static StickSection section_room[MOST_CONTACTS];
static double vertex_room[MOST_CONTACTS][2 * MOST_VERTICES];
static const StickSection *section_list[MOST_CONTACTS];

static inline StickSection random_ellipse(StickRandom *random, double most_mu)
{
    return (StickSection){
        .kind = STICK_SECTION_ELLIPSE,
        .mu = {stick_random_uniform(random, 0.05, most_mu), stick_random_uniform(random, 0.05, most_mu)},
        .angle = stick_random_uniform(random, -4, 4),
    };
}

// Vertices on an ellipse whose centre is not 0, at angles that are never far apart.
static inline StickSection random_polygon(StickRandom *random, double most_mu, double *vertex)
{
    int n = 3 + (int)stick_random_uniform(random, 0, MOST_VERTICES - 3 + 0.999);
    double a = stick_random_uniform(random, 0.3, 1) * most_mu,
           b = stick_random_uniform(random, 0.3, 1) * most_mu;
    double x = stick_random_uniform(random, -0.1, 0.1) * a, y = stick_random_uniform(random, -0.1, 0.1) * b;
    for (int k = 0; k < n; k++) {
        double angle = 2 * acos(-1) * (k + stick_random_uniform(random, -0.15, 0.15)) / n;
        vertex[2 * k] = x + a * cos(angle);
        vertex[2 * k + 1] = y + b * sin(angle);
    }
    return (StickSection){.kind = STICK_SECTION_POLYGON, .nvertices = n, .vertex = vertex};
}

static inline StickSection random_interval(StickRandom *random, double most_mu)
{
    return (StickSection){
        .kind = STICK_SECTION_INTERVAL,
        .mu = {stick_random_uniform(random, 0.05, most_mu), stick_random_uniform(random, 0.05, most_mu)},
    };
}

// Outward normal of side k, of length 1.
static inline void side_normal(const StickSection *section, int k, double d[2])
{
    int n = section->nvertices;
    const double *v = section->vertex + 2 * ((k + n) % n), *w = section->vertex + 2 * ((k + n + 1) % n);
    double size = hypot(w[0] - v[0], w[1] - v[1]);
    d[0] = (w[1] - v[1]) / size;
    d[1] = (v[0] - w[0]) / size;
}

// A point of the boundary and an outward normal at it: of a polygon a vertex or a point of a side.
static inline void boundary_point(StickRandom *random, const StickSection *section, double t[2], double d[2])
{
    double part = stick_random_uniform(random, 0, 1), other = stick_random_uniform(random, 0, 1);
    t[1] = d[1] = 0;
    if (section->kind == STICK_SECTION_INTERVAL) {
        t[0] = part < 0.5 ? -section->mu[0] : section->mu[1];
        d[0] = part < 0.5 ? -1 : 1;
    } else if (section->kind == STICK_SECTION_ELLIPSE) {
        double c = cos(2 * acos(-1) * part), s = sin(2 * acos(-1) * part);
        double cos_a = cos(section->angle), sin_a = sin(section->angle);
        double x = section->mu[0] * c, y = section->mu[1] * s, n_x = c / section->mu[0],
               n_y = s / section->mu[1];
        t[0] = cos_a * x - sin_a * y, t[1] = sin_a * x + cos_a * y;
        d[0] = cos_a * n_x - sin_a * n_y, d[1] = sin_a * n_x + cos_a * n_y;
    } else {
        int k = (int)(part * section->nvertices * 0.999);
        const double *v = section->vertex + 2 * k, *w = section->vertex + 2 * ((k + 1) % section->nvertices);
        double before[2], after[2], along = other < 0.5 ? 0 : 2 * other - 1;
        side_normal(section, k - 1, before);
        side_normal(section, k, after);
        double mix = other < 0.5 ? 2 * other : 1;
        for (int i = 0; i < 2; i++) {
            t[i] = v[i] + along * (w[i] - v[i]);
            d[i] = mix * after[i] + (1 - mix) * before[i];
        }
    }
}

// Open, stuck or sliding as chance has it.
static inline void manufacture_section_contact(StickRandom *random, const StickSection *section, int dim,
                                               double *r, double *u)
{
    double chance = stick_random_uniform(random, 0, 1), t[2], d[2], part = 0, slide = 0, u_T[2] = {0};
    boundary_point(random, section, t, d);
    r[0] = u[0] = 0;
    if (chance < 0.2) {
        u[0] = stick_random_uniform(random, 0.1, 1);
        for (int k = 0; k < 2; k++)
            u_T[k] = stick_random_uniform(random, -1, 1);
    } else {
        r[0] = stick_random_uniform(random, 0.1, 2);
        part = chance < 0.5 ? stick_random_uniform(random, 0, 0.9) : 1;
        slide = chance < 0.5 ? 0 : stick_random_uniform(random, 0.1, 1) / hypot(d[0], d[1]);
        for (int k = 0; k < 2; k++)
            u_T[k] = -slide * d[k];
    }
    for (int k = 1; k < dim; k++) {
        r[k] = r[0] * part * t[k - 1];
        u[k] = u_T[k - 1];
    }
}

// Every fourth contact keeps its disk. curved: ellipses and disks, too, not only polygons.
static inline void manufacture_sections(Manufactured *made, StickRandom *random, int dim, int ncontacts,
                                        double most_mu, int curved)
{
    manufacture(made, random, dim, ncontacts, most_mu, 0.5);
    made->problem.section = section_list;
    for (int c = 0; c < ncontacts; c++) {
        section_list[c] = &section_room[c];
        if (dim == 2)
            section_room[c] = random_interval(random, most_mu);
        else if (curved && c % 2 == 0)
            section_room[c] = random_ellipse(random, most_mu);
        else
            section_room[c] = random_polygon(random, most_mu, vertex_room[c]);
        if (curved && c % 4 == 3)
            section_list[c] = NULL;
        else
            manufacture_section_contact(random, &section_room[c], dim, made->r + dim * c, made->u + dim * c);
    }
    manufacture_u_free(made);
}

#endif
