// SPDX-License-Identifier: Apache-2.0
// The model: what the model file says, checked and with every number evaluated or compiled.
//
// A model is read once and then constant. It knows no mesh yet: names of groups are kept as words with their
// place, and are looked up where the mesh is built.
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/arena.h"
#include "base/text.h"
#include "model/expression.h"

#include <stickslip/study.h>

typedef struct StickUnits {
    char *length, *mass, *time, *force; // labels of a consistent set; m, kg, s, N by default
} StickUnits;

typedef enum StickMaterialLaw {
    STICK_MATERIAL_ELASTIC,       // small strains
    STICK_MATERIAL_NEO_HOOKEAN,   // finite strains, as all below
    STICK_MATERIAL_MOONEY_RIVLIN, //
    STICK_MATERIAL_J2,            // plastic flow by von Mises' condition
} StickMaterialLaw;

// Yield stress over the equivalent plastic strain a: of linear and Voce's hardening
//     yield + modulus a + (saturation - yield) (1 - exp(-rate a)),
// or by a table, linear between its rows and constant behind the last.
typedef struct StickHardening {
    double yield, modulus, saturation, rate;
    int nrows;   // 0: by the formula
    double *row; // nrows x 2: plastic strain, ascending from 0, and yield stress
} StickHardening;

// One term of the relaxation of the isochoric stress: its share of the stress at once, and its time.
typedef struct StickProny {
    double share, time;
} StickProny;

enum { STICK_MOST_PRONY = 10 };

typedef struct StickMaterial {
    char *name;
    StickMark mark;
    double young, poisson, density;
    StickMaterialLaw law;
    double a1, a2;            // Mooney-Rivlin; neo-Hookean: a1 = shear / 2, a2 = 0
    double shear, bulk;       // finite strains: moduli at small ones, from the keys of the law
    StickHardening hardening; // J2
    int nprony;               // hyperelastic laws
    StickProny *prony;
    // Kelvin-Voigt: stress = D(young, poisson) e + D_v(shear, bulk) de/dt
    double viscosity_shear, viscosity_bulk;
    double rayleigh_mass, rayleigh_stiffness; // C += rayleigh_mass M + rayleigh_stiffness K
} StickMaterial;

typedef enum StickMeshKind {
    STICK_MESH_BAR,
    STICK_MESH_RECTANGLE,
    STICK_MESH_BOX,
    STICK_MESH_DISK,
    STICK_MESH_ROUNDED_PLATE,
    STICK_MESH_PATCHES,
    STICK_MESH_GEAR, // one gear of a pair
    STICK_MESH_FILE,
} StickMeshKind;

typedef enum StickMeshPattern {
    STICK_PATTERN_QUADS,     // of a box: hexes
    STICK_PATTERN_TRIANGLES, // each cell cut by one diagonal; of a box: tets
    STICK_PATTERN_CROSSED,   // each cell cut into four by its centre
} StickMeshPattern;

typedef enum StickDiskPart {
    STICK_DISK_WHOLE,
    STICK_DISK_HALF,    // below the centre
    STICK_DISK_QUARTER, // below the centre and right of it
} StickDiskPart;

// Sides of a patch, in space in this order; in the plane the second direction goes from bottom to top.
typedef enum StickPatchSide {
    STICK_SIDE_LEFT,
    STICK_SIDE_RIGHT,
    STICK_SIDE_FRONT,
    STICK_SIDE_BACK,
    STICK_SIDE_BOTTOM,
    STICK_SIDE_TOP,
    STICK_NPATCH_SIDES
} StickPatchSide;

typedef struct StickPatchSideSpec {
    char *group;   // NULL: none
    bool curved;   // plane patches by corners: an arc of a circle ...
    double arc[3]; // ... through this point
} StickPatchSideSpec;

