// SPDX-License-Identifier: Apache-2.0
#include "mesh/inp_types.h"

#include <string.h>

static const struct {
    const char *name;
    StickShape shape;
    unsigned plane;
} types[] = {
    {"CPS3", STICK_TRI3, STICK_MESH_PLANE_STRESS},
    {"CPE3", STICK_TRI3, STICK_MESH_PLANE_STRAIN},
    {"CAX3", STICK_TRI3, STICK_MESH_AXISYMMETRIC},
    {"CPS6", STICK_TRI6, STICK_MESH_PLANE_STRESS},
    {"CPE6", STICK_TRI6, STICK_MESH_PLANE_STRAIN},
    {"CAX6", STICK_TRI6, STICK_MESH_AXISYMMETRIC},
    {"CPS4", STICK_QUAD4, STICK_MESH_PLANE_STRESS},
    {"CPE4", STICK_QUAD4, STICK_MESH_PLANE_STRAIN},
    {"CAX4", STICK_QUAD4, STICK_MESH_AXISYMMETRIC},
    {"CPS8", STICK_QUAD8, STICK_MESH_PLANE_STRESS},
    {"CPE8", STICK_QUAD8, STICK_MESH_PLANE_STRAIN},
    {"CAX8", STICK_QUAD8, STICK_MESH_AXISYMMETRIC},
    {"C3D4", STICK_TET4, 0},
    {"C3D8", STICK_HEX8, 0},
    {"T2D2", STICK_BAR2, 0},
    {"T3D2", STICK_BAR2, 0},
    {"T2D3", STICK_BAR3, 0},
    {"T3D3", STICK_BAR3, 0},
};

// Letters after a type, the most significant first.
static const struct {
    char letter;
    const char *different, *advice;
} letters[] = {
    {'I', "incompatible modes",
     "full integration without incompatible modes is too stiff in bending: use several layers of elements "
     "shorter than the thickness"},
    {'H', "a pressure of its own",
     "plain displacements are too stiff for a Poisson's ratio near 0.5: use element: mean-dilatation"},
    {'R', "reduced integration", "full integration is stiffer in bending"},
};

// Letters choose the integration, additional modes or the pressure of an element, not its nodes.
bool stick_inp_type(const char *type, StickInpType *found)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        size_t length = strlen(types[k].name);
        if (strncmp(type, types[k].name, length) != 0 || type[length + strspn(type + length, "RIH")] != '\0')
            continue;
        *found = (StickInpType){types[k].shape, types[k].plane, types[k].name, NULL, NULL};
        for (size_t l = 0; l < sizeof letters / sizeof *letters && !found->different; l++)
            if (strchr(type + length, letters[l].letter)) {
                found->different = letters[l].different;
                found->advice = letters[l].advice;
            }
        return true;
    }
    return false;
}

StickInpCardKind stick_inp_card_kind(const char *word)
{
    static const char *const structure[] = {"*HEADING",  "*PREPRINT",    "*PART",        "*ENDPART",
                                            "*ASSEMBLY", "*ENDASSEMBLY", "*ENDINSTANCE", "*ENDSTEP"};
    static const char *const coupling[] = {"*TIE",
                                           "*EQUATION",
                                           "*MPC",
                                           "*COUPLING",
                                           "*KINEMATIC",
                                           "*KINEMATICCOUPLING",
                                           "*DISTRIBUTING",
                                           "*DISTRIBUTINGCOUPLING",
                                           "*RIGIDBODY",
                                           "*SHELLTOSOLIDCOUPLING",
                                           "*EMBEDDEDELEMENT",
                                           "*CYCLICSYMMETRYMODEL",
                                           "*SPRING",
                                           "*DASHPOT",
                                           "*CONNECTORSECTION",
                                           "*MASS"};
    for (size_t k = 0; k < sizeof structure / sizeof *structure; k++)
        if (strcmp(word, structure[k]) == 0)
            return STICK_INP_CARD_STRUCTURE;
    for (size_t k = 0; k < sizeof coupling / sizeof *coupling; k++)
        if (strcmp(word, coupling[k]) == 0)
            return STICK_INP_CARD_COUPLING;
    return STICK_INP_CARD_OTHER;
}
