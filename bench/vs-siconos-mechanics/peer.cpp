// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

// that of mechanics comes first: it says what there is to visit
#include <SiconosBulletCollisionManager.hpp>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NumericsMatrix.h>
#include <RigidBodyDS.hpp>
#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>

using std::make_shared;

namespace
{

// Where the tolerance is not reached by then it hardly ever is; who misses it, and how often, is reported.
enum { MOST_SWEEPS = 1000 };

struct Solver {
    const char *name;
    int id, local; // local: of one contact in a sweep; 0: the default
};

const Solver solvers[] = {
    {"NSGS", SICONOS_FRICTION_3D_NSGS, 0},
    {"NSGS-NSN_GP", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP},
    {"NSGS-PLI", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 0},
    {nullptr, 0, 0},
};

SP::SiconosVector vector_of(std::initializer_list<double> values)
{
    auto vector = make_shared<SiconosVector>(values.size());
    int i = 0;
    for (double value : values)
        (*vector)(i++) = value;
    return vector;
}

SP::SiconosContactorSet contactors_of(SP::SiconosShape shape)
{
    auto set = make_shared<SiconosContactorSet>();
    set->append(make_shared<SiconosContactor>(shape));
    return set;
}

SP::RigidBodyDS make_body(const PeerScene *scene, SP::SiconosShape shape, const double *x)
{
    auto inertia = make_shared<SimpleMatrix>(3, 3);
    inertia->zero();
    for (int k = 0; k < 3; k++)
        (*inertia)(k, k) = scene->inertia[k];
    auto body = make_shared<RigidBodyDS>(vector_of({x[0], x[1], x[2], 1, 0, 0, 0}),
                                         vector_of({0, 0, 0, 0, 0, 0}), scene->mass, inertia);
    body->setUseContactorInertia(false);
    body->setContactors(contactors_of(shape));
    body->setFExtPtr(vector_of({0, 0, -scene->gravity * scene->mass}));
    return body;
}

// The inside margin rounds corners off, and there are no contacts beyond it.
SP::SiconosShape make_shape(const PeerScene *scene)
{
    SP::SiconosShape shape;
    if (scene->radius > 0)
        shape = make_shared<SiconosSphere>(scene->radius);
    else
        shape = make_shared<SiconosBox>(scene->brick[0], scene->brick[1], scene->brick[2]);
    shape->setInsideMargin(scene->radius > 0 ? 0 : 0.02 * scene->brick[2]);
    return shape;
}

// A plane is z = 0 of its own frame: the frames turn z into the box.
void add_planes(SiconosBulletCollisionManager &manager, const PeerScene *scene)
{
    double side = scene->side;
    double s = std::sqrt(0.5);
    const std::array<double, 7> frames[] = {{0, 0, 0, 1, 0, 0, 0},
                                            {0, 0, 0, s, 0, s, 0},
                                            {side, 0, 0, s, 0, -s, 0},
                                            {0, 0, 0, s, -s, 0, 0},
                                            {0, side, 0, s, s, 0, 0}};
    int left = scene->radius > 0 ? 5 : 1;
    for (const auto &f : frames) {
        if (left-- == 0)
            break;
        auto plane = make_shared<SiconosPlane>();
        plane->setInsideMargin(0);
        manager.insertStaticContactorSet(contactors_of(plane),
                                         vector_of({f[0], f[1], f[2], f[3], f[4], f[5], f[6]}));
    }
}

SP::SiconosBulletCollisionManager make_manager(const PeerScene *scene)
{
    SiconosBulletOptions options;
    // spheres touch in one point: there is nothing to look for beside it
    if (scene->radius > 0)
        options.perturbationIterations = options.minimumPointsPerturbationThreshold = 0;
    auto manager = make_shared<SiconosBulletCollisionManager>(options);
    manager->useEqualityConstraints(false);
    manager->insertNonSmoothLaw(make_shared<NewtonImpactFrictionNSL>(0., 0., scene->friction, 3), 0, 0);
    add_planes(*manager, scene);
    return manager;
}

// Instead of a message each time: errors are looked at by the verifier.
void ignore(int, Simulation *)
{
}

SP::SolverOptions make_options(const PeerScene *scene, const Solver &solver)
{
    SP::SolverOptions options(solver_options_create(solver.id), solver_options_delete);
    options->dparam[SICONOS_DPARAM_TOL] = scene->tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = MOST_SWEEPS;
    // by default sweeps are judged by how much r changes, and go on far beyond the tolerance
    if (solver.id == SICONOS_FRICTION_3D_NSGS)
        options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
            SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
    if (solver.local != 0)
        solver_options_update_internal(options.get(), 0, solver.local);
    return options;
}

} // namespace

