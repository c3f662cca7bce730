// SPDX-License-Identifier: Apache-2.0
// Numbers that no matter has in the units that the model names: most often one of them is of another set.
#include "model/tables.h"

#include <math.h>
#include <string.h>

// A label and its size in m, kg, s or N.
typedef struct Label {
    const char *name;
    double size;
} Label;

static const Label lengths[] = {{"m", 1},    {"mm", 1e-3},   {"cm", 1e-2},
                                {"km", 1e3}, {"in", 0.0254}, {NULL, NAN}};
static const Label masses[] = {{"kg", 1}, {"t", 1e3}, {"g", 1e-3}, {"Mg", 1e3}, {NULL, NAN}};
static const Label times[] = {{"s", 1}, {"ms", 1e-3}, {NULL, NAN}};
static const Label forces[] = {{"N", 1}, {"kN", 1e3}, {"MN", 1e6}, {"lbf", 4.4482216}, {NULL, NAN}};

// NAN: a label that is not known here.
static double size_of(const Label *label, const char *name)
{
    while (label->name && strcmp(label->name, name) != 0)
        label++;
    return label->size;
}

// Diamond has 1.2e12 Pa, osmium 22600 kg/m^3, aerogels 1 kg/m^3.
static const double stiffest = 3e12, heaviest = 3e4, lightest = 0.1;

// Of other models densities are as good as any.
static bool has_inertia(const StickModel *model)
{
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_DYNAMICS || model->step[k].kind == STICK_STEP_STABILITY)
            return true;
    return model->gravity[0] || model->gravity[1] || model->gravity[2];
}

static void warn_of_material(StickReader *reader, const StickMaterial *material, double pressure,
                             double density)
{
    const StickUnits *units = &reader->model->units;
    double young = material->young * pressure, mass = material->density * density;
    if (young > stiffest)
        stick_warn_at(reader->ctx, material->mark,
                      "'young' of '%s' is %.3g %s/%s^2, which is %.3g Pa, stiffer than any material; steel "
                      "has %.4g in these units. Check the units (a nearly rigid body may have more)",
                      material->name, material->young, units->force, units->length, young, 2.1e11 / pressure);
    if (!has_inertia(reader->model))
        return;
    if (mass > heaviest || (mass > 0 && mass < lightest))
        stick_warn_at(reader->ctx, material->mark,
                      "'density' of '%s' is %.3g %s/%s^3, which is %.3g kg/m^3: no material is so %s; water "
                      "has %.4g in these units. Check the units",
                      material->name, material->density, units->mass, units->length, mass,
                      mass > heaviest ? "heavy" : "light", 1000 / density);
}

void stick_warn_of_units(StickReader *reader)
{
    const StickModel *model = reader->model;
    const StickUnits *units = &model->units;
    const StickYaml *given = stick_yaml_find(model->tree, "units");
    if (!given || stick_error_count(reader->ctx) != reader->errors)
        return;
    double length = size_of(lengths, units->length), force = size_of(forces, units->force);
    double mass = stick_yaml_find(given, "mass") ? size_of(masses, units->mass) : NAN;
    double unit = mass * length / pow(size_of(times, units->time), 2);
    if (has_inertia(model) && fabs(unit - force) > 1e-3 * force)
        stick_warn_at(reader->ctx, given->mark,
                      "'units' are inconsistent: the force %s is %g times %s %s/%s^2, so inertia would be "
                      "wrong by this factor; with mm, N and s masses are in t, with m, N and s in kg",
                      units->force, force / unit, units->mass, units->length, units->time);
    for (int k = 0; k < model->nmaterials; k++)
        warn_of_material(reader, &model->material[k], force / (length * length),
                         mass / (length * length * length));
}
