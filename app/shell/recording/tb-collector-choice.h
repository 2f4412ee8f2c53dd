/* tb-collector-choice.h: list of the collectors that load, for a new recording: id, name,
 * description and an object with the options of each; reason why one or all are missing; copy of
 * such an object
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-engine.h"

G_BEGIN_DECLS

/**
 * TbCollectorChoice:
 * @id: id of the plug-in
 * @name: display name
 * @description: one sentence, or ""
 * @collector: object with the options shown; used for the recording
 */
typedef struct
{
  char *id;
  char *name;
  char *description;
  TbCollector *collector;
} TbCollectorChoice;

GPtrArray *tb_collector_choice_list (char **problem);
TbCollector *tb_collector_choice_copy (const TbCollectorChoice *self);

G_END_DECLS
