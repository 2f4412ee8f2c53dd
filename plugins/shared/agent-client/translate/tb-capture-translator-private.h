/* tb-capture-translator-private.h: struct of the translator: ids of the stream with those of the
 * recorder, stacks, sleeps and probed functions so far; translation of definitions and of events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-capture-arena.h"
#include "tb-capture-dumps.h"
#include "tb-capture-translator.h"

G_BEGIN_DECLS

typedef struct
{
  const guint64 *chain;
  guint n;
} TbCaptureChain;

typedef struct
{
  guint32 path; /* string id of the stream; 0: no file */
  guint32 build_id_length;
  guint8 build_id[64];
} TbCaptureFile;

typedef struct
{
  guint32 name; /* string id of the recorder */
  guint64 n_calls;
} TbCaptureFunction;

struct _TbCaptureTranslator
{
  TbRecorder *recorder;
  guint32 host;
  gint64 latest; /* latest event time so far */
  TbCaptureArena *arena;
  TbCaptureDumps *dumps; /* NULL: there are no dumps */

  /* Index: id in the stream; value: id in the recorder */
  GArray *strings;
  GPtrArray *texts; /* texts of the same strings */
  GArray *modules;
  GArray *files; /* TbCaptureFile, of the same modules */
  TbAnnotations *annotations;
  GPtrArray *build_ids; /* of the same modules, in hexadecimal; NULL: none */
  GArray *devices;
  GArray *chains;
  guint32 first_chain; /* stream id of the first element of chains */

  TbCaptureSleep *sleeps; /* by id modulo TB_CAPTURE_SLEEP_WINDOW */

  GString *symbols; /* kernel symbols, as lines of kallsyms */

  const char *const *syscall_names;
  guint n_syscall_names;
  GHashTable *syscalls;  /* number → string id of the recorder */
  GHashTable *functions; /* probe id → TbCaptureFunction */
};

/* tb-capture-definitions.c: returns FALSE if the record is not a definition */
gboolean tb_capture_translator_define (TbCaptureTranslator *self, const TbCaptureRecord *record);
/* tb-capture-events.c */
void tb_capture_translator_translate_event (TbCaptureTranslator *self,
                                            const TbCaptureRecord *record);

G_END_DECLS
