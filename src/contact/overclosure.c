// SPDX-License-Identifier: Apache-2.0
#include "contact/overclosure.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct StickRigidOverclosure Rigid;

bool stick_overclosures_are_resolved(const StickModel *model)
{
    bool any = false;
    for (int i = 0; i < model->ncontacts; i++)
        any = any || model->contact[i].overclosure == STICK_OVERCLOSURE_RESOLVE;
    for (int i = 0; i < model->nrules; i++)
        any = any || model->rule[i].overclosure == STICK_OVERCLOSURE_RESOLVE;
    return any;
}

static bool is_resolved(const StickModel *model, const StickContact *contact)
{
    StickOverclosure overclosure = contact->pair >= 0   ? model->contact[contact->pair].overclosure
                                   : contact->rule >= 0 ? model->rule[contact->rule].overclosure
                                                        : STICK_OVERCLOSURE_DEFAULT;
    return overclosure == STICK_OVERCLOSURE_RESOLVE;
}

static int compare_bodies(const void *left, const void *right)
{
    const Rigid *x = left, *y = right;
    int order = (x->a > y->a) - (x->a < y->a);
    return order ? order : (x->b > y->b) - (x->b < y->b);
}

static Rigid bodies_of(const StickContact *contact)
{
    return (Rigid){contact->body[0], contact->body[1] >= 0 ? contact->body[1] : -1 - contact->obstacle,
                   contact->gap};
}

static size_t place_of(const StickOverclosures *made, const StickContact *contact, int feature)
{
    int features = (made->first[contact->pair + 1] - made->first[contact->pair]) / STICK_LAYERS;
    return (size_t)made->first[contact->pair] + (size_t)contact->layer * (size_t)features + (size_t)feature;
}

// Corners and edges of the counterface that were opposite to a node, or cross an edge only now, have the depth of the
// nearest node.
static double depth_of(const StickOverclosures *made, const StickContact *contact)
{
    double depth = made->depth[place_of(made, contact, contact->feature)];
    return depth < 0 ? depth : made->depth[place_of(made, contact, contact->node)];
}

static StickStatus fill(StickContext *ctx, const StickModel *model, const StickPairs *pairs,
                        const StickContactSet *set, StickOverclosures *made)
{
    int count = 0;
    STICK_ALLOC(ctx, made->first, model->ncontacts + 1);
    for (int i = 0; i < model->ncontacts; i++) {
        made->first[i] = count;
        count += STICK_LAYERS * stick_pairs_features(pairs, i);
    }
    made->first[model->ncontacts] = count;
    STICK_ALLOC(ctx, made->depth, count);
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (!is_resolved(model, contact) || !(contact->gap < 0))
            continue;
        made->any = true;
        made->deepest = fmin(made->deepest, contact->gap);
        if (contact->pair >= 0) {
            double *depth = &made->depth[place_of(made, contact, contact->feature)];
            *depth = fmin(*depth, contact->gap);
            continue;
        }
        STICK_RESERVE(ctx, made->rigid, made->rigid_capacity, (size_t)made->nrigid + 1);
        made->rigid[made->nrigid++] = bodies_of(contact);
    }
    // of the points of two bodies the deepest one
    int kept = 0;
    if (made->nrigid > 0)
        qsort(made->rigid, (size_t)made->nrigid, sizeof *made->rigid, compare_bodies);
    for (int k = 0; k < made->nrigid; k++) {
        Rigid *last = kept > 0 ? &made->rigid[kept - 1] : NULL;
        if (last && compare_bodies(last, &made->rigid[k]) == 0)
            last->depth = fmin(last->depth, made->rigid[k].depth);
        else
            made->rigid[kept++] = made->rigid[k];
    }
    made->nrigid = kept;
    return STICK_OK;
}

StickStatus stick_overclosures_create(StickContext *ctx, const StickModel *model, const StickPairs *pairs,
                                      const StickContactSet *set, double end, StickOverclosures *made)
{
    *made = (StickOverclosures){.end = end};
    StickStatus status = fill(ctx, model, pairs, set, made);
    if (status != STICK_OK || !made->any)
        stick_overclosures_destroy(ctx, made);
    return status;
}

void stick_overclosures_destroy(StickContext *ctx, StickOverclosures *overclosures)
{
    stick_free(ctx, overclosures->first);
    stick_free(ctx, overclosures->depth);
    stick_free(ctx, overclosures->rigid);
    *overclosures = (StickOverclosures){0};
}

static double share_at(const StickOverclosures *overclosures, double t)
{
    return t < overclosures->end ? fmin(1, 1 - t / overclosures->end) : 0;
}

void stick_overclosures_apply(const StickOverclosures *overclosures, double t, double h, StickContactSet *set)
{
    if (!overclosures->any)
        return;
    double now = share_at(overclosures, t), rate = h != 0 ? (share_at(overclosures, t + h) - now) / h : 0;
    int kept = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact contact = set->contact[c];
        double depth = 0;
        if (contact.pair >= 0)
            depth = depth_of(overclosures, &contact);
        else if (overclosures->nrigid > 0) {
            Rigid key = bodies_of(&contact);
            const Rigid *found =
                bsearch(&key, overclosures->rigid, (size_t)overclosures->nrigid, sizeof key, compare_bodies);
            depth = found ? found->depth : 0;
        }
        bool touched = contact.gap <= 0;
        contact.gap -= now * depth;
        contact.u_drive[0] -= rate * depth;
        // of rigid bodies those are listed that touch
        if (contact.pair < 0 && depth < 0 && touched && contact.gap > -1e-9 * overclosures->deepest)
            continue;
        set->contact[kept++] = contact;
    }
    set->ncontacts = kept;
}

double stick_overclosures_speed(const StickOverclosures *overclosures, double t, double h)
{
    if (!overclosures->any || h == 0)
        return 0;
    return fabs((share_at(overclosures, t + h) - share_at(overclosures, t)) / h * overclosures->deepest);
}
