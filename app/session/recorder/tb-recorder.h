/* tb-recorder.h: recorder, to which collectors and importers pass hosts, facts, strings, modules,
 * stacks, events and warnings, and which writes them to a session file; its statistics
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/schema/tb-entities.h"
#include "session/schema/tb-event.h"
#include "session/schema/tb-interface.h"
#include "session/schema/tb-module-file.h"

G_BEGIN_DECLS

#define TB_TYPE_RECORDER (tb_recorder_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbRecorder, tb_recorder, TB, RECORDER, GObject)

/**
 * TbRecorderStatistics:
 * @events: events recorded so far
 * @lost: events that the source lost
 * @bytes: bytes written to the session so far
 * @mismatched: events that contradicted earlier ones (counted, not dropped)
 * @first_time: time of the first event, ns; %TB_TIME_NONE if there is none
 * @last_time: time of the last event, ns
 *
 * Numbers about a running recording.
 */
typedef struct
{
  guint64 events;
  guint64 lost;
  guint64 bytes;
  guint64 mismatched;
  gint64 first_time;
  gint64 last_time;
} TbRecorderStatistics;

TB_EXPORT TbRecorder *tb_recorder_new (GFile *file, gboolean overwrite, GError **error);
TB_EXPORT void tb_recorder_set_temporary (TbRecorder *self);

/* Facts and ids. Interning the same object twice returns the same id. */
TB_EXPORT void tb_recorder_set_fact (TbRecorder *self, const char *key, const char *value);
TB_EXPORT guint32 tb_recorder_add_host (TbRecorder *self,
                                        const char *name,
                                        const char *kernel,
                                        const char *machine,
                                        guint n_cpus,
                                        gint64 clock_bound_ns);
TB_EXPORT guint32 tb_recorder_intern_string (TbRecorder *self, const char *text, gssize length);
TB_EXPORT guint32 tb_recorder_intern_module (TbRecorder *self,
                                             TbModuleKind kind,
                                             const char *path,
                                             const char *build_id,
                                             gint32 pid);

/**
 * TbRecorderModuleFunc:
 * @kind: kind of the module
 * @path: its path, valid during the call
 * @build_id: build ID in hexadecimal digits, "" if unknown, valid during the call
 * @data: user data
 *
 * Called in the thread that uses the recorder, when the first address in a module is recorded.
 */
typedef void (*TbRecorderModuleFunc) (TbModuleKind kind,
                                      const char *path,
                                      const char *build_id,
                                      gpointer data);
TB_EXPORT void tb_recorder_set_module_func (TbRecorder *self,
                                            TbRecorderModuleFunc func,
                                            gpointer data,
                                            GDestroyNotify destroy);
TB_EXPORT void tb_recorder_add_interface (TbRecorder *self, const TbInterface *interface);
/* Like tb_recorder_intern_module(), for a file. */
TB_EXPORT guint32 tb_recorder_intern_file (TbRecorder *self,
                                           const char *path,
                                           const char *build_id,
                                           const TbModuleFile *file,
                                           gint32 pid);
TB_EXPORT guint32 tb_recorder_intern_device (TbRecorder *self,
                                             guint32 host,
                                             const char *name,
                                             const char *kind,
                                             const char *major_minor);
/* A frame with a name, and a stack of frames (outermost first), for sources that have names instead
 * of addresses. */
TB_EXPORT guint32 tb_recorder_intern_named_frame (TbRecorder *self,
                                                  const char *function,
                                                  const char *module,
                                                  gboolean kernel);
TB_EXPORT guint32 tb_recorder_intern_stack (TbRecorder *self,
                                            const guint32 *frames,
                                            const guint8 *flags,
                                            guint n_frames);
/* Adds a warning to the session. */
TB_EXPORT void tb_recorder_add_warning (TbRecorder *self, const char *format, ...)
    G_GNUC_PRINTF (2, 3);
TB_EXPORT void tb_recorder_add_warning_text (TbRecorder *self, const char *text);

TB_EXPORT void tb_recorder_store_order (TbRecorder *self);

TB_EXPORT void tb_recorder_add (TbRecorder *self, const TbEvent *event);
TB_EXPORT gboolean tb_recorder_advance (TbRecorder *self, gint64 time, GError **error);
/* Sets the recorded range, if it is wider than that of the events. */
TB_EXPORT void tb_recorder_set_range (TbRecorder *self, gint64 from, gint64 to);
TB_EXPORT void tb_recorder_get_statistics (TbRecorder *self, TbRecorderStatistics *statistics);
TB_EXPORT gboolean tb_recorder_finish (TbRecorder *self, GError **error);
TB_EXPORT void tb_recorder_abandon (TbRecorder *self);

G_END_DECLS
