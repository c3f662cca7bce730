// SPDX-License-Identifier: Apache-2.0
#include "linalg/block_lu_plan.h"

#include "base/memory.h"
#include "linalg/dense_kernels.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

// Scalar columns of a supernode; zeros accepted to widen one, in its own numbers and in all.
enum { MOST_COLUMNS = 96, AMD_ARRAYS = 8 };
static const double zeros_of_one = 0.12, zeros_of_all = 0.15;

// Operations from which an elimination tree is cut into parts, and the largest share of a subtree in them.
static const double least_flops = 2e6, most_share = 0.1;

void stick_block_plan_destroy(StickBlockPlan *plan)
{
    stick_free(plan->ctx, plan->pattern_ints);
    stick_free(plan->ctx, plan->pair);
    stick_free(plan->ctx, plan->row_ints);
    stick_free(plan->ctx, plan->supernode);
    *plan = (StickBlockPlan){.ctx = plan->ctx};
}

int stick_block_plan_most_width(const StickBlockPlan *plan)
{
    return MOST_COLUMNS / plan->d;
}

int stick_block_plan_lead(const StickBlockPlan *plan, const StickSupernode *s)
{
    return stick_kernel_padded(s->nrows * plan->d);
}

size_t stick_block_plan_room(const StickBlockPlan *plan)
{
    double size = plan->d * plan->d, blocks = 2 * plan->fill + plan->zeros;
    return (size_t)(blocks * size) + 2 * STICK_KERNEL_PAD * (size_t)(plan->n * plan->d + 1);
}

// ---- the whole pattern

static bool same_pattern(const StickBlockPlan *plan, int n, const int *start, const int *col, int d)
{
    return plan->n == n && plan->d == d && n > 0 &&
           memcmp(plan->start, start, (size_t)(n + 1) * sizeof *start) == 0 &&
           memcmp(plan->col, col, (size_t)start[n] * sizeof *col) == 0;
}

static int *carve(int **room, size_t count)
{
    int *part = *room;
    *room += count;
    return part;
}

static StickStatus reserve_pattern(StickBlockPlan *plan, int n, int nblocks)
{
    size_t rows = (size_t)n + 1, need = (16 + AMD_ARRAYS) * rows + 4 * (size_t)nblocks;
    STICK_CHECK(plan->ctx, need < INT_MAX, STICK_BAD_INPUT, "a block matrix of %d rows is too large", n);
    STICK_RESERVE(plan->ctx, plan->pattern_ints, plan->pattern_room, need);
    STICK_RESERVE(plan->ctx, plan->pair, plan->pair_room, 2 * (size_t)nblocks);
    STICK_RESERVE(plan->ctx, plan->supernode, plan->supernode_room, n);
    int *room = plan->pattern_ints;
    plan->start = carve(&room, rows);
    plan->order = carve(&room, rows);
    plan->place = carve(&room, rows);
    plan->pair_start = carve(&room, rows);
    plan->diagonal = carve(&room, rows);
    plan->active = carve(&room, rows);
    plan->local = carve(&room, rows);
    plan->supernode_of = carve(&room, rows);
    plan->by_part = carve(&room, rows);
    plan->top = carve(&room, rows);
    plan->mark = carve(&room, rows);
    plan->head = carve(&room, rows);
    plan->next = carve(&room, rows);
    plan->col = carve(&room, (size_t)nblocks);
    plan->buffer = room;
    return STICK_OK;
}

// Pairs of all rows, the place of j not yet in the elimination order: a row of the pattern, then what only
// its transpose has.
static void find_pairs(StickBlockPlan *plan)
{
    int n = plan->n, *fill = plan->next, *seen = plan->mark;
    memset(plan->pair_start, 0, (size_t)(n + 1) * sizeof *plan->pair_start);
    for (int i = 0; i < n; i++)
        for (int k = plan->start[i]; k < plan->start[i + 1]; k++)
            if (plan->col[k] != i) {
                plan->pair_start[i + 1]++;
                plan->pair_start[plan->col[k] + 1]++;
            }
    for (int i = 0; i < n; i++) {
        plan->pair_start[i + 1] += plan->pair_start[i];
        fill[i] = plan->pair_start[i];
    }
    for (int i = 0; i < n; i++)
        for (int k = plan->start[i]; k < plan->start[i + 1]; k++) {
            int j = plan->col[k];
            if (j == i) {
                plan->diagonal[i] = k;
                continue;
            }
            plan->pair[fill[i]++] = (StickBlockPair){j, k, -1};
            plan->pair[fill[j]++] = (StickBlockPair){i, -1, k};
        }
    memset(seen, -1, (size_t)n * sizeof *seen);
}