// A grid of cells, mapped to its place: by expressions, or by corners and the curves between them.
typedef struct StickPatchSpec {
    StickMark mark;
    char *name;              // group of its elements; NULL: none
    int dim;                 // 2 or 3
    int cells[3];            // along xi, eta, zeta
    double grade[3];         // length of the last cell over that of the first, in fractions of the direction
    StickExpression *map[3]; // of xi, eta, zeta in 0 .. 1; NULL: by corners
    double corner[8]
                 [3]; // anticlockwise, from xi = eta = 0; in space those at zeta = 0, then those at zeta = 1
    StickPatchSideSpec side[STICK_NPATCH_SIDES];
    char *point[4]; // plane: groups of the corner nodes; NULL: none
} StickPatchSpec;

typedef struct StickMeshSpec {
    StickMeshKind kind;
    StickMark mark;
    double size[3];           // bar: length; rectangle, box: sides; rounded plate: width, length
    int cells[3];             // bar: elements; disk: cells of the core (two) and rings
    double radius;            // disk; rounded plate: of the round side
    double origin[3];         // bar, rectangle, box: lowest corner; disk: centre; rounded plate: crown
    StickMeshPattern pattern; // of rectangle, box and patches
    int refine;               // rectangle: how often the lowest row of cells is halved
    StickDiskPart part;       // disk; cells of the core are those of the whole disk
    int npatches;
    StickPatchSpec *patch;
    double merge; // patches: nodes nearer than this are one; 0: 1e-6 of the size of the mesh
    const struct StickGearPairSpec *gears; // gear: its pair, and ...
    int gear;                              // ... which one of it, 0 (input) or 1 (output)
    char *file;                            // path, relative paths made relative to the model file
} StickMeshSpec;

// Material taken off a flank, along its normal: lengths are rolled ones, in modules, from the tip or the root of the
// active flank inwards.
typedef struct StickReliefSpec {
    double amount; // at the end of the flank
    double length; // over which it grows from nothing
    double power;  // 1: linear, 2: parabolic
} StickReliefSpec;

// How one gear is made: tooth by a rack, factors of the module.
typedef struct StickGearSpec {
    int teeth;
    bool internal; // a ring with teeth inside
    double addendum, dedendum;
    double shift;      // of the profile, outwards > 0 (ring: towards larger radii)
    double tip_radius; // of the rack (ring: of the fillet); < 0: 0.38, or as much as there is room for
    double rim;        // radius of the bore, of a ring of its outside; a length
    int material;      // index
    StickReliefSpec tip, root;
    double
        crowning; // amount taken off at both ends of the active flank, parabolic about its middle; a length
    int flank_cells; // of the mesh, along a flank from root to tip
    int mesh_teeth;  // of the mesh; 0: the whole gear
    int fine_teeth; // about tooth 0, whose flanks have so many cells, while those of others are coarse; 0: all
    double fillet;  // length of the edges in the fillet; 0: as fine as flank cells allow
} StickGearSpec;

typedef enum StickPlane {
    STICK_PLANE_STRAIN,
    STICK_PLANE_STRESS,
    STICK_AXISYMMETRIC, // x is the radius, y the axis; loads and masses are those of the whole ring
} StickPlane;

typedef enum StickFlanks { STICK_FLANKS_EXACT, STICK_FLANKS_STRAIGHT } StickFlanks;

// A pair of spur gears, in bodies `name.1` (input, centre at the origin) and `name.2` (output, centre at x = centre
// distance; a ring around the input: at minus that).
typedef struct StickGearPairSpec {
    char *name;
    StickMark mark;
    double module; // pitch diameter by teeth
    double pressure_angle;
    double centre_distance;
    double face_width;
    StickPlane plane;
    StickFlanks flanks;
    StickGearSpec gear[2];
    int body[2]; // indices of its bodies
} StickGearPairSpec;

typedef enum StickElementKind {
    STICK_ELEMENT_DEFAULT, // linear, by the mesh: bar2, tri3 or quad4, tet4 or hex8
    STICK_ELEMENT_LINEAR,
    STICK_ELEMENT_QUADRATIC,       // tri6, quad8
    STICK_ELEMENT_MEAN_DILATATION, // q4p0, h8p0
} StickElementKind;

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

// What makes a rigid body; bodies of one `repeat` that are alike have the same one.
typedef struct StickRigidSpec {
    StickMark mark;
    int dim;
    int nparts; // one unless it is a compound
    StickPartSpec *part;
    double mass; // 0: by the density of the material and the volume (in the plane: area times thickness)
    // about axes through the mass centre, along those of the file's frame; in the plane [2]; 0: of the shape
    double inertia[3];
} StickRigidSpec;

