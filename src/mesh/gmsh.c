// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh.h"

#include "base/file.h"
#include "base/inputs.h"
#include "mesh/gmsh_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- contents of a file

StickStatus stick_gmsh_add_node(StickGmshFile *file, long long tag, const double x[3])
{
    StickContext *ctx = file->scan.ctx;
    if (tag <= 0)
        return stick_scan_fail(&file->scan, "a node has the tag %lld: tags are above 0", tag);
    STICK_RESERVE(ctx, file->node_tag, file->node_tag_room, file->nnodes + 1);
    STICK_RESERVE(ctx, file->x, file->x_room, 3 * (file->nnodes + 1));
    file->node_tag[file->nnodes] = tag;
    memcpy(&file->x[3 * file->nnodes++], x, 3 * sizeof *x);
    return STICK_OK;
}

StickStatus stick_gmsh_add_element(StickGmshFile *file, StickGmshElement element)
{
    StickContext *ctx = file->scan.ctx;
    size_t nodes = (size_t)stick_shape_info(element.shape)->nodes;
    STICK_RESERVE(ctx, file->element, file->element_room, file->nelements + 1);
    STICK_RESERVE(ctx, file->element_node, file->element_node_room, file->nelement_nodes + nodes);
    element.node = file->nelement_nodes;
    for (size_t k = 0; k < nodes; k++) {
        int small = 0;
        long long *tag = &file->element_node[element.node + k];
        if (file->is_4) {
            STICK_TRY(stick_scan_long(&file->scan, "a node of an element", tag));
        } else {
            STICK_TRY(stick_scan_int(&file->scan, "a node of an element", &small));
            *tag = small;
        }
    }
    file->nelement_nodes += nodes;
    file->element[file->nelements++] = element;
    return STICK_OK;
}

StickStatus stick_gmsh_add_physical(StickGmshFile *file, int tag)
{
    STICK_CHECK(file->scan.ctx, file->nphysicals < INT32_MAX, STICK_NO_MEMORY, "too many physical tags");
    STICK_RESERVE(file->scan.ctx, file->physical, file->physical_room, file->nphysicals + 1);
    file->physical[file->nphysicals++] = tag;
    return STICK_OK;
}

static void destroy(StickGmshFile *file)
{
    StickContext *ctx = file->scan.ctx;
    stick_unread_destroy(ctx, &file->ignored);
    for (size_t k = 0; k < file->nnames; k++)
        stick_free(ctx, file->name[k].name);
    stick_free(ctx, file->name);
    stick_free(ctx, file->entity);
    stick_free(ctx, file->physical);
    stick_free(ctx, file->node_tag);
    stick_free(ctx, file->x);
    stick_free(ctx, file->element);
    stick_free(ctx, file->element_node);
}

// ---- element types

// Types that Gmsh numbers 1, 2, ...; more exist, of higher orders.
static const char *const type_names[] = {
    "",
    "2-node line",
    "3-node triangle",
    "4-node quadrangle",
    "4-node tetrahedron",
    "8-node hexahedron",
    "6-node prism",
    "5-node pyramid",
    "3-node line",
    "6-node triangle",
    "9-node quadrangle",
    "10-node tetrahedron",
    "27-node hexahedron",
    "18-node prism",
    "14-node pyramid",
    "1-node point",
    "8-node quadrangle",
    "20-node hexahedron",
    "15-node prism",
    "13-node pyramid",
};
enum { NTYPE_NAMES = sizeof type_names / sizeof *type_names };

StickStatus stick_gmsh_shape(const StickGmshFile *file, int type, StickShape *shape)
{
    for (int k = 0; k < STICK_NSHAPES; k++)
        if (type > 0 && stick_shape_info((StickShape)k)->gmsh == type) {
            *shape = (StickShape)k;
            return STICK_OK;
        }
    const char *name = type > 0 && type < NTYPE_NAMES ? type_names[type] : "unknown here";
    return stick_scan_fail(&file->scan,
                           "unsupported element type %d (%s): bars of 2 nodes, triangles of 3 or 6, "
                           "quadrangles of 4 or 8, tetrahedra of 4 and hexahedra of 8 nodes are supported",
                           type, name);
}

