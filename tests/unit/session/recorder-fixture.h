/* recorder-fixture.h: recordings of events in tests, and access to the resulting session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "session/file/tb-session.h"

typedef struct
{
  GFile *file;
  TbRecorder *recorder;
  TbSession *session;
  TbRecorderStatistics statistics;
  GPtrArray *columns;
} RecorderFixture;

RecorderFixture *recorder_fixture_new (void);
/* Finishes the recorder, opens the session and checks every chunk of it. */
void recorder_fixture_finish (RecorderFixture *self);
void recorder_fixture_free (RecorderFixture *self);
void recorder_fixture_add (RecorderFixture *self, TbEvent event);
guint32 recorder_fixture_intern (RecorderFixture *self, const char *string);
/* Adds a switch from one thread to another. */
void recorder_fixture_switch (RecorderFixture *self,
                              gint64 time,
                              guint cpu,
                              gint32 from,
                              char state,
                              gint32 to);
/* The values of a column; they live as long as the fixture. */
gconstpointer
recorder_fixture_get (RecorderFixture *self, TbTableKind kind, guint column, gsize *n_rows);
gint64 recorder_fixture_get_i64 (RecorderFixture *self, TbTableKind kind, guint column, gsize row);
guint32 recorder_fixture_get_u32 (RecorderFixture *self, TbTableKind kind, guint column, gsize row);
gsize recorder_fixture_get_n_rows (RecorderFixture *self, TbTableKind kind);
const TbThread *recorder_fixture_get_thread (RecorderFixture *self, guint32 thread);
const TbProcess *recorder_fixture_get_process (RecorderFixture *self, guint32 thread);
/* Asserts that all event and stack tables of both are equal. */
void recorder_fixture_assert_equal (RecorderFixture *a, RecorderFixture *b);

/* One value, or the number of rows, in the session of the variable `fixture`: U32 (SWITCH, NEXT,
 * 0). */
#define I64(kind, column, row)                                                                     \
  recorder_fixture_get_i64 (fixture, TB_TABLE_##kind, TB_##kind##_##column, row)
#define U32(kind, column, row)                                                                     \
  recorder_fixture_get_u32 (fixture, TB_TABLE_##kind, TB_##kind##_##column, row)
#define N_ROWS(kind) recorder_fixture_get_n_rows (fixture, TB_TABLE_##kind)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RecorderFixture, recorder_fixture_free)