// Where an item of a list with `repeat` stands; without `repeat` there is one, with no index.
typedef struct StickRepeat {
    int nindices;
    int low[3], size[3];
    int index[3]; // of this item, low .. low + size - 1; the last one runs fastest
    int number;   // 0, 1 ... in this order
} StickRepeat;

// A deformable body that moves by its lowest modes: those up to a frequency, or so many, or the fewer of both.
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

// How the frame of a body in the plane may move beside its ideal motion.
typedef enum StickFrameMotion {
    STICK_FRAME_X,
    STICK_FRAME_Y,
    STICK_FRAME_ROTATION, // about the origin of the mesh
    STICK_FRAME_MOTIONS
} StickFrameMotion;

// The ideal motion of the frame that a body is attached to by its supports, and what of it is free.
typedef struct StickFrameSpec {
    char *name; // of the body
    StickMark mark;
    int body;
    StickExpression *at[3]; // of the origin of its mesh, sees t; NULL: where the body stands
    StickExpression *angle; // sees t; NULL: as the body stands
    bool free[STICK_FRAME_MOTIONS];
    StickExpression *force[3]; // on what is free: along x and y; sees t; NULL: none
    StickExpression *moment;
} StickFrameSpec;

typedef enum StickObstacleKind {
    STICK_OBSTACLE_PLANE,    // point, normal (a line in 2D, a point on a line in 1D)
    STICK_OBSTACLE_POLYLINE, // 2D: points, the solid on the right of the direction of travel
    STICK_OBSTACLE_CIRCLE,   // 2D circle, 3D sphere: centre, radius
    STICK_OBSTACLE_CYLINDER, // 3D: point and axis, radius
} StickObstacleKind;

struct StickRecord;

// A motion along a direction by a record (model/record.h).
typedef struct StickRecordSpec {
    StickMark mark;
    struct StickRecord *record;
    double along[3]; // as given: displacement = record times this
} StickRecordSpec;

typedef struct StickObstacleSpec {
    char *name;
    StickMark mark;
    int material; // index, for rules of contact; -1: none
    StickObstacleKind kind;
    double point[3];  // plane: a point of it; circle, sphere: centre; cylinder: a point of the axis
    double normal[3]; // plane: out of the solid, length 1; cylinder: axis, length 1
    double radius;
    bool inside; // the bodies are inside of the circle, sphere or cylinder
    int npoints;
    double *points;                   // npoints x 2
    StickExpression *displacement[3]; // prescribed motion by displacement or by velocity, sees t; NULL: none
    StickExpression *velocity[3];
    int nrecords; // prescribed motion by records, instead: the sum of all
    StickRecordSpec *record;
} StickObstacleSpec;

// Something named by "body.group" or "obstacle". Bodies of a `repeat`: "block[0,1]" is one, "block[*,1]" and "block" are
// several (stick_target_next).
typedef struct StickTarget {
    StickMark mark;
    int body;     // index, of several the first; or -1
    int obstacle; // index, or -1
    char *group;  // of a body; NULL for the whole body
    int nbodies;  // 1, or how many there are from the first to the last: not all of them need to belong to it
    bool any[3];  // index of the repeat that may be any
    int index[3]; // or must be this
} StickTarget;

typedef struct StickSupportSpec {
    StickMark mark;
    StickTarget on;                   // rigid bodies: without a group, and may be several
    StickExpression *displacement[3]; // sees t and the place; NULL: free, unless velocity says otherwise
    StickExpression *velocity[3];     // of a rigid body: of its mass centre
    // of rigid bodies, see t; NULL: free
    StickExpression *rotation;            // the plane: angle since the start
    StickExpression *angular_velocity[3]; // the plane: [2]
} StickSupportSpec;

typedef enum StickLoadKind {
    STICK_LOAD_PRESSURE,
    STICK_LOAD_TRACTION,
    STICK_LOAD_FORCE,
    STICK_LOAD_TORQUE, // on a rigid body
    STICK_LOAD_HOLD, // the group moves as one along an axis so that the total force is this: quasistatics only
} StickLoadKind;

