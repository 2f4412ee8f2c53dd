/* tb-collector-choice.h: a collector that may record, with its options
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-engine.h"

G_BEGIN_DECLS

/**
 * TbCollectorChoice:
 * @id: of the plug-in
 * @name: for people
 * @description: a sentence on what it does, ""
 * @collector: whose options are shown; becomes the one that records
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
