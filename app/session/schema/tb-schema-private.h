/* tb-schema-private.h: roles of columns, each with its rule for valid values, and look-up of a
 * column's role; limits of columns, times and rows; function for the range of a column of times;
 * hash of a block request for the order table
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema.h"

G_BEGIN_DECLS

#define TB_MAX_COLUMNS 13u
/* Times are below 2^62, so that the sum or difference of two never overflows. */
#define TB_TIME_LIMIT (G_GINT64_CONSTANT (1) << 62)
#define TB_MAX_ROWS (G_GUINT64_CONSTANT (1) << 32)

/**
 * TbColumnRole:
 *
 * Files are not trusted. The rule of a role is checked when a chunk is decoded, so that the values
 * of a column can be used as indices without a further check (except for %TB_ID_NONE if the role's
 * name has OR_NONE).
 */
typedef enum
{
  TB_ROLE_VALUE,         /* anything */
  TB_ROLE_TIME,          /* 0 … TB_TIME_LIMIT, or TB_TIME_NONE */
  TB_ROLE_SORTED_TIME,   /* 0 … TB_TIME_LIMIT, ascending */
  TB_ROLE_SORTED_END,    /* likewise; TB_TIME_NONE in the rows after the last time */
  TB_ROLE_THREAD,        /* < number of threads */
  TB_ROLE_SORTED_THREAD, /* likewise, ascending */
  TB_ROLE_THREAD_OR_NONE,
  TB_ROLE_DEVICE_OR_NONE,
  TB_ROLE_MODULE_OR_NONE,
  TB_ROLE_WAKEUP_OR_NONE, /* row of the wakeup table */
  TB_ROLE_SLEEP_OR_NONE,  /* row of the sleep table */
  TB_ROLE_FRAME_OR_NONE,  /* < number of rows of the frame table */
  TB_ROLE_STACK,          /* < number of rows of the stack table; 0 is always valid */
  TB_ROLE_STRING,         /* < number of strings; 0 is always valid */
  TB_ROLE_STACK_PARENT,   /* < own row number; 0 in row 0 */
  TB_ROLE_STACK_FRAME,    /* < number of rows of the frame table; in row 0 also 0 or TB_ID_NONE */
  TB_ROLE_KIND_2,         /* < 2 and so on: enumerations */
  TB_ROLE_KIND_4,
  TB_ROLE_KIND_5,
  TB_ROLE_KIND_6,
  TB_ROLE_KIND_8,
  TB_ROLE_KIND_13,
  TB_ROLE_KIND_17,
  TB_ROLE_KIND_21,
} TbColumnRole;

TbColumnRole tb_table_kind_get_role (TbTableKind kind, guint column);
gboolean tb_column_role_is_time (TbColumnRole role);
/* Smallest and largest time, not counting TB_TIME_NONE; *minimum > *maximum if there is none. */
void tb_times_get_range (const gint64 *times, gsize n, gint64 *minimum, gint64 *maximum);

/* TB_ORDER_SUBJECT of the events of a block I/O request: the thread alone does not identify a
 * request. */
static inline guint32
tb_order_hash_request (guint32 thread, guint32 device, guint64 sector)
{
  guint64 requester = (guint64) device << 32 | thread;
  guint64 mixed = sector * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                  + (requester + 1) * G_GUINT64_CONSTANT (0xd1342543de82ef95);

  return (guint32) (mixed >> 32);
}

G_END_DECLS