typedef struct StickLoadSpec {
    StickMark mark;
    StickTarget on;
    StickLoadKind kind;
    // pressure: one; traction (per area): each component; force: on each node of the group; hold: on all of them
    // together, NULL: that component is not held
    // torque: in the plane [2]
    StickExpression *value[3];
    // force on a rigid body (on has no group, and may be several): the place that it sees is where its point is now
    bool has_point;
    // in the frame in which its shapes are given: moves with the body; otherwise the mass centre
    double point[3];
    bool follows; // force and torque turn with the rigid body, pressure with the surface of a deformable one
} StickLoadSpec;

typedef enum StickContactMethod {
    STICK_CONTACT_DEFAULT, // nodes, or integrated for quadratic elements
    STICK_CONTACT_NODES,
    STICK_CONTACT_INTEGRATED,
} StickContactMethod;

typedef enum StickLawKind {
    STICK_LAW_DISK,     // isotropic: |r_T| <= friction r_N
    STICK_LAW_ELLIPSE,  // (r_1/ellipse[0])^2 + (r_2/ellipse[1])^2 <= r_N^2
    STICK_LAW_POLYGON,  // r_T in r_N times the convex hull of corners
    STICK_LAW_INTERVAL, // friction interval[0] of what slides along the axis, interval[1] against it
} StickLawKind;

// What holds where two bodies touch.
typedef struct StickLawSpec {
    StickExpression *friction; // sees t, place, sliding and state; of a section its factor
    StickLawKind section;      // ellipse and polygon in space, interval in the plane
    double ellipse[2], interval[2];
    int ncorners;
    double *corner;            // 2 each, anticlockwise, 0 inside
    double axis[3];            // first axis of a section: this fixed direction, projected on the tangents
    StickExpression *cohesion; // largest force of attraction per contact, sees as friction; NULL: none
    // Newton's, u_N+ = -e u_N-; sees as friction, and the speed of approach; NULL: none
    StickExpression *restitution;
    // delta of the whole system, sees t and the largest speed of approach; NULL: not said here
    StickExpression *dissipation;
    // state variable of a contact of rigid bodies, which the others see: when it is first seen (sees t, place), and
    // d state / dt (sees as friction); NULL: none
    StickExpression *state_start, *state_rate;
} StickLawSpec;

typedef struct StickContactSpec {
    StickMark mark;
    StickTarget slave; // first of "between": carries the unknowns. A rigid body without group: its whole skin
    StickTarget master;
    StickLawSpec law;
    StickContactMethod method;
    double reach; // what is farther than this, and than what can move in a step, is left out
    // Of bodies on trajectories (StickModel.mating): strips of the first surface touch where their normals meet the
    // other one.
    double max_distance; // of candidates for contact; 0: not one of these
    int strip;           // sides of elements of the first that a strip is as long as
    int gears;           // index of the pair whose drive flanks are meant; -1: slave and master
} StickContactSpec;

typedef enum StickSideKind { STICK_SIDE_ALL, STICK_SIDE_MATERIAL, STICK_SIDE_TARGET } StickSideKind;

// Which bodies and obstacles a rule is for.
typedef struct StickSideSpec {
    StickMark mark;
    StickSideKind kind;
    int material;
    StickTarget target; // without a group
} StickSideSpec;

// Contact of rigid bodies with each other and with obstacles. Of several rules for a pair the most specific one holds
// (stick_model_rule).
typedef struct StickRuleSpec {
    StickMark mark;
    StickSideSpec side[2];
    StickLawSpec law;
} StickRuleSpec;

typedef enum StickJointKind {
    STICK_JOINT_PIN,      // point common; in space the axis, too
    STICK_JOINT_SLIDER,   // moves along the axis only, without turning
    STICK_JOINT_FIXED,    // one body
    STICK_JOINT_BALL,     // point common (in the plane that is a pin)
    STICK_JOINT_DISTANCE, // of point and other: length
    STICK_JOINT_GEAR,     // angular velocity of b = ratio times that of a, about the axis
    STICK_JOINT_MOTOR,    // turn or shift of a against b about or along the axis: prescribed
    STICK_JOINT_SPRING,   // from point to other: stiffness (l - length) + damping dl/dt
} StickJointKind;

