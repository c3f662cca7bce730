// SPDX-License-Identifier: Apache-2.0
// Bodies: rigid ones by their shapes, deformable ones by a mesh and a material, how they start; frames of bodies that
// go along trajectories.
#ifndef MODEL_BODY_SPEC_H
#define MODEL_BODY_SPEC_H

#include "model/mesh_spec.h"

typedef enum StickPartKind {
    STICK_PART_BOX, // in the plane a rectangle
    STICK_PART_DISK,
    STICK_PART_POLYGON,
    STICK_PART_STADIUM, // capsule in the plane
    STICK_PART_SPHERE,
    STICK_PART_CAPSULE,
    STICK_PART_CYLINDER,
    STICK_PART_HULL, // of points, or of the nodes of a mesh file
    STICK_PART_COMPOUND,
} StickPartKind;

// A shape of a rigid body, in the frame in which the file gives it: boxes, disks, spheres, stadia,
// capsules and cylinders have their centre at its origin, stadia their axis along y, capsules and cylinders along z.
typedef struct StickPartSpec {
    StickPartKind kind;
    StickMark mark;
    int dim;            // 2 or 3
    double size[3];     // box: sides
    double radius;      // disk, stadium, sphere, capsule, cylinder
    double length;      // stadium, capsule: between the centres of its ends; cylinder: between its ends
    int npoints;        // polygon, hull
    double *points;     // 3 each, z = 0 in the plane
    char *file;         // hull: of its nodes; NULL: of points
    double position[3]; // of its frame in that of the body
    // before the shift: vector along the axis, its length is the angle; in the plane (0, 0, angle)
    double rotation[3];
} StickPartSpec;

// Shape and inertia of a rigid body; identical bodies of one `repeat` share it.
typedef struct StickRigidSpec {
    StickMark mark;
    int dim;
    int nparts; // one unless it is a compound
    StickPartSpec *part;
    double mass; // 0: by the density of the material and the volume (in the plane: area times thickness)
    // about axes through the mass centre, along those of the file's frame; in the plane [2]; 0: of the shape
    double inertia[3];
} StickRigidSpec;

// Indices of an item of a list with `repeat`; without `repeat` there is one item, without index.
typedef struct StickRepeat {
    int nindices;
    int low[3], size[3];
    int index[3]; // of this item, low .. low + size - 1; the last one runs fastest
    int number;   // 0, 1 ... in this order
} StickRepeat;

// Modal reduction of a deformable body: the modes up to a frequency, a number of lowest modes, or the smaller set.
typedef struct StickModesSpec {
    StickMark mark;
    bool given;
    double below;   // frequency, cycles per time; 0: no bound
    int count;      // with motions as a rigid body; 0: no bound
    double damping; // ratio to the critical one, of every mode
} StickModesSpec;

// A body of mean dilatation under finite deformation whose elements keep their volume to a tolerance, by augmentations of
// their pressures.
typedef struct StickVolumeSpec {
    StickMark mark;
    bool given;
    double tolerance;  // largest |theta - 1|
    int augmentations; // in a step or increment, at most
} StickVolumeSpec;

// The true shape of a group of sides of a body in the plane, by a parameter s.
typedef struct StickFlankSpec {
    char *group;
    StickMark mark;
    StickExpression *x, *y; // see s; in the frame of the mesh
    double from, to;
} StickFlankSpec;

typedef struct StickBodySpec {
    char *name; // with its indices, as block[0,1]
    StickMark mark;
    StickRepeat repeat;
    const StickRigidSpec *rigid; // NULL: deformable, by its mesh
    double turn[3];              // rigid: at the start, as rotation of a part; its frame goes to position
    double start_velocity[3];    // rigid: of the mass centre
    StickMeshSpec mesh;
    int material; // index; -1: none (rigid, with a mass)
    StickElementKind element;
    StickPlane plane;
    double thickness; // 2D: out of plane; 1D: section area
    bool lumped_mass;
    double position[3]; // shift of the mesh
    double rotation;    // deformable, 2D: angle of the mesh about its own origin, before the shift
    StickExpression *displacement[3]; // initial, sees the place; NULL: zero
    StickExpression *velocity[3];     // initial, sees the place; NULL: zero
    double angular_velocity[3];       // initial, about the mass centre, added to velocity; 2D: component 2
    bool spatial_rotation;            // angular_velocity was given by its three components
    StickModesSpec modes;
    StickVolumeSpec volume;
    int nflanks;
    StickFlankSpec *flank;
} StickBodySpec;

// Free components of a body's frame in the plane, in addition to its ideal motion.
typedef enum StickFrameMotion {
    STICK_FRAME_X,
    STICK_FRAME_Y,
    STICK_FRAME_ROTATION, // about the origin of the mesh
    STICK_FRAME_MOTIONS
} StickFrameMotion;

// The ideal motion of the frame to which supports attach a body, and its free components.
typedef struct StickFrameSpec {
    char *name; // of the body
    StickMark mark;
    int body;
    StickExpression *at[3]; // of the origin of its mesh, sees t; NULL: the position of the body
    StickExpression *angle; // sees t; NULL: the rotation of the body
    bool free[STICK_FRAME_MOTIONS];
    StickExpression *force[3]; // force along x and y (free components only); sees t; NULL: none
    StickExpression *moment;
} StickFrameSpec;

#endif
