/* tb-preflight-survey.h: run of the preflight of each given collector, in a thread: whether it can
 * record on this computer, or its error; replacement and look-up of the results
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/recording/tb-collector-choice.h"

G_BEGIN_DECLS

/**
 * TbPreflightResult:
 * @id: id of the collector
 * @lines: (nullable) (element-type TbPreflightLine): its preflight
 * @error: (nullable): why there is no preflight
 * @works: whether it would record something
 */
typedef struct
{
  char *id;
  GPtrArray *lines;
  char *error;
  gboolean works;
} TbPreflightResult;

void tb_preflight_survey_run_async (GPtrArray *collectors,
                                    TbScope scope,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer data);
GPtrArray *tb_preflight_survey_run_finish (GAsyncResult *result, GError **error);
void tb_preflight_survey_replace_results (GPtrArray *surveyed, GPtrArray *newer);
const TbPreflightResult *tb_preflight_survey_find_result (GPtrArray *surveyed, const char *id);

G_END_DECLS