// A joint between two bodies, or of a body with an obstacle or with space. Places are those at the start.
typedef struct StickJointSpec {
    char *name; // joint1, joint2 ... unless given; of a `repeat` with its indices
    StickMark mark;
    StickRepeat repeat;
    StickJointKind kind;
    int body;                      // a, rigid
    int other_body;                // b, rigid; or -1
    int other_obstacle;            // b; or -1: if both are -1, b is space
    bool has_point;                // slider: otherwise the mass centre of a
    double point[3];               // pin, slider, ball; distance, spring: on a
    double other_point[3];         // distance, spring: place on b
    bool has_axis;                 // in the plane needless but for slider and sliding motors
    double axis[3];                // length 1, by its direction at the start
    double ratio;                  // gear
    bool slides;                   // motor: shift along the axis, not turn about it
    StickExpression *motion;       // motor: angle or shift since the start, sees t; or ...
    StickExpression *motion_speed; // ... angular velocity or velocity
    double length;                 // distance, spring: natural length; -1: that of the start
    double stiffness, damping;     // spring
    bool collides;                 // the bodies that it holds touch each other
} StickJointSpec;

typedef enum StickSchemeKind {
    STICK_SCHEME_THETA,
    STICK_SCHEME_THETA_EULER,
    STICK_SCHEME_MODIFIED_THETA,
    STICK_SCHEME_NEWMARK,
    STICK_SCHEME_MOREAU, // contacts at q_I + h/2 u_I, law on u_F; the only one for rigid bodies
} StickSchemeKind;

// Bodies that are in each other at the start.
typedef enum StickStartOverlap {
    STICK_OVERLAP_REFUSE,
    STICK_OVERLAP_SEPARATE, // push apart
    STICK_OVERLAP_ACCEPT,
} StickStartOverlap;

typedef enum StickStepKind {
    STICK_STEP_DYNAMICS,
    STICK_STEP_QUASISTATIC,
    STICK_STEP_STABILITY,  // judges what an earlier step has left; the state stays
    STICK_STEP_SLIDING,    // states of steady sliding, each found directly
    STICK_STEP_TRAJECTORY, // positions on an ideal motion, each a problem of its own
} StickStepKind;

typedef enum StickFollow {
    STICK_FOLLOW_INCREMENTS,
    STICK_FOLLOW_EVENTS, // every change of status where it is
} StickFollow;

typedef enum StickJudged {
    STICK_JUDGE_STATUSES, // of the path, each as long as nothing changes
    STICK_JUDGE_END,
    STICK_JUDGE_TIMES,
} StickJudged;

// Mass matrix of modes.
typedef enum StickMass {
    STICK_MASS_MODEL,      // as every body has it
    STICK_MASS_CONSISTENT, // of the elements' own shape functions, also where a body is lumped
    STICK_MASS_LUMPED,     // diagonal, as of bodies that have it so
    STICK_MASS_UNIT,       // none: M* is the unit matrix, for what depends on the stiffness alone
} StickMass;

// A parameter that a stability step varies: the model is understood anew for each of its values.
typedef struct StickVarySpec {
    char *parameter; // NULL: none
    int count;
    double *value; // ascending or descending
} StickVarySpec;

// Stability of the states of a path.
typedef struct StickStabilitySpec {
    int of; // index of the quasistatic step
    char *of_name;
    StickMark of_mark;
    StickJudged at;
    int ntimes;
    double *times;
    int modes;              // that are listed; 0: all that are found
    double lowest, highest; // frequencies of the window in which modes are looked for; 0, 0: all
    StickMass mass;
    double alpha, beta; // C += alpha M + beta K
    bool no_slope;      // friction is taken as constant in the disturbance
    int shapes;         // modes whose shapes are written, at most
    StickVarySpec vary; // then the end of the path is judged
    bool family;        // vary is that of the steady sliding that is judged, state by state
    bool no_locate;     // what happens between two values is not located
} StickStabilitySpec;

