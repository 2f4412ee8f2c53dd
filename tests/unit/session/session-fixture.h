/* session-fixture.h: sessions with random but valid rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema-private.h"
#include "session/file/tb-session-writer-private.h"
#include "session/file/tb-session.h"

#define FIXTURE_THREADS 50u
#define FIXTURE_STRINGS 40u
#define FIXTURE_DEVICES 5u
#define FIXTURE_MODULES 7u
#define FIXTURE_FRAMES 300u

/* All values of all tables. */
typedef struct
{
  guint64 n_rows[TB_N_TABLES];
  guint8 *columns[TB_N_TABLES][TB_MAX_COLUMNS];
} FixtureRows;

FixtureRows *fixture_rows_new (GRand *random, guint n_rows);
void fixture_rows_free (FixtureRows *rows);
/* Appends the rows [first, first + n) of a table. */
void fixture_append (TbSessionWriter *writer,
                     FixtureRows *rows,
                     TbTableKind kind,
                     guint64 first,
                     guint64 n);
/* Writes hosts, threads, strings and other data that the rows refer to. */
void fixture_put_facts (TbSessionWriter *writer);
/* Writes a whole session. */
void fixture_write (GFile *file, FixtureRows *rows);
gpointer fixture_random_values (GRand *random, TbColumnType type, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FixtureRows, fixture_rows_free)
