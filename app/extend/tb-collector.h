/* tb-collector.h: the interface of plug-ins that record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-option.h"
#include "session/tb-recorder.h"

G_BEGIN_DECLS

typedef enum
{
  TB_SCOPE_SYSTEM,
  TB_SCOPE_COMMAND, /* the process named in the target and its descendants; it is held before its exec until "armed" */
  TB_SCOPE_PROCESS, /* an existing process and those it starts */
} TbScope;

/**
 * TbTarget:
 * @pid: of the command's (held) process or of the process; 0 for the system
 * @program: (nullable): the file that a held command is going to execute, in any scope; as long as the recording starts
 */
typedef struct
{
  TbScope scope;
  gint32 pid;
  const char *program;
} TbTarget;

/* One line of a preflight: what works here, what not, why, what to do. */
typedef struct
{
  const char *what;
  gboolean works;
  char *reason;       /* cause, consequence, remedy; NULL if it works */
  gboolean essential; /* without it nothing is recorded in this scope */
} TbPreflightLine;

/* Whether something would be recorded: all that is essential works. (element-type TbPreflightLine) */
TB_EXPORT gboolean tb_preflight_is_good (GPtrArray *lines);

/* (transfer full): what a session is told whose command alone was recorded, as the whole system could not be. */
TB_EXPORT char *tb_collector_describe_narrowing (const GError *reason);

#define TB_TYPE_COLLECTOR (tb_collector_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbCollector, tb_collector, TB, COLLECTOR, GObject)

/**
 * TbCollectorInterface:
 * @preflight: what works here, as a report with a table figure and findings; may start the agent
 * @start: begins to record into @recorder, which it alone uses until stop has returned; returns once events flow
 *   ("armed"); a thread of its own drains the source
 * @stop: ends, hands over what is still buffered, joins; the caller then finishes the recorder
 *
 * Signal "ended": the source ended by itself (with a message, or NULL).
 */
struct _TbCollectorInterface
{
  GTypeInterface parent;

  char **(*get_options) (TbCollector *self);
  GPtrArray *(*preflight) (TbCollector *self, TbScope scope, GCancellable *cancellable, GError **error);
  gboolean (*start) (TbCollector *self,
                     const TbTarget *target,
                     TbRecorder *recorder,
                     GCancellable *cancellable,
                     GError **error);
  gboolean (*stop) (TbCollector *self, GError **error);
};

TB_EXPORT char **tb_collector_get_options (TbCollector *self);
/* (transfer full) (element-type TbPreflightLine) */
TB_EXPORT GPtrArray *
tb_collector_preflight (TbCollector *self, TbScope scope, GCancellable *cancellable, GError **error);
TB_EXPORT gboolean tb_collector_start (TbCollector *self,
                                       const TbTarget *target,
                                       TbRecorder *recorder,
                                       GCancellable *cancellable,
                                       GError **error);
TB_EXPORT gboolean tb_collector_stop (TbCollector *self, GError **error);

G_END_DECLS