// A small disturbance of a judged state, from which a dynamic step starts; its growth is compared with the prediction.
typedef struct StickPerturbSpec {
    bool given;
    StickMark mark;
    char *of_name;
    StickMark of_mark;
    int of;           // index of the stability step
    int mode;         // number of the mode that is followed; 0: the one that grows most
    double amplitude; // largest displacement of that mode at the start; 0: it is not what disturbs
    double random;    // largest displacement of a random disturbance; 0: none
    int seed;         // of it
    bool rounding;    // nothing is added
} StickPerturbSpec;

// How friction enters a state of steady sliding.
typedef enum StickSteadyMethod {
    STICK_STEADY_NEWTON,      // r_T = -mu r_N in the linearised problem
    STICK_STEADY_FIXED_POINT, // r_T of the iterate before  [RBV02 (85)]
} StickSteadyMethod;

// A moment against the ideal motion of a gear.
typedef struct StickTorqueSpec {
    int body;
    StickExpression *value; // sees t
} StickTorqueSpec;

// Positions of an ideal motion, each an equilibrium of its own.
typedef struct StickTrajectorySpec {
    StickMark mark;
    bool by_tooth;   // t counts cycles of a tooth of the model's gears
    double from, to; // of t; by tooth the last position lies before `to`, else at it
    int positions;
    bool actual; // pairs are those of the places that frames are found at, not of the ideal ones
    int ntorques;
    StickTorqueSpec *torque;
} StickTrajectorySpec;

// The state of a family of steady sliding that a dynamic step starts from; it keeps the friction of that state.
typedef struct StickFromSpec {
    bool given;
    StickMark mark;
    char *step_name;
    StickMark step_mark;
    int step;        // index of the step
    char *parameter; // NULL: that step varies none
    double value;
} StickFromSpec;

typedef struct StickStepSpec {
    char *name;
    StickMark mark;
    StickStepKind kind;
    StickSchemeKind scheme;       // dynamics
    double theta;                 // theta schemes
    double beta, gamma;           // Newmark
    StickExpression *dissipation; // delta of moreau, sees t: of the step, or of the contacts; NULL: 1
    StickStartOverlap overlap;
    int increments; // quasistatics
    StickFollow follow;
    double step, end;      // quasistatics: step is the length of an increment
    char *solver;          // name of a solver; NULL: the default one
    double tolerance;      // of the certificate
    int iterations;        // most iterations or pivots; 0: the solver's own limit
    int facets;            // of a faceted cone in 3D
    int threads;           // 0: one. Not of the file: results do not depend on it
    StickMark solver_mark; // where the solver is named; line 0 where it is not
    bool has_fields;       // field files come ...
    int fields_every;   // ... after so many time steps or increments, instead of those of the output; 0: none
    bool has_friction;  // all contacts have ...
    double friction;    // ... this, instead of their own
    StickVarySpec vary; // steady sliding: a parameter of friction, one state for each of its values
    StickSteadyMethod method;
    StickFromSpec from; // dynamics
    StickStabilitySpec stability;
    StickPerturbSpec perturb; // dynamics
    StickTrajectorySpec trajectory;
} StickStepSpec;

// A value that is followed in time: one column of a table, or one per node with each.
typedef struct StickHistorySpec {
    char *name;
    StickMark mark;
    StickTarget of;
    StickTarget to;         // distance: between of and this
    int joint;              // of results of joints, index; then of names nothing; -1: none
    int gears;              // the same of pairs of gears
    char *what;             // name of a StickResult
    int component;          // as in model/result.h; -1: none given
    bool each;              // a column for each node
    StickExpression *exact; // sees t; NULL: none
    int only_step;          // number of the step, from 1, in which alone it is recorded; 0: in all
    bool has_at;            // of a group the node alone that is nearest ...
    double at[3];           // ... to this place, at rest
    bool portrait;          // columns of all displacements and velocities instead
} StickHistorySpec;

// Whether it has one column beside time, and the exact one.
static inline bool stick_history_is_single(const StickHistorySpec *history)
{
    return !history->each && !history->portrait;
}