// ---- sections

// Version, kind of file (0 text, 1 binary), size of a long; in a binary file then the integer 1 as it is
// stored.
static StickStatus read_format(StickGmshFile *file)
{
    StickTextScan *scan = &file->scan;
    char version[STICK_SCAN_WORD];
    long long kind, size;
    int one = 1;
    STICK_TRY(stick_scan_word(scan, "the version", version));
    STICK_TRY(stick_scan_text_integer(scan, "the kind of file", &kind));
    STICK_TRY(stick_scan_text_integer(scan, "the size of numbers", &size));
    file->is_4 = strcmp(version, "4.1") == 0;
    if (!file->is_4 && strcmp(version, "2.2") != 0)
        return stick_scan_fail(
            scan, "version %.20s of the format is not supported: save the file as 2.2 or 4.1", version);
    if (kind < 0 || kind > 1 || size != 8)
        return stick_scan_fail(
            scan,
            "file type %lld with numbers of %lld bytes is not supported: only types 0 and 1 with 8 bytes",
            kind, size);
    scan->binary = kind == 1;
    if (!scan->binary)
        return STICK_OK;
    stick_scan_skip_line(scan);
    STICK_TRY(stick_scan_int(scan, "the integer 1", &one));
    if (one == 0x01000000)
        return stick_scan_fail(scan, "the binary file has the other byte order: save it as text");
    return one == 1 ? STICK_OK : stick_scan_fail(scan, "the integer 1 of the binary file is %d", one);
}

// A name between quotes, which may hold spaces.
static StickStatus read_quoted(StickTextScan *scan, char **name)
{
    const char *open = memchr(scan->bytes + scan->at, '"', scan->count - scan->at);
    const char *close = open ? memchr(open + 1, '"', scan->count - (size_t)(open + 1 - scan->bytes)) : NULL;
    const char *end = memchr(scan->bytes + scan->at, '\n', scan->count - scan->at);
    if (!close || (end && end < close) || close == open + 1)
        return stick_scan_fail(scan, "the name of a physical group should be between quotes");
    size_t length = (size_t)(close - open - 1);
    STICK_ALLOC(scan->ctx, *name, length + 1);
    memcpy(*name, open + 1, length);
    scan->at = (size_t)(close + 1 - scan->bytes);
    return STICK_OK;
}

// Always text.
static StickStatus read_names(StickGmshFile *file)
{
    long long count, dim, tag;
    STICK_TRY(stick_scan_text_integer(&file->scan, "the number of physical names", &count));
    STICK_TRY(stick_scan_check_count(&file->scan, "physical names", count, 2));
    for (long long k = 0; k < count; k++) {
        STICK_TRY(stick_scan_text_integer(&file->scan, "the dimension of a physical group", &dim));
        STICK_TRY(stick_scan_text_integer(&file->scan, "the tag of a physical group", &tag));
        if (dim < 0 || dim > 3 || tag < 1 || tag > INT32_MAX)
            return stick_scan_fail(&file->scan, "a physical group has dimension %lld and tag %lld", dim, tag);
        STICK_RESERVE(file->scan.ctx, file->name, file->name_room, file->nnames + 1);
        file->name[file->nnames] = (StickGmshName){(int)dim, (int)tag, NULL};
        STICK_TRY(read_quoted(&file->scan, &file->name[file->nnames].name));
        file->nnames++;
    }
    return STICK_OK;
}

// Counts of version 2.2 are text even in a binary file.
static StickStatus read_count2(StickGmshFile *file, const char *what, size_t item_bytes, long long *count)
{
    STICK_TRY(stick_scan_text_integer(&file->scan, what, count));
    if (file->scan.binary)
        stick_scan_skip_line(&file->scan);
    return stick_scan_check_count(&file->scan, what, *count, item_bytes);
}

