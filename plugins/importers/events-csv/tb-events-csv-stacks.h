/* tb-events-csv-stacks.h: conversion of cells with a call stack as text (functions and modules)
 * into stack ids of the recorder, with a cache
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "tb-csv-reader.h"

G_BEGIN_DECLS

typedef struct _TbEventsCsvStacks TbEventsCsvStacks;

TbEventsCsvStacks *tb_events_csv_stacks_new (TbRecorder *recorder);
void tb_events_csv_stacks_free (TbEventsCsvStacks *self);
/* Returns FALSE if a frame is empty. */
gboolean
tb_events_csv_stacks_intern (TbEventsCsvStacks *self, const TbCsvCell *cell, guint32 *stack);

G_END_DECLS