// Weights of the values of a signal before its spectrum is taken.
typedef enum StickWindow { STICK_WINDOW_HANN, STICK_WINDOW_NONE } StickWindow;

typedef enum StickWavFormat { STICK_WAV_PCM16, STICK_WAV_FLOAT } StickWavFormat;

typedef struct StickSoundSpec {
    char *file; // name in the result folder; NULL: the signal is not heard
    int rate;   // samples per second
    StickWavFormat format;
    double seconds;  // at least so long, by repeating what is saturated; 0: as it is
    double slow;     // times slower
    double level;    // of full scale that the largest sample has, ...
    double gain;     // ... or full scale per unit of the signal; 0: by level
    double per_unit; // seconds per unit of time
} StickSoundSpec;

// A value in every time step of one dynamic step, whose motion is told: spectrum, limit cycle, sound.
typedef struct StickSignalSpec {
    StickHistorySpec value; // comes first: read as a history
    int step;               // index of the step
    char *step_name;        // NULL: the last dynamic one
    StickMark step_mark;
    double from, to; // window of time; infinite: it is found
    StickWindow window;
    StickSoundSpec sound;
} StickSignalSpec;

// Velocity over displacement of a group, in every time step of one dynamic step.
typedef struct StickPortraitSpec {
    StickHistorySpec value; // comes first
    int step;
    char *step_name;
    StickMark step_mark;
} StickPortraitSpec;

// Contact stresses along a surface, at some times.
typedef struct StickProfileSpec {
    char *name;
    StickMark mark;
    StickTarget of;
    int ntimes;
    double *times; // ascending
} StickProfileSpec;

// A moment that pictures over time point out.
typedef struct StickMomentSpec {
    StickMark mark;
    double t;
    char *text;
} StickMomentSpec;
enum { STICK_MOST_MOMENTS = 16 };

typedef enum StickCheckKind { STICK_CHECK_IS, STICK_CHECK_AT_MOST, STICK_CHECK_AT_LEAST } StickCheckKind;

// A statement that must hold: reduce(series) over a window of time, or a number of the summary.
typedef struct StickCheckSpec {
    StickMark mark;
    char *that;   // the text, as "max(contact_force)" or "energy.closure"
    char *reduce; // "max", "min", "mean", "final", "first", "rms", "std", "integral", "largest"; NULL for a
                  // number of the summary
    char *series; // name of a history or of a column of the program's own tables, or of the number
    StickCheckKind kind;
    double value;
    double within; // absolute tolerance of "is"
    bool windowed;
    double from, to; // window of time; an end that is not given is infinite
    bool at_status;  // of a number of a stability step: at the first status ...
    int status[3];   // ... with so many contacts that stick, slip and are apart
} StickCheckSpec;

// One of several runs: parameters that it overrides, by name and text.
typedef struct StickCaseSpec {
    char *name;
    int nparameters;
    char **parameter;
    char **value;
} StickCaseSpec;

typedef struct StickOutputSpec {
    int fields_every; // steps between field files, where a step has no own number; 0: none
    int nhistories;
    StickHistorySpec *history; // behind those of the list: the values of signals and portraits
    int nspectra;
    StickSignalSpec *spectrum;
    int nsounds;
    StickSignalSpec *sound;
    int nportraits;
    StickPortraitSpec *portrait;
    int nprofiles;
    StickProfileSpec *profile;
    int nmoments;
    StickMomentSpec *moment; // at most STICK_MOST_MOMENTS
} StickOutputSpec;

// A vector that must have as many components as space has dimensions.
typedef struct StickVectorSpec {
    StickMark mark;
    const char *key;
    int components;
} StickVectorSpec;

struct StickYaml;