// Dimension and tag of the entity of a parametric node, and its parameters on a curve or surface.
static StickStatus skip_parameters(StickGmshFile *file)
{
    int dim, tag;
    double parameter;
    STICK_TRY(stick_scan_int(&file->scan, "the dimension of an entity", &dim));
    STICK_TRY(stick_scan_int(&file->scan, "the tag of an entity", &tag));
    for (int k = 0; k < dim && dim < 3; k++)
        STICK_TRY(stick_scan_number(&file->scan, "a parameter of a node", &parameter));
    return STICK_OK;
}

static StickStatus read_nodes(StickGmshFile *file, bool parametric)
{
    long long count;
    STICK_TRY(read_count2(file, "nodes", 28, &count));
    for (long long k = 0; k < count; k++) {
        int tag;
        double x[3];
        STICK_TRY(stick_scan_int(&file->scan, "the tag of a node", &tag));
        for (int d = 0; d < 3; d++)
            STICK_TRY(stick_scan_number(&file->scan, "a coordinate", &x[d]));
        STICK_TRY(stick_gmsh_add_node(file, tag, x));
        if (parametric)
            STICK_TRY(skip_parameters(file));
    }
    return STICK_OK;
}

static StickStatus read_nodes2(StickGmshFile *file)
{
    return read_nodes(file, false);
}

static StickStatus read_parametric_nodes2(StickGmshFile *file)
{
    return read_nodes(file, true);
}

// The first tag of an element is its physical group (0: none); the others are of no use here.
static StickStatus read_tags2(StickGmshFile *file, int ntags, StickGmshElement *element)
{
    for (int k = 0; k < ntags; k++) {
        int tag;
        STICK_TRY(stick_scan_int(&file->scan, "a tag of an element", &tag));
        if (k > 0 || tag == 0)
            continue;
        STICK_TRY(stick_gmsh_add_physical(file, abs(tag)));
        element->first = (int)file->nphysicals - 1;
        element->count = 1;
    }
    return STICK_OK;
}

// Text: tag, type and number of tags stand with each element; binary: type, number of elements and of tags
// before many.
static StickStatus read_elements2(StickGmshFile *file)
{
    StickTextScan *scan = &file->scan;
    long long count, done = 0;
    STICK_TRY(read_count2(file, "elements", 8, &count));
    while (done < count) {
        int tag = 0, type, follow = 1, ntags;
        StickShape shape;
        if (!scan->binary)
            STICK_TRY(stick_scan_int(scan, "the tag of an element", &tag));
        STICK_TRY(stick_scan_int(scan, "the type of an element", &type));
        if (scan->binary)
            STICK_TRY(stick_scan_int(scan, "the number of elements of a type", &follow));
        STICK_TRY(stick_scan_int(scan, "the number of tags", &ntags));
        STICK_TRY(stick_gmsh_shape(file, type, &shape));
        if (follow < 1 || follow > count - done || ntags < 0)
            return stick_scan_fail(scan, "%d elements with %d tags cannot follow here", follow, ntags);
        for (int k = 0; k < follow; k++, done++) {
            StickGmshElement element = {.shape = shape};
            if (scan->binary)
                STICK_TRY(stick_scan_int(scan, "the tag of an element", &tag));
            element.tag = tag;
            STICK_TRY(read_tags2(file, ntags, &element));
            STICK_TRY(stick_gmsh_add_element(file, element));
        }
    }
    return STICK_OK;
}

// ---- the file

typedef struct Section {
    const char *name;
    StickStatus (*read2)(StickGmshFile *file);
    StickStatus (*read4)(StickGmshFile *file);
    bool is_text; // in a binary file, too
} Section;

static const Section sections[] = {
    {"PhysicalNames", read_names, read_names, true},
    {"Entities", NULL, stick_gmsh4_entities, false},
    {"PartitionedEntities", NULL, stick_gmsh4_partitioned_entities, false},
    {"Nodes", read_nodes2, stick_gmsh4_nodes, false},
    {"ParametricNodes", read_parametric_nodes2, NULL, false},
    {"Elements", read_elements2, stick_gmsh4_elements, false},
};
enum { NSECTIONS = sizeof sections / sizeof *sections };

static const Section *find_section(const char *name)
{
    for (int k = 0; k < NSECTIONS; k++)
        if (strcmp(sections[k].name, name) == 0)
            return &sections[k];
    return NULL;
}

