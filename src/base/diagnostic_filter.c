// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic_filter.h"

static const StickDiagnostic *last_error(const StickContext *ctx)
{
    for (size_t k = stick_diagnostic_count(ctx); k-- > 0;)
        if (stick_diagnostic(ctx, k)->severity == STICK_ERROR)
            return stick_diagnostic(ctx, k);
    return NULL;
}

void stick_diagnostic_filter_warn(StickContext *quiet, StickContext *outer, const char *what)
{
    const StickDiagnostic *said = last_error(quiet);
    StickMark mark = {0};
    if (said)
        mark = (StickMark){said->file, said->line, said->column};
    stick_warn_at(outer, mark, "%s: %s", what, said ? said->text : "unknown reason");
    stick_diagnostics_clear(quiet);
}