typedef struct StickModel {
    StickContext *ctx;
    StickArena arena;            // every text and array of the model
    size_t first_said, end_said; // diagnostics of the context that reading it gave
    struct StickYaml *tree;      // the file with its parameters and paths resolved
    bool one_case;               // an override decided on what the cases vary
    int dim;                     // of space, by the built-in meshes; 0 if only mesh files can tell
    size_t nvectors;
    size_t vector_capacity;
    StickVectorSpec *vector;
    char *file; // path as given
    char *title;
    StickUnits units;
    StickExpressions *expressions;
    int nmaterials;
    StickMaterial *material;
    int nbodies; // those of a `repeat` one by one, side by side
    StickBodySpec *body;
    int nrigid; // how many of them are rigid
    int ngears;
    StickGearPairSpec *gears;
    int nobstacles;
    StickObstacleSpec *obstacle;
    int nsupports;
    StickSupportSpec *support;
    int nloads;
    StickLoadSpec *load;
    StickExpression *gravity[3]; // sees t; NULL: none
    int ncontacts;
    StickContactSpec *contact; // between named surfaces
    int nmatings;
    size_t mating_capacity;
    StickContactSpec *mating; // of bodies on trajectories
    int nframes;
    StickFrameSpec *frame;
    int nrules;
    size_t rule_capacity;
    StickRuleSpec *rule;
    int njoints;
    StickJointSpec *joint;
    int nsteps;
    StickStepSpec *step;
    int ncases;
    StickCaseSpec *cases;
    int nchecks;
    StickCheckSpec *check;
    StickOutputSpec output;
} StickModel;

// Reads and checks a model file; all errors are said at once. Nothing is left behind on an error. Values of
// cases are only checked for their form: each case is read again with its values as overrides.
StickStatus stick_model_read(StickContext *ctx, const char *path, const StickOverride *overrides,
                             int noverrides, StickModel **model);
void stick_model_destroy(StickModel *model);

// Whether the motion of a dynamic step is told: it starts with a disturbance, or there is a signal or a portrait of it.
bool stick_step_is_told(const StickModel *model, int step);

// What stands behind a frequency: " Hz" where time is in s, else " 1/ms" and the like.
enum { STICK_FREQUENCY_TEXT = 64 };
void stick_frequency_unit(const StickUnits *units, char text[STICK_FREQUENCY_TEXT]);

// A model that is in memory already.
typedef struct StickModelSource {
    const char *name;   // for messages
    const char *folder; // of the files that it names
    const char *bytes;
    size_t count;
    const StickOverride *overrides;
    int noverrides;
} StickModelSource;
StickStatus stick_model_read_text(StickContext *ctx, const StickModelSource *source, StickModel **model);

// Checks all vectors against the dimension of space, once it is known from a mesh file; with built-in meshes
// it is done at reading.
StickStatus stick_model_check_dim(const StickModel *model, int dim);

// The model as YAML that reads back to the same model from any folder: parameters have their final values (where
// cases or steps vary one, those that depend on it stay expressions), paths of mesh files are absolute, and of a run
// that is one case the list of cases is left out.
StickStatus stick_model_resolved(const StickModel *model, StickText *out);

// The model understood anew with another value of a parameter, which cases or steps vary.
StickStatus stick_model_vary(StickContext *ctx, const StickModel *model, const char *parameter, double value,
                             StickModel **varied);

// The next body that a target means behind `after`, or -1; the first one behind -1.
int stick_target_next(const StickModel *model, const StickTarget *target, int after);

// Index of the rule for a rigid body and another one, or an obstacle (other -1); -1 if they do not touch. Each side of a
// rule counts 0 for all, 1 for a material, 2 for several bodies, 3 for one body or obstacle: the largest sum holds, and
// of equals the first of the file.
int stick_model_rule(const StickModel *model, int body, int other, int obstacle);

// The laws of all contacts, and behind them of all rules.
int stick_model_laws(const StickModel *model);
const StickLawSpec *stick_model_law(const StickModel *model, int k);
StickMark stick_model_law_mark(const StickModel *model, int k);

// The pair of gears of that name, or NULL.
const StickGearPairSpec *stick_model_gears(const StickModel *model, const char *name, size_t length);

// The distance of the centres at which the teeth of a pair fit without backlash; 0 if there is none.
double stick_gears_tight_distance(const StickGearPairSpec *pair);

// Dimension of space of a body's built-in mesh (1, 2, 3), or 0 if only its file can tell.
int stick_mesh_spec_dim(const StickMeshSpec *spec);

#endif