// Joins the two halves of each pair and closes the gaps; pair_start and the number of pairs shrink.
static void join_pairs(StickBlockPlan *plan)
{
    int top = 0, *seen = plan->mark;
    for (int i = 0; i < plan->n; i++) {
        int first = top, end = plan->pair_start[i + 1], begin = plan->pair_start[i];
        plan->pair_start[i] = first;
        for (int k = begin; k < end; k++) {
            StickBlockPair pair = plan->pair[k];
            int at = seen[pair.node];
            if (at < first) {
                seen[pair.node] = top;
                plan->pair[top++] = pair;
            } else if (pair.right >= 0) {
                plan->pair[at].right = pair.right;
            } else {
                plan->pair[at].below = pair.below;
            }
        }
    }
    plan->pair_start[plan->n] = top;
}

// amd_2 works in our buffer: the neighbours of all rows, then its work space.
static void find_order(StickBlockPlan *plan)
{
    int n = plan->n, npairs = plan->pair_start[n], *room = plan->buffer;
    if (n == 0)
        return;
    int *part[AMD_ARRAYS];
    for (int k = 0; k < AMD_ARRAYS; k++)
        part[k] = carve(&room, (size_t)n);
    int *begin = part[0], *length = part[1], most = npairs + npairs / 5 + n;
    for (int i = 0; i < n; i++) {
        begin[i] = plan->pair_start[i];
        length[i] = plan->pair_start[i + 1] - plan->pair_start[i];
    }
    for (int k = 0; k < npairs; k++)
        room[k] = plan->pair[k].node;
    double info[AMD_INFO], control[AMD_CONTROL];
    amd_defaults(control);
    amd_2(n, begin, room, length, most, npairs, part[2], part[3], plan->order, part[4], part[5], part[6],
          part[7], control, info);
    for (int p = 0; p < n; p++)
        plan->place[plan->order[p]] = p;
    for (int k = 0; k < npairs; k++)
        plan->pair[k].node = plan->place[plan->pair[k].node];
}

// Blocks in each column of L, by walks up the elimination tree from the entries of each row.
static void count_fill(StickBlockPlan *plan)
{
    int n = plan->n, *parent = plan->head, *count = plan->next;
    double cube = (double)plan->d * plan->d * plan->d;
    memset(parent, -1, (size_t)n * sizeof *parent);
    memset(count, 0, (size_t)n * sizeof *count);
    memset(plan->mark, -1, (size_t)n * sizeof *plan->mark);
    for (int p = 0; p < n; p++) {
        int i = plan->order[p];
        plan->mark[p] = p;
        for (int k = plan->pair_start[i]; k < plan->pair_start[i + 1]; k++)
            for (int q = plan->pair[k].node; q < p && plan->mark[q] != p; q = parent[q]) {
                if (parent[q] < 0)
                    parent[q] = p;
                count[q]++;
                plan->mark[q] = p;
            }
    }
    plan->fill = plan->flops = plan->most_rows = 0;
    for (int p = 0; p < n; p++) {
        double below = count[p];
        plan->fill += below + 1;
        plan->flops += cube * (2 * below * below + 2 * below + 2.0 / 3);
        plan->most_rows = count[p] > plan->most_rows ? count[p] : plan->most_rows;
    }
    plan->zeros = zeros_of_all * 2 * plan->fill;
}

static StickStatus reserve_rows(StickBlockPlan *plan)
{
    STICK_CHECK(plan->ctx, plan->fill < INT_MAX / 2, STICK_NO_MEMORY,
                "the factors of a block matrix of %d rows would take %g blocks", plan->n, 2 * plan->fill);
    STICK_RESERVE(plan->ctx, plan->row_ints, plan->row_room, 2 * (size_t)plan->fill);
    plan->row = plan->row_ints;
    plan->buffer = plan->row_ints + (size_t)plan->fill;
    return STICK_OK;
}

