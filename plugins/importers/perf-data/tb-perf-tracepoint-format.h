/* tb-perf-tracepoint-format.h: formats of the tracepoints of a recording, found by ID: fields,
 * parsed from the recorded descriptions, and their values in a record; letters of thread states
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-bytes.h"

G_BEGIN_DECLS

typedef enum
{
  TB_PERF_FIELD_NUMBER,
  TB_PERF_FIELD_TEXT, /* characters in place */
  /* characters elsewhere in the record; the field contains their offset and length */
  TB_PERF_FIELD_LOCATED_TEXT,
  TB_PERF_FIELD_ARRAY, /* numbers in place */
  TB_PERF_FIELD_LOCATED_ARRAY,
} TbPerfFieldKind;

/**
 * TbPerfField:
 * @label: "NAME=", %NULL for fields that every tracepoint has
 * @element: size of one value in bytes
 * @is_relative: the offset in the field is relative to the field's end, not to the record's start
 */
typedef struct
{
  char *name;
  char *label;
  guint32 offset;
  guint32 size;
  guint8 kind; /* TbPerfFieldKind */
  guint8 element;
  gboolean is_signed;
  gboolean is_pointer;
  gboolean is_relative;
} TbPerfField;

typedef struct
{
  guint32 id;
  char *system;
  char *name;
  GArray *fields; /* of TbPerfField */
  char *print;    /* the "print fmt" line */
} TbPerfFormat;

/* Parses the text of a format file; returns NULL if it does not describe an event. */
TbPerfFormat *tb_perf_format_parse (const char *system, const char *text, gsize length);
void tb_perf_format_free (TbPerfFormat *self);

/* Returns NULL if there is no such field. The field is owned by self. */
const TbPerfField *tb_perf_format_find (const TbPerfFormat *self, const char *name);

/* Values of fields; 0 or a length of 0 if the field is NULL or outside the record. */
gint64
tb_perf_field_get_number (const TbPerfField *self, const guint8 *raw, gsize size, gboolean swap);
const char *tb_perf_field_get_text (const TbPerfField *self,
                                    const guint8 *raw,
                                    gsize size,
                                    gboolean swap,
                                    gsize *length);
const guint8 *tb_perf_field_get_bytes (const TbPerfField *self,
                                       const guint8 *raw,
                                       gsize size,
                                       gboolean swap,
                                       gsize *length);

/**
 * TbPerfStates:
 * @letters: by bit number, 0 if unknown
 * @preempted: the bit for preemption, 0 if there is none
 *
 * The thread state bits of the recorded kernel.
 */
typedef struct
{
  char letters[32];
  guint64 preempted;
} TbPerfStates;

void tb_perf_format_read_states (const TbPerfFormat *self, TbPerfStates *states);

static inline char
tb_perf_states_get_letter (const TbPerfStates *self, guint64 state)
{
  guint bit;

  if (state & self->preempted)
    return '+';
  if (self->preempted != 0)
    state &= self->preempted - 1;
  if (state == 0)
    return 'R';
  bit = __builtin_ctzll (state);
  return bit < sizeof self->letters && self->letters[bit] != 0 ? self->letters[bit] : 'S';
}

/* The formats of one recording, by id. */
typedef struct
{
  GPtrArray *formats; /* of TbPerfFormat */
  GHashTable *by_id;
} TbPerfFormats;

TbPerfFormats *tb_perf_formats_new (void);
void tb_perf_formats_free (TbPerfFormats *self);
/* Adds the formats of a recorded "tracing data" section; returns FALSE if the section is shorter
 * than its counts require. */
gboolean tb_perf_formats_read (TbPerfFormats *self, const guint8 *at, gsize size);
const TbPerfFormat *tb_perf_formats_find (TbPerfFormats *self, guint64 id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPerfFormat, tb_perf_format_free)

G_END_DECLS
