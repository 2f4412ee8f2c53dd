/* tb-collector.h: interface of plug-ins that record live events into a session: options, check of
 * what can be recorded on this machine, start, stop
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"
#include "session/recorder/tb-recorder.h"

G_BEGIN_DECLS

/**
 * TbScope:
 * @TB_SCOPE_SYSTEM: all processes
 * @TB_SCOPE_COMMAND: the process named in the target and its descendants; it is held before its
 *   exec until the recording is armed
 * @TB_SCOPE_PROCESS: an existing process and the processes it starts
 *
 * What is recorded.
 */
typedef enum
{
  TB_SCOPE_SYSTEM,
  TB_SCOPE_COMMAND,
  TB_SCOPE_PROCESS,
} TbScope;

/**
 * TbTarget:
 * @scope: what is recorded
 * @pid: PID of the held command or of the existing process; 0 for the system
 * @program: (nullable): the file that a held command will execute, in any scope; valid while the
 *   recording is being started
 *
 * What a collector records.
 */
typedef struct
{
  TbScope scope;
  gint32 pid;
  const char *program;
} TbTarget;

/**
 * TbPreflightLine:
 * @what: user-visible name of what is checked
 * @works: whether it works on this machine
 * @reason: (nullable): cause, consequence and remedy; %NULL if it works
 * @essential: whether nothing is recorded in this scope without it
 *
 * One line of a preflight: what works on this machine, what does not, why, and the remedy.
 */
typedef struct
{
  const char *what;
  gboolean works;
  char *reason;
  gboolean essential;
} TbPreflightLine;

TB_EXPORT gboolean tb_preflight_is_good (GPtrArray *lines);

TB_EXPORT char *tb_collector_describe_command_only (const GError *reason);

#define TB_TYPE_COLLECTOR (tb_collector_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbCollector, tb_collector, TB, COLLECTOR, GObject)

/**
 * TbCollectorInterface:
 * @preflight: checks what works on this machine, one line for each check; may start the agent
 * @start: starts recording into @recorder, which only the collector uses until stop has returned;
 *   returns once events flow ("armed"); a thread of the collector drains the source
 * @stop: stops recording, writes the events still buffered, joins the thread; the caller then
 *   finishes the recorder
 *
 * Signal "ended": the source ended by itself (with a message, or NULL).
 */
struct _TbCollectorInterface
{
  GTypeInterface parent;

  char **(*get_options) (TbCollector *self);
  GPtrArray *(*preflight) (TbCollector *self,
                           TbScope scope,
                           GCancellable *cancellable,
                           GError **error);
  gboolean (*start) (TbCollector *self,
                     const TbTarget *target,
                     TbRecorder *recorder,
                     GCancellable *cancellable,
                     GError **error);
  gboolean (*stop) (TbCollector *self, GError **error);
};

TB_EXPORT char **tb_collector_get_options (TbCollector *self);
/* (transfer full) (element-type TbPreflightLine) */
TB_EXPORT GPtrArray *tb_collector_preflight (TbCollector *self,
                                             TbScope scope,
                                             GCancellable *cancellable,
                                             GError **error);
TB_EXPORT gboolean tb_collector_start (TbCollector *self,
                                       const TbTarget *target,
                                       TbRecorder *recorder,
                                       GCancellable *cancellable,
                                       GError **error);
TB_EXPORT gboolean tb_collector_stop (TbCollector *self, GError **error);

G_END_DECLS