StickStatus stick_block_plan_analyse(StickBlockPlan *plan, int n, const int *start, const int *col, int d)
{
    if (same_pattern(plan, n, start, col, d))
        return STICK_OK;
    plan->n = 0;
    STICK_TRY(reserve_pattern(plan, n, start[n]));
    plan->d = d;
    plan->nactive = -1;
    memcpy(plan->start, start, (size_t)(n + 1) * sizeof *start);
    memcpy(plan->col, col, (size_t)start[n] * sizeof *col);
    plan->n = n;
    find_pairs(plan);
    join_pairs(plan);
    find_order(plan);
    count_fill(plan);
    if (plan->most_numbers > 0 && (double)stick_block_plan_room(plan) > plan->most_numbers) {
        plan->n = 0;
        plan->flops = INFINITY;
        return STICK_OK;
    }
    StickStatus status = reserve_rows(plan);
    plan->n = status == STICK_OK ? n : 0;
    return status;
}

// ---- supernodes of the active rows

static bool same_active(const StickBlockPlan *plan, const int *active, int nactive)
{
    if (plan->nactive != nactive)
        return false;
    for (int k = 0; k < nactive && nactive < plan->n; k++)
        if (plan->local[plan->place[active[k]]] < 0)
            return false;
    return true;
}

static void number_active(StickBlockPlan *plan, const int *active, int nactive)
{
    for (int p = 0; p < plan->n; p++)
        plan->local[p] = active ? -1 : 0;
    for (int k = 0; k < nactive && active; k++)
        plan->local[plan->place[active[k]]] = 0;
    plan->nactive = 0;
    for (int p = 0; p < plan->n; p++)
        if (plan->local[p] == 0) {
            plan->local[p] = plan->nactive;
            plan->active[plan->nactive++] = p;
        }
}

// The supernode that still grows: its columns so far end with the one before j.
typedef struct Growing {
    StickSupernode node;
    double zeros, zeros_of_all; // blocks of zeros that it and all together hold
} Growing;

// Puts row i into the list that ends at top, unless the growing supernode has it.
static int add_row(StickBlockPlan *plan, int i, int top)
{
    if (plan->mark[i] != plan->nsupernodes) {
        plan->mark[i] = plan->nsupernodes;
        plan->row[top++] = i;
    }
    return top;
}

// Rows of column j below the diagonal: those of A and those of the supernodes whose first row is j.
static int add_column(StickBlockPlan *plan, int j, int top)
{
    int i = plan->order[plan->active[j]];
    for (int k = plan->pair_start[i]; k < plan->pair_start[i + 1]; k++)
        if (plan->local[plan->pair[k].node] > j)
            top = add_row(plan, plan->local[plan->pair[k].node], top);
    for (int s = plan->head[j]; s >= 0; s = plan->next[s]) {
        const StickSupernode *child = &plan->supernode[s];
        for (int k = child->rows; k < child->rows + child->nrows; k++)
            if (plan->row[k] > j)
                top = add_row(plan, plan->row[k], top);
    }
    return top;
}

static int first_row(const StickBlockPlan *plan, const StickSupernode *node)
{
    int least = INT_MAX;
    for (int k = node->rows; k < node->rows + node->nrows; k++)
        least = plan->row[k] < least ? plan->row[k] : least;
    return least;
}

// Ends the growing supernode; if it is not a child of the present column, its parent will find it.
static void close_supernode(StickBlockPlan *plan, const Growing *grown, int parent, int j)
{
    int s = plan->nsupernodes++;
    plan->supernode[s] = grown->node;
    if (parent == INT_MAX || parent == j)
        return;
    plan->next[s] = plan->head[parent];
    plan->head[parent] = s;
}

static void remove_row(StickBlockPlan *plan, StickSupernode *node, int j)
{
    int k = node->rows;
    while (plan->row[k] != j)
        k++;
    plan->row[k] = plan->row[node->rows + --node->nrows];
}

