// SPDX-License-Identifier: Apache-2.0
#include "report/cycles_part.h"

#include "model/yaml.h"
#include "output/mechanism_table.h"

typedef struct Part {
    StickContext *ctx;
    const char *folder;
    const StickTablesRoom *room;
    StickBlobs *blocks;
    StickJson *json;
    StickTablesLoss *loss;
} Part;

static StickStatus add_table(const Part *part, const char *name, const char *kind)
{
    StickText path;
    stick_text_init(&path, part->ctx);
    stick_text_add(&path, "%s/cycle/%s.csv", part->folder, name);
    StickStatus status = stick_text_status(&path);
    StickTablesFile file = {.path = path.bytes, .name = name, .kind = kind};
    if (status == STICK_OK)
        status = stick_tables_add_file(part->ctx, &file, part->room, part->blocks, part->json, part->loss);
    stick_text_destroy(&path);
    return status;
}

StickStatus stick_cycles_part_add(StickContext *ctx, const char *folder, const StickModel *model,
                                  const StickTablesRoom *room, StickBlobs *blocks, StickJson *json,
                                  StickTablesLoss *loss)
{
    Part part = {ctx, folder, room, blocks, json, loss};
    *loss = (StickTablesLoss){0};
    stick_json_list(json);
    for (int k = 0; model && k < model->ngears; k++)
        STICK_TRY(add_table(&part, model->gears[k].name, "cycle"));
    if (model && model->nframes > 0)
        STICK_TRY(add_table(&part, STICK_MECHANISM, STICK_MECHANISM));
    stick_json_end_list(json);
    return STICK_OK;
}

void stick_cycles_part_parameters(const StickModel *model, StickJson *json)
{
    const StickYaml *all = model && model->tree ? stick_yaml_find(model->tree, "parameters") : NULL;
    stick_json_object(json);
    for (const StickYaml *one = all && all->kind == STICK_YAML_MAP ? all->first : NULL; one;
         one = one->next) {
        double value;
        if (one->kind == STICK_YAML_SCALAR && stick_parse_number(one->text, &value))
            stick_json_add_number(json, one->key, value);
    }
    stick_json_end_object(json);
}
