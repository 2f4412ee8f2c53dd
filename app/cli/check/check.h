/* check.h: checks of a plug-in: list of them, synthetic recordings, run of a list in a process of
 * its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "cli.h"

G_BEGIN_DECLS

/**
 * CheckSubject:
 * @kind: kind of the plug-in that is checked
 * @id: its ID
 * @files: (nullable): files to check it with: recordings for an analysis or exporter, examples for
 *   an importer
 */
typedef struct
{
  const char *kind;
  const char *id;
  char **files;
} CheckSubject;

/* What a check with a parameter is about. */
typedef struct
{
  guint recording;
  const char *file;
  char *option; /* KEY=VALUE */
  guint number;
} CheckParameter;

typedef gboolean (*CheckFunc) (const CheckSubject *subject,
                               const CheckParameter *parameter,
                               GError **error);

typedef struct
{
  char *name;
  CheckFunc func;
  CheckParameter parameter;
} Check;

/* A failure of a check: what is wrong, for the author of the plug-in. */
gboolean check_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Clears an error by which an author intends to refuse input or an option, such as a recording
 * without what the plug-in needs. Returns FALSE and passes on any other. */
gboolean check_accept_refusal (GError *refusal, GError **error);
GPtrArray *check_list_new (void);
void
check_list_add (GPtrArray *list, CheckFunc func, CheckParameter parameter, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Lists the checks of a plug-in, in the same order in every process. (element-type Check) */
GPtrArray *check_list_of_plugin (const CheckSubject *subject);
void check_add_options (GPtrArray *list, const CheckSubject *subject, CheckFunc with_option);
void check_add_analysis (GPtrArray *list, const CheckSubject *subject);
void check_add_exporter (GPtrArray *list, const CheckSubject *subject);
void check_add_importer (GPtrArray *list, const CheckSubject *subject);
/* A new object of the plug-in. (transfer full) (nullable) */
GObject *check_create (const CheckSubject *subject, GError **error);
/* The names of its options. (transfer full) (nullable) */
char **check_get_options (GObject *plugin);

/* check-recordings.c */
typedef enum
{
  CHECK_RECORDING_NORMAL,
  CHECK_RECORDING_EMPTY,
  CHECK_RECORDING_ONE_EVENT,
  CHECK_RECORDING_LOSSY,
  CHECK_RECORDING_LARGE_IDS,
  CHECK_RECORDING_ODD_NAMES,
  CHECK_RECORDING_DAMAGED,
  CHECK_RECORDING_LONG,
  CHECK_N_RECORDINGS,
} CheckRecording;

const char *check_recording_get_name (CheckRecording recording);
/* Opens a recording that is made in a temporary folder. (transfer full) */
TbTrace *check_recording_open (CheckRecording recording, GError **error);
/* An empty temporary folder for the files of a check. (transfer none) */
TbTemporaryFolder *check_get_folder (GError **error);

/* check-damage.c: makes all events and stacks of a session unreadable. */
gboolean check_damage (const char *path, GError **error);

/* check-runner.c */

typedef struct
{
  char *name;
  gboolean passed;
  char *message; /* of a failure */
} CheckResult;

/**
 * CheckResults:
 * @plugin: KIND/ID of the plug-in; as it was given if it could not be loaded
 * @list: (element-type CheckResult): the results so far
 * @added: (nullable): called when a result was added
 */
typedef struct _CheckResults CheckResults;
struct _CheckResults
{
  char *plugin;
  GPtrArray *list;
  void (*added) (const CheckResults *results);
};

CheckResults *check_results_new (const char *plugin, void (*added) (const CheckResults *results));
void check_results_free (CheckResults *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CheckResults, check_results_free)

/* Runs all checks of a plug-in, named ID or KIND/ID, in processes of their own, so that a crash or
 * an endless loop fails one check only. Fails if there is no such plug-in, or no process can be
 * started. */
gboolean check_run_all (CheckResults *results, char **files, gint64 timeout_ns, GError **error);
/* In such a process: runs the checks from a number on. */
void check_run_from (const char *plugin, char **files, guint first);

G_END_DECLS