// Column j joins its child if the rows that only j has (added) cause few zeros.
static bool may_join(const StickBlockPlan *plan, const Growing *grown, int added)
{
    double width = grown->node.width, zeros = 2 * width * added;
    double size = (width + 1) * (width + 1 + 2 * (grown->node.nrows - 1 + added));
    return grown->node.width < stick_block_plan_most_width(plan) &&
           grown->zeros + zeros <= zeros_of_one * size && grown->zeros_of_all + zeros <= plan->zeros;
}

static void start_supernode(StickBlockPlan *plan, Growing *grown, int j, int rows, int top)
{
    grown->node = (StickSupernode){.first = j, .width = 1, .rows = rows, .nrows = top - rows};
    grown->zeros = 0;
    for (int k = rows; k < top; k++)
        plan->mark[plan->row[k]] = plan->nsupernodes;
}

// Column j after the growing supernode whose parent it is: [rows of the supernode][rows that only j has].
static void grow_parent(StickBlockPlan *plan, Growing *grown, int j)
{
    StickSupernode *node = &grown->node;
    int end = node->rows + node->nrows, top = add_column(plan, j, end), added = top - end;
    if (may_join(plan, grown, added)) {
        double zeros = 2.0 * node->width * added;
        node->nrows += added;
        remove_row(plan, node, j);
        node->width++;
        grown->zeros += zeros;
        grown->zeros_of_all += zeros;
        return;
    }
    for (int k = node->rows; k < end; k++)
        if (plan->row[k] != j)
            plan->row[top++] = plan->row[k];
    close_supernode(plan, grown, j, j);
    start_supernode(plan, grown, j, end, top);
}

static void find_supernodes(StickBlockPlan *plan)
{
    Growing grown = {0};
    memset(plan->mark, -1, (size_t)plan->n * sizeof *plan->mark);
    memset(plan->head, -1, (size_t)plan->n * sizeof *plan->head);
    plan->nsupernodes = 0;
    for (int j = 0; j < plan->nactive; j++) {
        int parent = first_row(plan, &grown.node);
        if (parent == j) {
            grow_parent(plan, &grown, j);
            continue;
        }
        if (j > 0)
            close_supernode(plan, &grown, parent, j);
        int rows = grown.node.rows + grown.node.nrows;
        start_supernode(plan, &grown, j, rows, add_column(plan, j, rows));
    }
    if (plan->nactive > 0)
        close_supernode(plan, &grown, INT_MAX, 0);
}

// Rows ascending in every supernode, by transposing the lists twice.
static void sort_rows(StickBlockPlan *plan)
{
    int *count = plan->head, *filled = plan->next;
    memset(count, 0, (size_t)(plan->nactive + 1) * sizeof *count);
    for (int s = 0; s < plan->nsupernodes; s++) {
        filled[s] = 0;
        for (int k = 0; k < plan->supernode[s].nrows; k++)
            count[plan->row[plan->supernode[s].rows + k] + 1]++;
    }
    for (int i = 0; i < plan->nactive; i++)
        count[i + 1] += count[i];
    for (int s = 0; s < plan->nsupernodes; s++)
        for (int k = 0; k < plan->supernode[s].nrows; k++)
            plan->buffer[count[plan->row[plan->supernode[s].rows + k]]++] = s;
    for (int i = 0, k = 0; i < plan->nactive; i++)
        for (; k < count[i]; k++) {
            int s = plan->buffer[k];
            plan->row[plan->supernode[s].rows + filled[s]++] = i;
        }
}

static void place_values(StickBlockPlan *plan)
{
    size_t value = 0;
    plan->active_flops = 0;
    for (int s = 0; s < plan->nsupernodes; s++) {
        StickSupernode *node = &plan->supernode[s];
        double w = node->width * plan->d, m = node->nrows * plan->d;
        size_t columns = (size_t)(node->width * plan->d);
        node->value = value;
        value += columns * (columns + 2 * (size_t)stick_block_plan_lead(plan, node));
        node->flops = w * w * w * 2 / 3 + 2 * w * w * m + 2 * w * m * m;
        plan->active_flops += node->flops;
        for (int j = 0; j < node->width; j++)
            plan->supernode_of[node->first + j] = s;
    }
}

