// SPDX-License-Identifier: Apache-2.0
#include "condense/loose.h"

#include "bodies/rigid_motions.h"

#include <math.h>

enum { MOST_MODES = STICK_RIGID_MOTIONS };

static const double no_pivot = 1e-10; // of the largest: what is left of a row that depends on the others

// Rank of a positive semidefinite matrix, by elimination with the largest diagonal entry first.
static int rank_of(double G[MOST_MODES][MOST_MODES], int n)
{
    double largest = 0;
    bool used[MOST_MODES] = {false};
    for (int rank = 0; rank < n; rank++) {
        int pivot = -1;
        for (int k = 0; k < n; k++)
            if (!used[k] && (pivot < 0 || G[k][k] > G[pivot][pivot]))
                pivot = k;
        largest = fmax(largest, G[pivot][pivot]);
        if (!(G[pivot][pivot] > no_pivot * largest))
            return rank;
        used[pivot] = true;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && !used[i]; j++)
                if (!used[j])
                    G[i][j] -= G[i][pivot] * G[pivot][j] / G[pivot][pivot];
    }
    return n;
}

bool stick_loose(const StickSystem *system, const StickSupports *supports, int b)
{
    const StickBody *body = &system->body[b];
    int count = stick_rigid_motions_count(body);
    double G[MOST_MODES][MOST_MODES];
    stick_rigid_motions_held(body, supports, G);
    return rank_of(G, count) < count;
}
