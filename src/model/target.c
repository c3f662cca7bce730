// SPDX-License-Identifier: Apache-2.0
// Which bodies a target means, and which rule of contact holds for two of them.
#include "model/model.h"

static bool means(const StickTarget *target, const StickBodySpec *body)
{
    for (int k = 0; k < body->repeat.nindices; k++)
        if (!target->any[k] && target->index[k] != body->repeat.index[k])
            return false;
    return true;
}

int stick_target_next(const StickModel *model, const StickTarget *target, int after)
{
    if (target->body < 0)
        return -1;
    int end = target->body + target->nbodies;
    for (int b = after < target->body ? target->body : after + 1; b < end; b++)
        if (target->nbodies == 1 || means(target, &model->body[b]))
            return b;
    return -1;
}

// A body, or an obstacle.
typedef struct Member {
    int body, obstacle;
} Member;

static int material_of(const StickModel *model, Member member)
{
    return member.body >= 0 ? model->body[member.body].material : model->obstacle[member.obstacle].material;
}

// How narrowly a side of a rule means a member; -1: not at all.
static int rank(const StickModel *model, const StickSideSpec *side, Member member)
{
    const StickTarget *target = &side->target;
    switch (side->kind) {
    case STICK_SIDE_ALL:
        return 0;
    case STICK_SIDE_MATERIAL:
        return material_of(model, member) == side->material ? 1 : -1;
    case STICK_SIDE_TARGET:
        if (member.body < 0)
            return target->obstacle == member.obstacle ? 3 : -1;
        if (target->body < 0 || member.body < target->body || member.body >= target->body + target->nbodies)
            return -1;
        return target->nbodies == 1 ? 3 : means(target, &model->body[member.body]) ? 2 : -1;
    }
    return -1;
}

static int rank_of_pair(const StickModel *model, const StickRuleSpec *rule, Member a, Member b)
{
    int best = -1;
    for (int k = 0; k < 2; k++) {
        int first = rank(model, &rule->side[k], a), second = rank(model, &rule->side[1 - k], b);
        if (first >= 0 && second >= 0 && first + second > best)
            best = first + second;
    }
    return best;
}

int stick_model_rule(const StickModel *model, int body, int other, int obstacle)
{
    int best = -1, found = -1;
    for (int k = 0; k < model->nrules; k++) {
        int narrow = rank_of_pair(model, &model->rule[k], (Member){body, -1},
                                  other >= 0 ? (Member){other, -1} : (Member){-1, obstacle});
        if (narrow > best) {
            best = narrow;
            found = k;
        }
    }
    return found;
}
