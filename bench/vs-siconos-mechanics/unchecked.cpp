// SPDX-License-Identifier: Apache-2.0
// Debian builds Siconos with assertions. Three of them walk over the whole graph each time that a contact comes or
// goes; here they cost nothing. The library finds these functions before its own.
#undef NDEBUG
#include <SiconosBulletCollisionManager.hpp>

#include <SiconosKernel.hpp>

using BodyGraph = SiconosGraph<SP::DynamicalSystem, SP::Interaction, DynamicalSystemProperties,
                               InteractionProperties, GraphProperties>;
using ContactGraph = SiconosGraph<SP::Interaction, SP::DynamicalSystem, InteractionProperties,
                                  DynamicalSystemProperties, GraphProperties>;

template <> bool BodyGraph::state_assert() const
{
    return true;
}

template <> bool ContactGraph::state_assert() const
{
    return true;
}

template <> bool BodyGraph::adjacent_vertices_ok() const
{
    return true;
}

template <> bool ContactGraph::adjacent_vertices_ok() const
{
    return true;
}

template <> bool BodyGraph::adjacent_vertex_exists(const VDescriptor &vertex) const
{
    return boost::out_degree(vertex, g) > 0;
}

template <> bool ContactGraph::adjacent_vertex_exists(const VDescriptor &vertex) const
{
    return boost::out_degree(vertex, g) > 0;
}