struct Peer {
    std::vector<SP::RigidBodyDS> body;
    SP::SolverOptions options;
    SP::FrictionContact contact;
    SP::TimeStepping simulation;
    bool is_open = false; // the last step is not closed yet
};

const char *peer_solver(int index)
{
    return solvers[index].name;
}

Peer *peer_create(const PeerScene *scene, int solver)
{
    Peer *peer = new Peer;
    auto system = make_shared<NonSmoothDynamicalSystem>(0., 1e6 * scene->step);
    SP::SiconosShape shape = make_shape(scene);
    for (int i = 0; i < scene->nbodies; i++) {
        peer->body.push_back(make_body(scene, shape, scene->centre + 3 * i));
        system->insertDynamicalSystem(peer->body.back());
    }
    auto scheme = make_shared<MoreauJeanOSI>(0.5);
    scheme->setExplicitNewtonEulerDSOperators(true);
    scheme->setIsWSymmetricDefinitePositive(true);
    peer->options = make_options(scene, solvers[solver]);
    peer->contact = make_shared<FrictionContact>(3, peer->options);
    peer->contact->setMStorageType(NM_SPARSE_BLOCK);
    peer->contact->setKeepLambdaAndYState(true);
    peer->simulation = make_shared<TimeStepping>(system, make_shared<TimeDiscretisation>(0., scene->step));
    peer->simulation->insertIntegrator(scheme);
    peer->simulation->insertNonSmoothProblem(peer->contact);
    peer->simulation->insertInteractionManager(make_manager(scene));
    peer->simulation->setNewtonOptions(SICONOS_TS_LINEAR);
    peer->simulation->setCheckSolverFunction(ignore);
    return peer;
}

void peer_destroy(Peer *peer)
{
    delete peer;
}

// A step is closed when the next one begins: its friction problem is lost by that.
bool peer_step(Peer *peer)
{
    try {
        if (peer->is_open) {
            peer->simulation->clearNSDSChangeLog();
            peer->simulation->nextStep();
        }
        peer->simulation->computeOneStep();
        peer->is_open = true;
        return true;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Siconos: %s\n", e.what());
    } catch (...) {
        std::fprintf(stderr, "Siconos: an exception\n");
    }
    return false;
}

PeerProblem peer_problem(const Peer *peer)
{
    if (peer->contact->getSizeOutput() == 0)
        return {};
    const FrictionContactProblem *problem = peer->contact->frictionContactProblemPtr();
    const SparseBlockStructuredMatrix *M = problem->M->matrix1;
    return {problem->numberOfContacts,
            M->index1_data,
            M->index2_data,
            M->block,
            problem->q,
            peer->contact->z()->getArray(),
            peer->options->iparam[SICONOS_IPARAM_ITER_DONE]};
}

void peer_body(const Peer *peer, int index, double centre[3], double velocity[6])
{
    const RigidBodyDS &body = *peer->body[index];
    for (int k = 0; k < 3; k++)
        centre[k] = (*body.q())(k);
    for (int k = 0; k < 6; k++)
        velocity[k] = (*body.twist())(k);
}