static StickStatus read_end(StickGmshFile *file, const char *name)
{
    char word[STICK_SCAN_WORD], end[STICK_SCAN_WORD + 8];
    snprintf(end, sizeof end, "$End%s", name);
    STICK_TRY(stick_scan_word(&file->scan, end, word));
    if (strcmp(word, end) != 0)
        return stick_scan_fail(&file->scan, "'%.40s' where %s should be", word, end);
    return STICK_OK;
}

static StickStatus skip_section(StickGmshFile *file, const char *name)
{
    // sections that contain no mesh data
    static const char *const idle[] = {"Comments", "Entities", "Parametrizations", "InterpolationScheme"};
    char word[STICK_SCAN_WORD + 8], end[STICK_SCAN_WORD + 8];
    StickMark mark = {file->scan.file, file->scan.binary ? 0 : file->scan.line, 0};
    bool listed = true;
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        listed = listed && strcmp(name, idle[k]) != 0;
    snprintf(word, sizeof word, "$%s", name);
    snprintf(end, sizeof end, "$End%s", name);
    if (listed)
        STICK_TRY(stick_unread_add(file->scan.ctx, &file->ignored, word, mark, NULL));
    if (!stick_scan_skip_to(&file->scan, end))
        return stick_scan_fail(&file->scan, "the section $%.40s has no end", name);
    return STICK_OK;
}

static StickStatus read_section(StickGmshFile *file)
{
    char word[STICK_SCAN_WORD];
    STICK_TRY(stick_scan_word(&file->scan, "a section", word));
    if (word[0] != '$' || word[1] == '\0')
        return stick_scan_fail(&file->scan, "'%.40s' where a section should start", word);
    const Section *section = find_section(word + 1);
    StickStatus (*read)(StickGmshFile *) = !section ? NULL : file->is_4 ? section->read4 : section->read2;
    if (!read)
        return skip_section(file, word + 1);
    if (file->scan.binary && !section->is_text)
        stick_scan_skip_line(&file->scan);
    STICK_TRY(read(file));
    return read_end(file, section->name);
}

static StickStatus read_file(StickGmshFile *file)
{
    char word[STICK_SCAN_WORD];
    STICK_TRY(stick_scan_word(&file->scan, "$MeshFormat", word));
    if (strcmp(word, "$MeshFormat") != 0)
        return stick_scan_fail(&file->scan,
                               "the file does not start with $MeshFormat: it is not a Gmsh mesh");
    STICK_TRY(read_format(file));
    STICK_TRY(read_end(file, "MeshFormat"));
    while (!stick_scan_at_end(&file->scan))
        STICK_TRY(read_section(file));
    if (file->nnodes == 0 || file->nelements == 0)
        return stick_scan_fail(&file->scan, "the file has %zu nodes and %zu elements", file->nnodes,
                               file->nelements);
    return STICK_OK;
}

static StickStatus report_ignored(const StickGmshFile *file)
{
    StickText text;
    if (file->ignored.count == 0)
        return STICK_OK;
    stick_text_init(&text, file->scan.ctx);
    StickStatus status = stick_unread_text(&file->ignored, &text);
    if (status == STICK_OK)
        stick_note_once_at(
            file->scan.ctx, file->ignored.item[0].mark,
            "ignored sections: %s; of this file only nodes, elements and physical groups are read",
            text.bytes);
    stick_text_destroy(&text);
    return status;
}

StickStatus stick_gmsh_read(StickContext *ctx, const char *path, StickMesh *mesh)
{
    char *bytes;
    size_t count;
    STICK_TRY(stick_input_read(ctx, path, &bytes, &count));
    StickGmshFile file = {.scan = {.ctx = ctx, .file = path, .bytes = bytes, .count = count, .line = 1}};
    StickStatus status = read_file(&file);
    stick_free(ctx, bytes);
    if (status == STICK_OK)
        status = report_ignored(&file);
    if (status == STICK_OK)
        status = stick_gmsh_mesh(&file, mesh);
    destroy(&file);
    return status;
}