// ---- parts of the elimination tree

bool stick_block_plan_has_parts(const StickBlockPlan *plan)
{
    return plan->flops >= least_flops;
}

static int parent_of(const StickBlockPlan *plan, const StickSupernode *node)
{
    return node->nrows > 0 ? plan->supernode_of[plan->row[node->rows]] : -1;
}

// Every subtree that is not too large goes to the part with the least operations so far.
static void choose_parts(StickBlockPlan *plan, double flops[STICK_BLOCK_PARTS])
{
    bool is_cut = stick_block_plan_has_parts(plan) && plan->active_flops >= least_flops;
    double most = is_cut ? most_share * plan->active_flops : 0;
    for (int s = plan->nsupernodes - 1; s >= 0; s--) {
        StickSupernode *node = &plan->supernode[s];
        int parent = parent_of(plan, node), least = 0;
        if (node->flops > most) {
            node->part = STICK_BLOCK_PARTS;
            continue;
        }
        if (parent >= 0 && plan->supernode[parent].part < STICK_BLOCK_PARTS) {
            node->part = plan->supernode[parent].part;
            continue;
        }
        for (int part = 1; part < STICK_BLOCK_PARTS; part++)
            least = flops[part] < flops[least] ? part : least;
        node->part = least;
        flops[least] += node->flops;
    }
}

// Numbers parts by falling cost, so that threads which take them one after the other end together.
static void sort_parts(StickBlockPlan *plan, const double flops[STICK_BLOCK_PARTS])
{
    int number[STICK_BLOCK_PARTS + 1];
    plan->nparts = 0;
    for (int part = 0; part < STICK_BLOCK_PARTS; part++) {
        number[part] = 0;
        for (int other = 0; other < STICK_BLOCK_PARTS; other++)
            number[part] += flops[other] > flops[part] || (flops[other] == flops[part] && other < part);
        plan->nparts += flops[part] > 0;
    }
    number[STICK_BLOCK_PARTS] = plan->nparts;
    for (int s = 0; s < plan->nsupernodes; s++)
        plan->supernode[s].part = number[plan->supernode[s].part];
}

// Supernodes by their parts, the rows of each that are in its own part, and numbers of rows of the top.
static void list_parts(StickBlockPlan *plan)
{
    int *first = plan->first_of_part;
    memset(first, 0, sizeof plan->first_of_part);
    plan->ntop = 0;
    for (int s = 0; s < plan->nsupernodes; s++) {
        StickSupernode *node = &plan->supernode[s];
        first[node->part + 1]++;
        for (int j = 0; j < node->width && node->part == plan->nparts; j++)
            plan->top[node->first + j] = plan->ntop++;
        for (node->inner = 0; node->inner < node->nrows; node->inner++)
            if (plan->supernode[plan->supernode_of[plan->row[node->rows + node->inner]]].part != node->part)
                break;
    }
    for (int part = 0; part <= plan->nparts; part++)
        first[part + 1] += first[part];
    for (int s = 0; s < plan->nsupernodes; s++)
        plan->by_part[first[plan->supernode[s].part]++] = s;
    for (int part = plan->nparts + 1; part > 0; part--)
        first[part] = first[part - 1];
    first[0] = 0;
}

// The same parts for every number of threads.
static void find_parts(StickBlockPlan *plan)
{
    double flops[STICK_BLOCK_PARTS] = {0};
    for (int s = 0; s < plan->nsupernodes; s++) {
        StickSupernode *node = &plan->supernode[s];
        int parent = parent_of(plan, node);
        if (parent >= 0)
            plan->supernode[parent].flops += node->flops;
    }
    choose_parts(plan, flops);
    sort_parts(plan, flops);
    list_parts(plan);
}

void stick_block_plan_restrict(StickBlockPlan *plan, const int *active, int nactive)
{
    if (same_active(plan, active, active ? nactive : plan->n))
        return;
    number_active(plan, active, nactive);
    find_supernodes(plan);
    sort_rows(plan);
    place_values(plan);
    find_parts(plan);
}
